import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Config } from '../config/config.js';
import { noticeOf } from '../provider/api-versions.js';

/** Says at the start when the configured version of the provider's API ends soon, or has ended. */
@Injectable()
export class VersionWatchService implements OnApplicationBootstrap {
  private readonly logger = new Logger(VersionWatchService.name);

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    const notice = noticeOf(this.config.PROVIDER_API_VERSION, this.clock.now());
    if (notice?.hasEnded) this.logger.error(notice.text);
    else if (notice) this.logger.warn(notice.text);
  }
}
