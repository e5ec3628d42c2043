import { Module } from '@nestjs/common';
import { OptOutsService } from './opt-outs.service.js';

/** Who wants no messages. */
@Module({ providers: [OptOutsService], exports: [OptOutsService] })
export class RecipientsModule {}
