import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Response } from 'express';
import { ApiError } from '../../common/errors.js';
import { Turns } from '../../common/turns.js';
import type { SessionRequest, SessionUser } from '../sessions/session-user.js';
import { LiveSessionsService } from './live-sessions.service.js';

/**
 * Milliseconds between two looks at a view, and between two signs of life. A sign of life tells the page that the line
 * works (dashboard/src/api/live-stream.ts), and tells proxies that the stream is in use.
 */
const INTERVAL = 1_000;
const HEARTBEAT = 5_000;

/** Milliseconds after which a stream is ended whose reader takes nothing: it would keep its place for ever. */
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
  /** Reads the view; for all followers of a view, the result is the same. */
  read: () => Promise<string>;
}

interface Stream extends Follower {
  /** The answer that was written last, and the time of the last write. */
  last: string;
  written: number;
}

/**
 * Tells the followers of a view whenever its answer has changed, by one look a second for all of them. It polls the
 * database because a notification for each change would serialise the commits of the hot path; a page's query is an
 * index scan of some rows.
 */
@Injectable()
export class LiveViewsService {
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
    private readonly sessions: LiveSessionsService,
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
    // Who ends one half of a connection still gets an ordinary answer (request-gate.ts), but a stream ends.
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
      // A follower who joins during the look has just read an answer that is as new.
      await this.look([...view]);
    } while (view.size > 0);
    this.views.delete(key);
  }

  private async look(streams: Stream[]): Promise<void> {
    // A stopping server waits for its answers to end, so streams are ended then.
    if (!this.adapter.httpAdapter.getHttpServer().listening)
      for (const { response } of streams) response.end();
    const listening = streams.filter(isListening);
    const [any] = listening;
    if (!any) return;
    // A failed read is no change: the next may succeed. Until then, followers get signs of life.
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

/** Whether more may be written to the stream: a reader that takes nothing must not fill the memory. */
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
