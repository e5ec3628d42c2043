import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Response } from 'express';
import { ApiError } from '../../common/errors.js';
import { Turns } from '../../common/turns.js';
import type { SessionRequest, SessionUser } from '../sessions/session-user.js';
import { LiveSessions } from './live-sessions.js';

/**
 * Milliseconds between two looks, and between two signs of life. By these the page knows that the line is there
 * (dashboard/src/api/live-stream.ts), and proxies that the stream is in use.
 */
const INTERVAL = 1_000;
const HEARTBEAT = 5_000;

/** Milliseconds after which a listener that takes nothing is given up: it would keep its place for ever. */
const STANDSTILL = 60_000;

/**
 * Streams of one session at the same time. A browser opens six connections to a host at most, of all its tabs together;
 * behind a proxy that speaks HTTP/2 there may be more.
 */
const STREAMS = 20;
const RETRY_AFTER = 5;

/** Somebody who follows a view. */
export interface Follower {
  request: SessionRequest;
  response: Response;
  /** As signed in when the stream begins. */
  user: SessionUser;
  /** Reads the view; every follower's does the same. */
  read: () => Promise<string>;
}

interface Stream extends Follower {
  /** What was told last, and when anything was. */
  last: string;
  written: number;
}

/**
 * Tells those who follow a view whenever it says something else: one look a second for all of them. The database is
 * asked, rather than told, because a notification for each change would serialise the commits of the hot path; a page's
 * query is an index scan of some rows.
 */
@Injectable()
export class LiveViews {
  private readonly views = new Map<string, Set<Stream>>();
  private readonly places = new Turns({
    atOnce: STREAMS,
    late: () =>
      new ApiError(
        'RATE_LIMITED',
        `This session follows ${STREAMS} live views already: close tabs that are no longer needed.`,
        [],
        RETRY_AFTER,
      ),
  });

  constructor(
    private readonly sessions: LiveSessions,
    private readonly adapter: HttpAdapterHost,
  ) {}

  /**
   * Tells the follower of the view until its connection or session ends. Resolves when it has begun.
   * @throws what the first look at the view throws; ApiError RATE_LIMITED when the session follows too many
   */
  follow(follower: Follower): Promise<void> {
    return new Promise((resolve, reject) => {
      const tell = async () => {
        const first = await follower.read();
        resolve();
        await this.tell(follower, first);
      };
      this.places.run(follower.user.sessionId, 0, tell).catch(reject);
    });
  }

  private async tell(follower: Follower, first: string): Promise<void> {
    const { request, response } = follower;
    if (response.closed || response.destroyed) return;
    // Half a connection is enough for an answer (request-gate.ts); to end one's half is to follow no more.
    if (request.socket.readableEnded) return void response.destroy();
    request.socket.once('end', () => response.destroy());
    // no-transform: compression would hold the events back.
    response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    });
    const stream: Stream = { ...follower, last: first, written: Date.now() };
    write(stream, 'data', first);
    const leave = this.join(stream);
    await new Promise<void>((resolve) => response.once('close', resolve));
    leave();
  }

  private join(stream: Stream): () => void {
    const { user, request } = stream;
    const key = [user.tenantId, user.role, user.operator, request.originalUrl].join(' ');
    let view = this.views.get(key);
    if (!view) {
      this.views.set(key, (view = new Set()));
      void this.watch(key, view);
    }
    view.add(stream);
    return () => view.delete(stream);
  }

  private async watch(key: string, view: Set<Stream>): Promise<void> {
    do {
      await new Promise((resolve) => setTimeout(resolve, INTERVAL));
      // Who comes during the look has read something that is as new.
      await this.look([...view]);
    } while (view.size > 0);
    this.views.delete(key);
  }

  private async look(streams: Stream[]): Promise<void> {
    // A server that stops waits for its answers to end: these do then.
    if (!this.adapter.httpAdapter.getHttpServer().listening)
      for (const { response } of streams) response.end();
    const listening = streams.filter(isListening);
    const [any] = listening;
    if (!any) return;
    // The next look may succeed; its followers are told meanwhile that the service is there.
    const [now, rights] = await Promise.all([
      any.read().catch(() => null),
      Promise.all(listening.map(({ request, user }) => this.sessions.rightsOf(request, user))),
    ]);
    for (const [i, stream] of listening.entries()) {
      if (rights[i] === 'gone') write(stream, 'gone', '{}');
      if (rights[i] !== 'same') stream.response.end();
      else if (now !== null && now !== stream.last) write(stream, 'data', (stream.last = now));
      else if (Date.now() - stream.written >= HEARTBEAT) write(stream, 'alive', '{}');
    }
  }
}

/** A listener that does not read must not fill the memory. */
function isListening({ response, written }: Stream): boolean {
  if (response.closed || response.destroyed || response.writableEnded) return false;
  if (!response.writableNeedDrain) return true;
  if (Date.now() - written > STANDSTILL) response.destroy();
  return false;
}

function write(stream: Stream, name: string, data: string): void {
  stream.response.write(`event: ${name}\ndata: ${data}\n\n`);
  stream.written = Date.now();
}
