import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { MessagesController } from './messages.controller.js';
import { MessagesModule } from './messages.module.js';

/** The endpoints of messages: in API processes. */
@Module({ imports: [AccountsModule, MessagesModule], controllers: [MessagesController] })
export class MessagesApiModule {}
