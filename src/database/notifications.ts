import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '../config/config.js';
import { sessionAccess } from './access.js';
import { BoundedClient } from './bounded-client.js';

/** Channels of PostgreSQL's NOTIFY, with the meaning of their payloads. */
export const CHANNELS = {
  /** A worker has given its shards back; no payload. */
  shardsFree: 'shards_free',
  /** A row was written to the webhook inbox; no payload. */
  inbox: 'webhook_inbox',
  /** Something that caches hold has changed; payload: `cache name:key`. */
  changed: 'changed',
} as const;

/**
 * The prefix of a channel's name; the number of a shard follows. Messages of the shard are due, now or soon; payload:
 * ids of messaging accounts, comma-separated, at least one.
 */
export const MESSAGE_DUE = 'message_due_';

export type Channel = (typeof CHANNELS)[keyof typeof CHANNELS] | `${typeof MESSAGE_DUE}${number}`;

/** `payload` is null after a lost connection: anything may have happened meanwhile. */
type Handler = (payload: string | null) => void;

const FIRST_RECONNECT = 100;
const SLOWEST_RECONNECT = 3_000;

/** Milliseconds between two checks that the connection still works: a dead one is merely silent. */
const HEARTBEAT = 2_000;

/** Listens to PostgreSQL on a connection of its own, and comes back when it is lost. */
@Injectable()
export class Notifications implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(Notifications.name);
  private readonly handlers = new Map<Channel, Handler[]>();
  /** The connection, from its acceptance by PostgreSQL to its end. */
  private client: BoundedClient | undefined;
  private reconnectTimer?: NodeJS.Timeout;
  /** Runs while the connection works. */
  private heartbeat: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(private readonly config: Config) {}

  /** Calls `handler` for each notification, from the start of the application on. */
  on(channel: Channel, handler: Handler): void {
    this.handlers.set(channel, [...(this.handlers.get(channel) ?? []), handler]);
  }

  /**
   * Begins to call `handler` for some channels, and ends that for others, to which nobody else listens. Resolves when
   * PostgreSQL knows. Never throws: if the connection is lost, the next one listens to all, and handlers get null.
   */
  async change(handler: Handler, { begin, end }: { begin: Channel[]; end: Channel[] }): Promise<void> {
    for (const channel of begin) this.on(channel, handler);
    for (const channel of end) this.handlers.delete(channel);
    const statements = [...begin.map(listenTo), ...end.map((channel) => `UNLISTEN ${channel}`)];
    if (statements.length > 0) await this.client?.query(statements.join('; ')).catch(() => undefined);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.connect(FIRST_RECONNECT);
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.reconnectTimer);
    clearInterval(this.heartbeat);
    await this.client?.close();
  }

  private async connect(delay: number): Promise<void> {
    const client = new BoundedClient({
      ...sessionAccess(this.config),
      application_name: 'template-messaging-service listener',
    });
    client.on('notification', ({ channel, payload }) => this.dispatch(channel as Channel, payload ?? ''));
    client.on('error', () => undefined); // 'end' follows, and is handled
    client.once('end', () => this.onLost(client, delay));
    try {
      await client.connect();
      this.client = client; // from here on, `change` uses it too; its statements come after the next one
      await client.query([...this.handlers.keys()].map(listenTo).join('; '));
    } catch (error) {
      this.logger.warn(`Cannot listen to PostgreSQL: ${(error as Error).message}`);
      client.destroy(); // it may be connected, to a server that refuses LISTEN
      this.onLost(client, delay);
      return;
    }
    if (this.stopped) return client.destroy();
    // A statement without an answer ends the connection; then it is made anew.
    this.heartbeat = setInterval(() => client.query('SELECT 1').catch(() => undefined), HEARTBEAT);
    for (const handler of new Set([...this.handlers.values()].flat())) handler(null);
  }

  /** Reconnects after a while; almost at once if the connection had worked. */
  private onLost(client: BoundedClient, delay: number): void {
    const worked = this.heartbeat !== undefined;
    this.client = undefined;
    clearInterval(this.heartbeat);
    this.heartbeat = undefined;
    client.removeAllListeners('end');
    if (this.stopped) return;
    const next = worked ? FIRST_RECONNECT : Math.min(delay * 2, SLOWEST_RECONNECT);
    clearTimeout(this.reconnectTimer);
    this.reconnectTimer = setTimeout(() => void this.connect(next), worked ? FIRST_RECONNECT : delay);
  }

  private dispatch(channel: Channel, payload: string | null): void {
    for (const handler of this.handlers.get(channel) ?? []) handler(payload);
  }
}

const listenTo = (channel: Channel) => `LISTEN ${channel}`;
