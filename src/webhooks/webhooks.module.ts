import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { InboxService } from './inbox.service.js';
import { SignatureService } from './signature.service.js';

/** Taking webhooks in: in API processes. */
@Module({
  imports: [AccountsModule],
  providers: [InboxService, SignatureService],
  exports: [InboxService, SignatureService],
})
export class WebhooksModule {}
