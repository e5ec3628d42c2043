import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ApiKeyAuthenticationModule } from '../accounts/api-key-authentication.module.js';
import { BatchController } from './batch/batch.controller.js';
import { MessagesController } from './messages.controller.js';
import { MessagesModule } from './messages.module.js';

/** The endpoints of messages: in API processes. */
@Module({
  imports: [AccountsModule, ApiKeyAuthenticationModule, MessagesModule],
  controllers: [MessagesController, BatchController],
})
export class MessagesApiModule {}
