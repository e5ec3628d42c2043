import { Module } from '@nestjs/common';
import { OptOutKeywordsService } from './opt-out-keywords.service.js';
import { OptOutsService } from './opt-outs.service.js';

/** Who wants no messages. */
@Module({
  providers: [OptOutsService, OptOutKeywordsService],
  exports: [OptOutsService, OptOutKeywordsService],
})
export class RecipientsModule {}
