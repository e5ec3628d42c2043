import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { InboxService } from './inbox.service.js';
import { ParkedDeliveries } from './parked-deliveries.js';
import { AlertsModule } from '../alerts/alerts.module.js';
import { SignatureService } from './signature.service.js';
import { UnknownAccounts } from './unknown-accounts.js';
import { WebhookArrivals } from './webhook-arrivals.js';
import { WebhookFailures } from './webhook-failures.js';
import { WebhookMetrics } from './webhook-metrics.js';

/** Taking webhooks in, and looking at those that were put aside. */
@Module({
  imports: [AccountsModule, AlertsModule],
  providers: [
    InboxService,
    SignatureService,
    ParkedDeliveries,
    UnknownAccounts,
    WebhookArrivals,
    WebhookFailures,
    WebhookMetrics,
  ],
  exports: [
    InboxService,
    SignatureService,
    ParkedDeliveries,
    UnknownAccounts,
    WebhookArrivals,
    WebhookFailures,
    WebhookMetrics,
  ],
})
export class WebhooksModule {}
