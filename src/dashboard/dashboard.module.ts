import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuditEntry } from '../accounts/audit-entry.entity.js';
import { AlertsModule } from '../alerts/alerts.module.js';
import { CampaignsModule } from '../campaigns/campaigns.module.js';
import { NumberRate } from '../delivery/rates/number-rate.js';
import { PricingModule } from '../pricing/pricing.module.js';
import { ProviderModule } from '../provider/provider.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { AlertsController } from './alerts/alerts.controller.js';
import { AuditLog } from './audit/audit-log.js';
import { AuditLogController } from './audit/audit-log.controller.js';
import { AuditQueries } from './audit/audit-queries.js';
import { TenantBounds } from './bounds/tenant-bounds.js';
import { CampaignFaultsFile } from './campaigns/campaign-faults-file.js';
import { CampaignTemplates } from './campaigns/campaign-templates.js';
import { CampaignUploadsController } from './campaigns/campaign-uploads.controller.js';
import { CampaignsController } from './campaigns/campaigns.controller.js';
import { CsvAnswer } from './exports/csv-answer.js';
import { LiveSessions } from './live/live-sessions.js';
import { LiveViews } from './live/live-views.js';
import { MessagesModule } from '../messages/messages.module.js';
import { NumberMovesModule } from '../number-moves/number-moves.module.js';
import { OutboxModule } from '../outbox/outbox.module.js';
import { MessageDetailsQueries } from './messages/message-details.js';
import { MessageExport } from './messages/message-export.js';
import { DashboardMessagesController } from './messages/messages.controller.js';
import { MediaUploadsController } from './send/media-uploads.controller.js';
import { SendController } from './send/send.controller.js';
import { DashboardSession } from './sessions/dashboard-session.entity.js';
import { AccountEditorController } from './numbers/account-editor.controller.js';
import { ConnectionTest } from './numbers/connection-test.js';
import { CurrentRates } from './numbers/current-rates.js';
import { NumberMovesController } from './numbers/number-moves.controller.js';
import { NumbersController } from './numbers/numbers.controller.js';
import { NumbersQueries } from './numbers/numbers-queries.js';
import { OverviewController } from './overview/overview.controller.js';
import { OverviewFigures } from './overview/overview-figures.js';
import { KnownBrowsers } from './sign-in/known-browsers.js';
import { LoginThrottle } from './sign-in/login-throttle.js';
import { Proofs } from './sign-in/proofs.js';
import { SessionAuthentication } from './sessions/session-authentication.js';
import { SessionController } from './sign-in/session.controller.js';
import { SessionsService } from './sessions/sessions.service.js';
import { ApiKeysController } from './settings/api-keys.controller.js';
import { PasswordController } from './settings/password.controller.js';
import { RateCardUploadsController } from './settings/rate-card-uploads.controller.js';
import { RateCardsController } from './settings/rate-cards.controller.js';
import { SecondFactorController } from './settings/second-factor.controller.js';
import { UsersController } from './settings/users.controller.js';
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
    TemplatesModule,
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
    OverviewController,
    SendController,
    MediaUploadsController,
    ApiKeysController,
    UsersController,
    PasswordController,
    SecondFactorController,
    RateCardsController,
    RateCardUploadsController,
    AuditLogController,
  ],
  providers: [
    AuditLog,
    AuditQueries,
    CampaignFaultsFile,
    CampaignTemplates,
    CsvAnswer,
    KnownBrowsers,
    LiveSessions,
    LiveViews,
    LoginThrottle,
    Proofs,
    SessionAuthentication,
    SessionsService,
    TenantBounds,
    MessageDetailsQueries,
    MessageExport,
    NumberRate,
    NumbersQueries,
    CurrentRates,
    ConnectionTest,
    OverviewFigures,
    TemplateQueries,
    EditorStartService,
    SavedDraftsService,
  ],
})
export class DashboardModule {}
