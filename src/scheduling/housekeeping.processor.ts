import { InjectQueue, Process, Processor } from '@nestjs/bull';
import { Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { Job, Queue } from 'bull';
import { Config } from '../config/config.js';
import { TemplateSyncService } from '../templates/template-sync.service.js';
import { Expiry } from './expiry.js';

export const HOUSEKEEPING_QUEUE = '{tms-housekeeping}';

/** Every repeated job, by its name in Redis. */
const JOBS = ['sync-templates', 'expire-idempotency-keys'] as const;
type HousekeepingJob = (typeof JOBS)[number];

const MINUTE = 60_000;

/** Regular work, done once for the cluster however many workers there are. */
@Processor(HOUSEKEEPING_QUEUE)
export class HousekeepingProcessor implements OnApplicationBootstrap {
  private readonly logger = new Logger(HousekeepingProcessor.name);

  constructor(
    @InjectQueue(HOUSEKEEPING_QUEUE) private readonly queue: Queue,
    private readonly templates: TemplateSyncService,
    private readonly expiry: Expiry,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    // Not awaited: a worker starts with Redis out, and Bull adds the jobs when it is back.
    for (const name of JOBS) {
      this.queue
        .add(name, {}, { repeat: { every: MINUTE }, removeOnComplete: true, removeOnFail: true })
        .catch((error) => {
          this.logger.warn(`Housekeeping job ${name} not scheduled: ${(error as Error).message}`);
        });
    }
  }

  @Process({ name: 'sync-templates' satisfies HousekeepingJob })
  async syncTemplates(_job: Job): Promise<void> {
    await this.templates.syncOlderThan(this.config.TEMPLATE_SYNC_INTERVAL * MINUTE);
  }

  @Process({ name: 'expire-idempotency-keys' satisfies HousekeepingJob })
  async expireIdempotencyKeys(_job: Job): Promise<void> {
    await this.expiry.idempotencyKeys();
  }
}
