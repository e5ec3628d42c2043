import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '../config/config.js';
import { BOUNDED, BoundedClient } from './bounded-client.js';

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
 * Begins the name of a channel for each shard of the numbers, which ends with that of the shard. Messages of it are due, now
 * or soon; payload: ids of messaging accounts, comma-separated, at least one.
 */
export const MESSAGE_DUE = 'message_due_';

export type Channel = (typeof CHANNELS)[keyof typeof CHANNELS] | `${typeof MESSAGE_DUE}${number}`;

/** `payload` is null after a lost connection: anything may have happened meanwhile. */
type Handler = (payload: string | null) => void;

const FIRST_RECONNECT = 100;
const SLOWEST_RECONNECT = 3_000;

/** Milliseconds between two questions whether the connection still works: on one that is dead, silence is all one hears. */
const HEARTBEAT = 2_000;

/** Listens to PostgreSQL on a connection of its own, and comes back when it is lost. */
@Injectable()
export class Notifications implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(Notifications.name);
  private readonly handlers = new Map<Channel, Handler[]>();
  /** The connection, from when PostgreSQL has accepted it to its end. */
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
   * Begins to call `handler` for some channels, and ends it for others, which nobody else listens to. Resolves when
   * PostgreSQL knows. Never throws: a connection that is lost listens to all channels when it is back, and says so.
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
      ...BOUNDED,
      connectionString: this.config.DATABASE_URL,
      application_name: 'template-messaging-service listener',
    });
    client.on('notification', ({ channel, payload }) => this.dispatch(channel as Channel, payload ?? ''));
    client.on('error', () => undefined); // its end says the same
    client.once('end', () => this.onLost(client, delay));
    try {
      await client.connect();
      this.client = client; // from here on, changes go to it, behind what follows
      await client.query([...this.handlers.keys()].map(listenTo).join('; '));
    } catch (error) {
      this.logger.warn(`Cannot listen to PostgreSQL: ${(error as Error).message}`);
      client.destroy(); // it may have connected, to a server that takes no listeners
      this.onLost(client, delay);
      return;
    }
    if (this.stopped) return client.destroy();
    // A statement that is not answered ends the connection, which then comes back.
    this.heartbeat = setInterval(() => client.query('SELECT 1').catch(() => undefined), HEARTBEAT);
    for (const handler of new Set([...this.handlers.values()].flat())) handler(null);
  }

  /** Comes back after a while; at once after a connection that had worked. */
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
