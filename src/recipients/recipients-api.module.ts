import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { OptOutsController } from './opt-outs.controller.js';
import { RecipientsModule } from './recipients.module.js';

/** The endpoints of opt-outs: in API processes. */
@Module({ imports: [AccountsModule, RecipientsModule], controllers: [OptOutsController] })
export class RecipientsApiModule {}
