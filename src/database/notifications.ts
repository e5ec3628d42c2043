import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import pg from 'pg';
import { Config } from '../config/config.js';

/** Channels of PostgreSQL's NOTIFY, with the meaning of their payloads. */
export const CHANNELS = {
  /** Messages have become due; payload: ids of messaging accounts, comma-separated. */
  messageDue: 'message_due',
  /** A row was written to the webhook inbox; no payload. */
  inbox: 'webhook_inbox',
  /** Something that caches hold has changed; payload: `cache name:key`. */
  changed: 'changed',
} as const;

export type Channel = (typeof CHANNELS)[keyof typeof CHANNELS];

/** `payload` is null after a lost connection: anything may have happened meanwhile. */
type Handler = (payload: string | null) => void;

const FIRST_RECONNECT = 100;
const SLOWEST_RECONNECT = 3_000;

/** Listens to PostgreSQL on a connection of its own, and comes back when it is lost. */
@Injectable()
export class Notifications implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(Notifications.name);
  private readonly handlers = new Map<Channel, Handler[]>();
  private client?: pg.Client;
  private reconnectTimer?: NodeJS.Timeout;
  private stopped = false;

  constructor(private readonly config: Config) {}

  /** Calls `handler` for each notification, from the start of the application on. */
  on(channel: Channel, handler: Handler): void {
    this.handlers.set(channel, [...(this.handlers.get(channel) ?? []), handler]);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.connect(FIRST_RECONNECT);
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.reconnectTimer);
    await this.client?.end().catch(() => undefined); // already lost: nothing to end
  }

  private async connect(delay: number): Promise<void> {
    const client = new pg.Client({
      connectionString: this.config.DATABASE_URL,
      application_name: 'template-messaging-service listener',
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    });
    this.client = client;
    let lost = false;
    const onLost = () => {
      if (lost || this.stopped) return;
      lost = true;
      void client.end().catch(() => undefined); // it is gone; this frees the socket
      this.reconnectTimer = setTimeout(
        () => void this.connect(Math.min(delay * 2, SLOWEST_RECONNECT)),
        delay,
      );
    };
    client.on('error', onLost).on('end', onLost);
    client.on('notification', ({ channel, payload }) => this.dispatch(channel as Channel, payload ?? ''));
    try {
      await client.connect();
      for (const channel of this.handlers.keys()) await client.query(`LISTEN ${channel}`);
      delay = FIRST_RECONNECT;
      for (const channel of this.handlers.keys()) this.dispatch(channel, null);
    } catch (error) {
      this.logger.warn(`Cannot listen to PostgreSQL: ${(error as Error).message}`);
      onLost();
    }
  }

  private dispatch(channel: Channel, payload: string | null): void {
    for (const handler of this.handlers.get(channel) ?? []) handler(payload);
  }
}
