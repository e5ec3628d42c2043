import type { Job, Queue } from 'bull';
import type { Redis } from 'ioredis';
import { Heartbeat } from '../common/heartbeat.js';

/** Milliseconds without looking for a job or doing one, after which a queue stands still. */
const STANDSTILL = 10_000;

/** What can go wrong with a queue, by Bull's events. */
export type Trouble = 'error' | 'failed' | 'stalled' | 'lock-extension-failed';

/** Called for each trouble, with the job's name if it concerns a job. */
export type OnTrouble = (queue: string, trouble: Trouble, error: Error, job?: string) => void;

/** Members of Bull's queues that its types do not declare. */
interface Undeclared {
  /** The connection on which it waits for its next job. */
  bclient: Redis;
  setWorkerName(): Promise<void>;
}

/** A Bull queue, with what Bull lacks: reports of faults, a check that it works, and an end that does not hang. */
export class WatchedQueue {
  private readonly heartbeat = new Heartbeat();
  private readonly waiting: Redis;
  /** Each function ends one wait for a job, without a job. */
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
   * Two promises have no handler, so that a rejection would end the process: that of `process`, which Nest calls, and
   * that of `setWorkerName`, by which Bull names its connection. We do not need the name.
   */
  private keepPromises(): void {
    const process = this.queue.process.bind(this.queue) as (...args: unknown[]) => Promise<void>;
    Object.assign(this.queue, {
      setWorkerName: () => Promise.resolve(),
      process: (...args: unknown[]) =>
        process(...args).catch((error: Error) => this.onTrouble(this.queue.name, 'error', error)),
    });
  }

  /** Makes a wait end on close: with Redis down, the answer never comes, not even when the connection is ended. */
  private untilEnd(answer: Promise<string | null>): Promise<string | null> {
    return new Promise((resolve, reject) => {
      const end = () => resolve(null);
      this.waits.add(end);
      void answer.then(resolve, reject).finally(() => this.waits.delete(end));
    });
  }

  /**
   * Replaces Bull's QUIT, which a waiting connection cannot answer. Bull would then connect anew for a later use: there
   * is none.
   */
  private endWait(): Promise<'OK'> {
    this.waiting.connect = () => Promise.resolve();
    this.waiting.disconnect();
    for (const end of this.waits) end();
    return Promise.resolve('OK');
  }
}
