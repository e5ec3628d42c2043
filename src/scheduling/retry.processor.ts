import { Process, Processor } from '@nestjs/bull';
import type { Job } from 'bull';
import { isRetryJob, RETRY_QUEUE, type RetryJob } from '../delivery/retry.queue.js';
import { DueWatchService } from './due-watch.service.js';

/** Wakes the dispatcher of the number, in whichever worker, when a retry has become due. */
@Processor(RETRY_QUEUE)
export class RetryProcessor {
  constructor(private readonly watch: DueWatchService) {}

  @Process({ concurrency: 10 })
  async wake(job: Job<RetryJob>): Promise<void> {
    if (isRetryJob(job.data)) await this.watch.tell(job.data.messagingAccountId);
  }
}
