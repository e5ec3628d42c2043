import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { HearingService } from './hearing.service.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksModule } from './webhooks.module.js';

/** Where the provider's webhooks arrive: in API processes. */
@Module({
  imports: [AccountsModule, WebhooksModule],
  controllers: [WebhooksController],
  providers: [HearingService],
})
export class WebhooksApiModule {}
