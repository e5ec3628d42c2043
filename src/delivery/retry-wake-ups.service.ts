import { InjectQueue } from '@nestjs/bull';
import { Injectable, Logger } from '@nestjs/common';
import type { Queue } from 'bull';
import { Clock } from '../common/clock.js';
import { RETRY_QUEUE, type RetryJob } from './retry.queue.js';

/** Wake-ups of a number are this many milliseconds apart at least. */
const GRAIN = 250;

/** Has a number looked at when a retry is due or no room was found for a message, rather than at the next sweep. */
@Injectable()
export class RetryWakeUpsService {
  private readonly logger = new Logger(RetryWakeUpsService.name);

  constructor(
    @InjectQueue(RETRY_QUEUE) private readonly queue: Queue<RetryJob>,
    private readonly clock: Clock,
  ) {}

  /** Never throws: with Redis out, the dispatcher's clock finds the message. */
  async schedule(messagingAccountId: number, dueAt: Date): Promise<void> {
    const slot = Math.ceil(dueAt.getTime() / GRAIN);
    const delay = Math.max(0, slot * GRAIN - this.clock.now().getTime());
    const jobId = `${messagingAccountId}:${slot}`; // Bull keeps one job of an id
    try {
      await this.queue.add({ version: 1, messagingAccountId }, { jobId, delay });
    } catch (error) {
      this.logger.debug(`No wake-up for a retry: ${(error as Error).message}`);
    }
  }
}
