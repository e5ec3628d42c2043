import { Injectable, Logger } from '@nestjs/common';
import type { Queue, QueueOptions } from 'bull';
import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { Counter } from 'prom-client';
import { MetricsRegistry } from '../common/metrics-registry.js';
import { Repeated } from '../common/repeated.js';
import { BLOCKING_SECONDS, type RedisClient } from './redis-client.js';
import { RedisConnection } from './redis.js';
import { type OnTrouble, WatchedQueue } from './watched-queue.js';

/** Milliseconds between two pings on the connection that otherwise only listens. If it hangs, it is made anew. */
const PING = 1_000;

/** Milliseconds for which a logged fault is only counted when it comes again; how many faults are remembered. */
const SAID = 10 * 60_000;
const SAID_AT_MOST = 100;

/** The queues of this process. They share one connection for commands and one to listen; each has one to wait on. */
@Injectable()
export class Queues {
  private readonly logger = new Logger(Queues.name);
  private readonly queues = new Map<string, WatchedQueue>();
  private readonly said = new LRUCache<string, true>({ max: SAID_AT_MOST, ttl: SAID });
  private readonly errors: Counter<'queue' | 'kind'>;
  private subscriber: Redis | undefined;
  private readonly pings = new Repeated(
    PING,
    async () => this.subscriber?.ping(),
    (error) => this.logger.debug(`Nothing is heard from the queues: ${error.message}`),
  );

  constructor(
    private readonly redis: RedisConnection,
    registry: MetricsRegistry,
  ) {
    this.errors = new Counter({
      name: 'tms_queue_errors_total',
      help: 'Faults of queues by kind: of Redis or Bull, jobs that failed, that stalled, or that lost their lock',
      labelNames: ['queue', 'kind'],
      registers: [registry],
    });
  }

  /**
   * What Bull is given for a queue. Its delays are in seconds (`drainDelay`) and milliseconds (after an error).
   * @param name with the hash tag that keeps all keys of the queue on one node of a cluster
   */
  optionsOf(name: string) {
    return {
      createClient: (type) => this.createClient(type, name),
      settings: { drainDelay: BLOCKING_SECONDS, retryProcessDelay: 1_000 },
    } satisfies QueueOptions;
  }

  /** A queue has to be added before it gets a processor. */
  add(queue: Queue): void {
    this.queues.set(queue.name, new WatchedQueue(queue, this.onTrouble));
  }

  /** The names of all queues that were added. */
  get names(): string[] {
    return [...this.queues.keys()];
  }

  /** The names of queues that take no jobs; first among them what takes no writes of Redis. */
  get late(): string[] {
    const late = [...this.queues].filter(([, queue]) => !queue.isWorking).map(([name]) => name);
    return [...this.redis.late, ...late];
  }

  /** Lets jobs under way end. */
  async close(): Promise<void> {
    await Promise.all([...this.queues.values()].map((queue) => queue.close()));
    this.subscriber?.disconnect();
    void this.pings.stop(); // without Redis the last one is never answered
  }

  private createClient(type: 'client' | 'subscriber' | 'bclient', name: string): RedisClient {
    if (type === 'client') return this.redis.client;
    if (type === 'bclient') return this.redis.connect('blocking', name);
    if (!this.subscriber) this.pings.start();
    return (this.subscriber ??= this.redis.connect('subscriber'));
  }

  private readonly onTrouble: OnTrouble = (queue, kind, { message }, job) => {
    this.errors.inc({ queue, kind });
    // The queue is no part of the key: a lost connection hits all queues, and is logged once.
    const cause = [kind, job, message].join(' ').replaceAll(/\d+/g, '#');
    if (this.said.has(cause)) return;
    this.said.set(cause, true);
    this.logger.warn({ message: `Queue ${queue}: ${kind}: ${message}`, queue, kind, job });
  };
}
