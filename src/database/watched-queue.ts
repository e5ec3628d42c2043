import type { Job, Queue } from 'bull';
import type { Redis } from 'ioredis';
import { Heartbeat } from '../common/heartbeat.js';

/** Milliseconds after which a queue that has neither looked for a job nor done one stands still. */
const STANDSTILL = 10_000;

/** What can befall a queue, by Bull's events. */
export type Trouble = 'error' | 'failed' | 'stalled' | 'lock-extension-failed';

/** Told of each, with the job where it is one's. */
export type OnTrouble = (queue: string, trouble: Trouble, error: Error, job?: string) => void;

/** What Bull has and does not declare. */
interface Undeclared {
  /** The connection on which it waits for its next job. */
  bclient: Redis;
  setWorkerName(): Promise<void>;
}

/** A queue of Bull's, with what Bull leaves open: who hears its faults, whether it works, how it ends. */
export class WatchedQueue {
  private readonly heartbeat = new Heartbeat();
  private readonly waiting: Redis;
  /** Ends a wait for a job, without one. */
  private readonly waits = new Set<() => void>();

  constructor(
    private readonly queue: Queue,
    private readonly onTrouble: OnTrouble,
  ) {
    this.waiting = (queue as Queue & Undeclared).bclient;
    this.hearFaults();
    this.hearWork();
    this.keepPromises();
    this.waiting.quit = () => this.endWait();
  }

  /** Whether it takes jobs: it has looked for one, or done one, of late. */
  get isWorking(): boolean {
    return this.waiting.status === 'ready' && this.heartbeat.age < STANDSTILL;
  }

  /** Lets jobs under way end, and waits for no others. */
  async close(): Promise<void> {
    await this.queue.close();
    this.waiting.disconnect();
  }

  private hearFaults(): void {
    const tell = (trouble: Trouble, error: Error, job?: Job | null) =>
      this.onTrouble(this.queue.name, trouble, error, job?.name);
    this.queue.on('error', (error) => tell('error', error));
    this.queue.on('failed', (job, error) => tell('failed', error, job));
    this.queue.on('stalled', (job) => tell('stalled', new Error('Its worker was lost'), job));
    this.queue.on('lock-extension-failed', (job, error) => tell('lock-extension-failed', error, job));
  }

  /** It works when a wait was answered, or a job has begun or ended. */
  private hearWork(): void {
    const wait = this.waiting.brpoplpush.bind(this.waiting) as (...args: unknown[]) => Promise<string | null>;
    const brpoplpush = async (...args: unknown[]) => {
      const jobId = await this.untilEnd(wait(...args));
      this.heartbeat.beat();
      return jobId;
    };
    Object.assign(this.waiting, { brpoplpush });
    for (const event of ['active', 'completed', 'failed']) this.queue.on(event, () => this.heartbeat.beat());
  }

  /**
   * Nobody hears what becomes of these two promises, and a rejection would end the process: Nest's of `process`, and
   * Bull's of the name that it gives its connection, which we do not need.
   */
  private keepPromises(): void {
    const process = this.queue.process.bind(this.queue) as (...args: unknown[]) => Promise<void>;
    Object.assign(this.queue, {
      setWorkerName: () => Promise.resolve(),
      process: (...args: unknown[]) =>
        process(...args).catch((error: Error) => this.onTrouble(this.queue.name, 'error', error)),
    });
  }

  /** With Redis out the answer never comes, not even when the connection is ended. */
  private untilEnd(answer: Promise<string | null>): Promise<string | null> {
    return new Promise((resolve, reject) => {
      const end = () => resolve(null);
      this.waits.add(end);
      void answer.then(resolve, reject).finally(() => this.waits.delete(end));
    });
  }

  /**
   * Bull says QUIT, which a connection that waits cannot answer, and then connects anew, for a next time that we never
   * have.
   */
  private endWait(): Promise<'OK'> {
    this.waiting.connect = () => Promise.resolve();
    this.waiting.disconnect();
    for (const end of this.waits) end();
    return Promise.resolve('OK');
  }
}
