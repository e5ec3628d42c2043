import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { DeliveryCopiesService } from './delivery-copies.service.js';
import { InboxService } from './inbox.service.js';
import { ParkedDeliveriesService } from './parked-deliveries.service.js';
import { AlertsModule } from '../alerts/alerts.module.js';
import { SignatureService } from './signature.service.js';
import { UnknownAccountsService } from './unknown-accounts.service.js';
import { WebhookArrivalsService } from './webhook-arrivals.service.js';
import { WebhookFailuresService } from './webhook-failures.service.js';
import { WebhookMetrics } from './webhook-metrics.js';

/** Taking webhooks in, and looking at those that were put aside. */
@Module({
  imports: [AccountsModule, AlertsModule],
  providers: [
    InboxService,
    DeliveryCopiesService,
    SignatureService,
    ParkedDeliveriesService,
    UnknownAccountsService,
    WebhookArrivalsService,
    WebhookFailuresService,
    WebhookMetrics,
  ],
  exports: [
    InboxService,
    DeliveryCopiesService,
    SignatureService,
    ParkedDeliveriesService,
    UnknownAccountsService,
    WebhookArrivalsService,
    WebhookFailuresService,
    WebhookMetrics,
  ],
})
export class WebhooksModule {}
