import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuditEntry } from '../accounts/audit-entry.entity.js';
import { AlertsModule } from '../alerts/alerts.module.js';
import { CampaignsModule } from '../campaigns/campaigns.module.js';
import { NumberRateLimiter } from '../delivery/rates/number-rate-limiter.js';
import { PricingModule } from '../pricing/pricing.module.js';
import { ProviderModule } from '../provider/provider.module.js';
import { RecipientsModule } from '../recipients/recipients.module.js';
import { SpendingModule } from '../spending/spending.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { WebhookEndpointsModule } from '../webhook-endpoints/webhook-endpoints.module.js';
import { AlertsController } from './alerts/alerts.controller.js';
import { AuditLogService } from './audit/audit-log.service.js';
import { AuditLogController } from './audit/audit-log.controller.js';
import { AuditQueries } from './audit/audit-queries.js';
import { TenantBoundsService } from './bounds/tenant-bounds.service.js';
import { CampaignFaultsService } from './campaigns/campaign-faults.service.js';
import { CampaignTemplatesService } from './campaigns/campaign-templates.service.js';
import { CampaignUploadsController } from './campaigns/campaign-uploads.controller.js';
import { CampaignsController } from './campaigns/campaigns.controller.js';
import { CsvAnswerService } from './exports/csv-answer.service.js';
import { LiveSessionsService } from './live/live-sessions.service.js';
import { LiveViewsService } from './live/live-views.service.js';
import { MessagesModule } from '../messages/messages.module.js';
import { NumberMovesModule } from '../number-moves/number-moves.module.js';
import { OutboxModule } from '../outbox/outbox.module.js';
import { MessageDetailsQueries } from './messages/message-details.js';
import { MessageExportService } from './messages/message-export.service.js';
import { DashboardMessagesController } from './messages/messages.controller.js';
import { MediaUploadsController } from './send/media-uploads.controller.js';
import { SendController } from './send/send.controller.js';
import { DashboardSession } from './sessions/dashboard-session.entity.js';
import { AccountEditorController } from './numbers/account-editor.controller.js';
import { ConnectionTestService } from './numbers/connection-test.service.js';
import { CurrentRatesService } from './numbers/current-rates.service.js';
import { NumberMovesController } from './numbers/number-moves.controller.js';
import { NumbersController } from './numbers/numbers.controller.js';
import { NumbersQueries } from './numbers/numbers-queries.js';
import { OptOutExportService } from './opt-outs/opt-out-export.service.js';
import { OptOutImportService } from './opt-outs/opt-out-import.service.js';
import { OptOutUploadsController } from './opt-outs/opt-out-uploads.controller.js';
import { DashboardOptOutsController } from './opt-outs/opt-outs.controller.js';
import { OverviewController } from './overview/overview.controller.js';
import { OverviewService } from './overview/overview.service.js';
import { KnownBrowsersService } from './sign-in/known-browsers.service.js';
import { LoginThrottleService } from './sign-in/login-throttle.service.js';
import { ProofsService } from './sign-in/proofs.service.js';
import { SessionAuthentication } from './sessions/session-authentication.js';
import { SessionController } from './sign-in/session.controller.js';
import { SessionsService } from './sessions/sessions.service.js';
import { ApiKeysController } from './settings/api-keys.controller.js';
import { PasswordController } from './settings/password.controller.js';
import { RateCardUploadsController } from './settings/rate-card-uploads.controller.js';
import { RateCardsController } from './settings/rate-cards.controller.js';
import { SecondFactorController } from './settings/second-factor.controller.js';
import { SpendLimitsController } from './settings/spend-limits.controller.js';
import { UsersController } from './settings/users.controller.js';
import { DashboardEndpointsController } from './settings/webhook-endpoints.controller.js';
import { EditorStartService } from './template-editor/editor-start.service.js';
import { HeaderSamplesController } from './template-editor/header-samples.controller.js';
import { SavedDraft } from './template-editor/saved-draft.entity.js';
import { SavedDraftsService } from './template-editor/saved-drafts.service.js';
import { TemplateAuthorController } from './template-editor/template-author.controller.js';
import { TemplateDraftsController } from './template-editor/template-drafts.controller.js';
import { TemplateQueries } from './templates/template-queries.js';
import { DashboardTemplatesController } from './templates/templates.controller.js';

/** What the dashboard's page asks for: sessions, and one controller for each of its views. */
@Module({
  imports: [
    AccountsModule,
    AlertsModule,
    CampaignsModule,
    MessagesModule,
    NumberMovesModule,
    OutboxModule,
    PricingModule,
    ProviderModule,
    RecipientsModule,
    SpendingModule,
    TemplatesModule,
    WebhookEndpointsModule,
    TypeOrmModule.forFeature([DashboardSession, AuditEntry, SavedDraft]),
  ],
  controllers: [
    SessionController,
    AlertsController,
    CampaignsController,
    CampaignUploadsController,
    DashboardMessagesController,
    DashboardTemplatesController,
    TemplateAuthorController,
    TemplateDraftsController,
    HeaderSamplesController,
    NumbersController,
    AccountEditorController,
    NumberMovesController,
    DashboardOptOutsController,
    OptOutUploadsController,
    OverviewController,
    SendController,
    MediaUploadsController,
    ApiKeysController,
    UsersController,
    DashboardEndpointsController,
    PasswordController,
    SecondFactorController,
    RateCardsController,
    RateCardUploadsController,
    SpendLimitsController,
    AuditLogController,
  ],
  providers: [
    AuditLogService,
    AuditQueries,
    CampaignFaultsService,
    CampaignTemplatesService,
    CsvAnswerService,
    KnownBrowsersService,
    LiveSessionsService,
    LiveViewsService,
    LoginThrottleService,
    ProofsService,
    SessionAuthentication,
    SessionsService,
    TenantBoundsService,
    MessageDetailsQueries,
    MessageExportService,
    NumberRateLimiter,
    NumbersQueries,
    CurrentRatesService,
    ConnectionTestService,
    OptOutExportService,
    OptOutImportService,
    OverviewService,
    TemplateQueries,
    EditorStartService,
    SavedDraftsService,
  ],
})
export class DashboardModule {}
