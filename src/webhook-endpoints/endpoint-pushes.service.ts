import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Heartbeats } from '../common/heartbeat.js';
import { Repeated } from '../common/repeated.js';
import { EventHorizon } from '../events/event-horizon.service.js';
import { EventNews } from '../events/event-news.service.js';
import { EndpointPump } from './endpoint-pump.service.js';
import { EndpointPushStore, type Lease, type LeasedEndpoint } from './endpoint-push.store.js';

/** Milliseconds between two looks for endpoints whose next try has come. */
const CLOCK = 2_000;

/** Milliseconds between two looks for news, where there is an endpoint to post them to. */
const NEWS_CLOCK = 200;

/** Milliseconds without a good look after which the process is not ready. */
const PATIENCE = 10_000;

/** Endpoints that a process posts to at the same time: one that hangs takes its place for as long as it may answer. */
const AT_ONCE = 500;

/** How many of these places only endpoints get whose last answer came quickly, so that slow ones never take all. */
const KEPT = 100;

/** Milliseconds until an endpoint is looked at again when the service itself could not go on with it. */
const RETRY = 5_000;

interface Running extends Lease {
  tenantId: string;
  work: Promise<void>;
  /** Ends it, with the request that is under way. */
  end: AbortController;
  /** Whether its tenant got news since it began. */
  hasNews: boolean;
}

/**
 * Posts the events of tenants to their endpoints. An endpoint that has news, or whose next try has come, is one worker's
 * for a time (its lease) and is posted to by itself, so that a slow one delays no other. Where there are more than places,
 * each has its turn, and those that have been quick get places that no slow one gets. It needs no Redis.
 *
 * A change of an endpoint ends its lease, and whoever looks next has another. The run of the former lease is ended by then
 * if it is of the same process, which waits for it; else when its own process looks, by the clock at the latest.
 */
@Injectable()
export class EndpointPushesService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(EndpointPushesService.name);
  private isStopping = false;
  /** By the lease. */
  private readonly running = new Map<string, Running>();
  /** Tenants that have news, whose endpoints were not looked for since. */
  private readonly news = new Set<string>();
  /** Whether to look for endpoints again as soon as the look under way has ended. */
  private isAsked = false;
  /** Whether there may be endpoints that wait for a place. */
  private isShort = false;
  /** Whether any endpoint is there to post to. */
  private hasAny = false;
  /** The position up to which all news were heard; null before the first. */
  private heard: number | null = null;
  private readonly looks: Repeated;
  private readonly newsLooks: Repeated;

  constructor(
    private readonly store: EndpointPushStore,
    private readonly pump: EndpointPump,
    private readonly horizon: EventHorizon,
    private readonly eventNews: EventNews,
    heartbeats: Heartbeats,
  ) {
    this.looks = new Repeated(
      CLOCK,
      () => this.look(),
      (error) => this.logger.debug(`Endpoints not looked at: ${error.message}`),
      heartbeats.add('posting events', PATIENCE),
    );
    this.newsLooks = new Repeated(
      NEWS_CLOCK,
      () => this.lookForNews(),
      (error) => this.logger.debug(`No look for events: ${error.message}`),
    );
  }

  onApplicationBootstrap(): void {
    this.looks.start();
    this.newsLooks.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    for (const { end } of this.running.values()) end.abort();
    await Promise.all([this.looks.stop(), this.newsLooks.stop()]);
    await Promise.all([...this.running.values()].map(({ work }) => work));
  }

  private async lookForNews(): Promise<void> {
    if (!this.hasAny) return void (this.heard = null);
    await this.horizon.look();
    const { position } = this.horizon;
    // Not known while the transactions are under way that were there when the stream went back, or at the start.
    if (position === 0) return void (this.heard = null);
    if (this.heard === null || position < this.heard) await this.wake();
    else if (position > this.heard) this.hear(await this.eventNews.tenantsBetween(this.heard, position));
    this.heard = position;
  }

  /** For what came before this process looked for news, or before the stream went back. */
  private async wake(): Promise<void> {
    // They may have read to the end just before.
    for (const one of this.running.values()) one.hasNews = true;
    await this.store.wake();
    this.ask();
  }

  private hear(tenants: Iterable<string>): void {
    for (const tenant of tenants) this.news.add(tenant);
    // One that is posted to may have looked for more just before.
    for (const one of this.running.values()) one.hasNews ||= this.news.has(one.tenantId);
    this.ask();
  }

  private ask(): void {
    this.isAsked = true;
    if (!this.isStopping) this.looks.run();
  }

  private async look(): Promise<void> {
    this.isAsked = false;
    await this.lease();
    await this.endLost();
    setImmediate(() => this.isAsked && this.ask()); // when this look has ended
  }

  private async lease(): Promise<void> {
    const room = AT_ONCE - this.running.size;
    if (room <= 0 || this.isStopping) return;
    const tenants = [...this.news];
    this.news.clear();
    try {
      await (room > KEPT ? this.take(tenants, room - KEPT, 'any') : this.take(tenants, room, 'quick'));
    } catch (error) {
      for (const tenant of tenants) this.news.add(tenant);
      throw error;
    }
  }

  /** @param tenants those that have news */
  private async take(tenants: string[], most: number, which: 'any' | 'quick'): Promise<void> {
    const { endpoints, hasAny } = await this.store.lease(tenants, most, which);
    this.hasAny = hasAny;
    for (const endpoint of endpoints) this.start(endpoint);
    const isFull = endpoints.length === most;
    this.isShort = isFull || which === 'quick';
    // Who has news and got no place waits for one together with those whose next try has come.
    if (this.isShort && tenants.length > 0) await this.store.wake(tenants);
    if (isFull && which === 'any') this.ask(); // quick ones may get one that is kept
  }

  private async endLost(): Promise<void> {
    const held = [...this.running.values()];
    if (held.length === 0) return;
    for (const lease of await this.store.lost(held)) this.running.get(lease)?.end.abort();
  }

  private start(endpoint: LeasedEndpoint): void {
    const { id, lease, tenant_id: tenantId } = endpoint;
    const end = new AbortController();
    if (this.isStopping) end.abort();
    const work = this.endFormer(id)
      .then(() => this.pump.run(endpoint, end.signal))
      .catch((error: Error) => this.giveBack(endpoint, error))
      .then((hasMore) => this.forget(lease, hasMore));
    this.running.set(lease, { id, lease, tenantId, work, end, hasNews: false });
  }

  /** Ends the runs of an endpoint whose leases count no longer, so that it is posted to once at a time. */
  private async endFormer(id: string): Promise<void> {
    const former = [...this.running.values()].filter((one) => one.id === id);
    for (const { end } of former) end.abort();
    await Promise.all(former.map(({ work }) => work));
  }

  private async giveBack(endpoint: LeasedEndpoint, { message }: Error): Promise<boolean> {
    this.logger.warn(`Endpoint ${endpoint.id} is looked at again in some seconds: ${message}`);
    await this.store.release(endpoint, RETRY).catch(() => undefined); // then when its lease has ended
    return false;
  }

  /** @param hasMore whether there was something left to post to it */
  private forget(lease: string, hasMore: boolean): void {
    const ended = this.running.get(lease);
    this.running.delete(lease);
    if (ended?.hasNews) this.hear([ended.tenantId]);
    else if (hasMore || this.isShort) this.ask();
  }
}
