import { Process, Processor } from '@nestjs/bull';
import type { Job } from 'bull';
import { DELIVERY_QUEUE, type DeliveryJob, isDeliveryJob } from './delivery.queue.js';
import { DeliveryService } from './delivery.service.js';

/** Permits worked on at the same time, which share claims; each ends as soon as its messages are on their way. */
const CONCURRENCY = 16;

@Processor(DELIVERY_QUEUE)
export class DeliveryProcessor {
  constructor(private readonly delivery: DeliveryService) {}

  @Process({ concurrency: CONCURRENCY })
  async deliver(job: Job<DeliveryJob>): Promise<void> {
    if (isDeliveryJob(job.data)) await this.delivery.use(job.data);
  }
}
