import { Process, Processor } from '@nestjs/bull';
import type { Job } from 'bull';
import { isRetryJob, RETRY_QUEUE, type RetryJob } from '../delivery/retry.queue.js';
import { DispatcherService } from './dispatcher.service.js';

/** Wakes the dispatcher when a retry has become due. */
@Processor(RETRY_QUEUE)
export class RetryProcessor {
  constructor(private readonly dispatcher: DispatcherService) {}

  @Process({ concurrency: 10 })
  wake(job: Job<RetryJob>): void {
    if (isRetryJob(job.data)) this.dispatcher.wake([job.data.messagingAccountId]);
  }
}
