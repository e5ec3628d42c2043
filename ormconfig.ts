import { DataSource, type DataSourceOptions } from 'typeorm';
import { ApiKey } from './src/accounts/api-key.entity.js';
import { AuditEntry } from './src/accounts/audit-entry.entity.js';
import { BusinessAccount } from './src/accounts/business-account.entity.js';
import { DashboardUser } from './src/accounts/dashboard-user.entity.js';
import { MessagingAccount } from './src/accounts/messaging-account.entity.js';
import { NumberMove } from './src/accounts/number-move.entity.js';
import { SecondFactor } from './src/accounts/second-factor.entity.js';
import { Tenant } from './src/accounts/tenant.entity.js';
import { AlertChannel } from './src/alerts/alert-channel.entity.js';
import { AlertNotice } from './src/alerts/alert-notice.entity.js';
import { AlertRead } from './src/alerts/alert-read.entity.js';
import { Alert } from './src/alerts/alert.entity.js';
import { CampaignRecipient } from './src/campaigns/campaign-recipient.entity.js';
import { Campaign } from './src/campaigns/campaign.entity.js';
import { DashboardLogin } from './src/dashboard/sign-in/dashboard-login.entity.js';
import { DashboardSession } from './src/dashboard/sessions/dashboard-session.entity.js';
import { SavedDraft } from './src/dashboard/template-editor/saved-draft.entity.js';
import { BOUNDED, BoundedClient, type BoundedConfig } from './src/database/bounded-client.js';
import { InitialSchema1763700000000 } from './src/database/migrations/1763700000000-initial-schema.js';
import { Dashboard1763810000000 } from './src/database/migrations/1763810000000-dashboard.js';
import { CrashSafety1763800000000 } from './src/database/migrations/1763800000000-crash-safety.js';
import { TemplateHistory1763820000000 } from './src/database/migrations/1763820000000-template-history.js';
import { MessageFilters1763820000002 } from './src/database/migrations/1763820000002-message-filters.js';
import { TemplateDrafts1763820000001 } from './src/database/migrations/1763820000001-template-drafts.js';
import { Campaigns1763820000003 } from './src/database/migrations/1763820000003-campaigns.js';
import { WebhookSeen1763820000004 } from './src/database/migrations/1763820000004-webhook-seen.js';
import { MessageStats1763820000005 } from './src/database/migrations/1763820000005-message-stats.js';
import { WebhookHearing1763820000006 } from './src/database/migrations/1763820000006-webhook-hearing.js';
import { FirstAttempt1763820000010 } from './src/database/migrations/1763820000010-first-attempt.js';
import { ReceiptsSeen1763820000011 } from './src/database/migrations/1763820000011-receipts-seen.js';
import { Installation1763820000012 } from './src/database/migrations/1763820000012-installation.js';
import { HoldOrigins1763820000013 } from './src/database/migrations/1763820000013-hold-origins.js';
import { AuthInternational1763820000020 } from './src/database/migrations/1763820000020-auth-international.js';
import { MarketingCapStats1763820000021 } from './src/database/migrations/1763820000021-marketing-cap-stats.js';
import { TemplateSyncDue1763820000030 } from './src/database/migrations/1763820000030-template-sync-due.js';
import { Alerts1763820000050 } from './src/database/migrations/1763820000050-alerts.js';
import { NumberReads1763820000051 } from './src/database/migrations/1763820000051-number-reads.js';
import { AccountEvents1763820000052 } from './src/database/migrations/1763820000052-account-events.js';
import { ArchivedTemplates1763820000053 } from './src/database/migrations/1763820000053-archived-templates.js';
import { UnknownAccounts1763820000054 } from './src/database/migrations/1763820000054-unknown-accounts.js';
import { PortfolioUse1763820000055 } from './src/database/migrations/1763820000055-portfolio-use.js';
import { NumberMoves1763820000060 } from './src/database/migrations/1763820000060-number-moves.js';
import { CampaignTemplate1763820000061 } from './src/database/migrations/1763820000061-campaign-template.js';
import { TemplateTimeToLive1763820000070 } from './src/database/migrations/1763820000070-template-time-to-live.js';
import { SecondFactors1763820000084 } from './src/database/migrations/1763820000084-second-factors.js';
import { Outbox1763820000090 } from './src/database/migrations/1763820000090-outbox.js';
import { Shards1763820000100 } from './src/database/migrations/1763820000100-shards.js';
import { HotUpdates1763820000110 } from './src/database/migrations/1763820000110-hot-updates.js';
import { UniquenessTables1763820000120 } from './src/database/migrations/1763820000120-uniqueness-tables.js';
import { Partitions1763820000121 } from './src/database/migrations/1763820000121-partitions.js';
import { Restores1763820000150 } from './src/database/migrations/1763820000150-restores.js';
import { EventStream1763820000180 } from './src/database/migrations/1763820000180-event-stream.js';
import { KeyScopes1763820000160 } from './src/database/migrations/1763820000160-key-scopes.js';
import { SendConditions1763820000170 } from './src/database/migrations/1763820000170-send-conditions.js';
import { ClientReferenceIndex1763820000171 } from './src/database/migrations/1763820000171-client-reference-index.js';
import { ValidityIndex1763820000172 } from './src/database/migrations/1763820000172-validity-index.js';
import { BatchAnswers1763820000173 } from './src/database/migrations/1763820000173-batch-answers.js';
import { OptOuts1763820000190 } from './src/database/migrations/1763820000190-opt-outs.js';
import { SpendLimits1763820000200 } from './src/database/migrations/1763820000200-spend-limits.js';
import { WebhookEndpoints1763820000210 } from './src/database/migrations/1763820000210-webhook-endpoints.js';
import { AlertNotices1763820000220 } from './src/database/migrations/1763820000220-alert-notices.js';
import { FormerSecrets1763820000240 } from './src/database/migrations/1763820000240-former-secrets.js';
import { OptOutLifts1763820000250 } from './src/database/migrations/1763820000250-opt-out-lifts.js';
import { TemplateUpdateTimes1763820000260 } from './src/database/migrations/1763820000260-template-update-times.js';
import { Hold } from './src/outbox/holds/hold.entity.js';
import { IdempotencyKey } from './src/messages/idempotency-key.entity.js';
import { CampaignMessage } from './src/messages/campaign-message.entity.js';
import { LedgerEntry } from './src/ledger/ledger-entry.entity.js';
import { EventEntry } from './src/events/event-entry.entity.js';
import { MessageEvent } from './src/messages/message-event.entity.js';
import { MessageLog } from './src/messages/message-log.entity.js';
import { MessageRetry } from './src/messages/message-retry.entity.js';
import { MessageStats, MessageStatsPass } from './src/statistics/message-stats.entity.js';
import { NumberActivityRow } from './src/delivery/number-activity.entity.js';
import { LateSend } from './src/numbers/late-send.entity.js';
import { OutboxEntry } from './src/outbox/outbox-entry.entity.js';
import { Restore } from './src/restores/restore.entity.js';
import { RateCard } from './src/pricing/rate-card.entity.js';
import { OptOutLift } from './src/recipients/opt-out-lift.entity.js';
import { OptOut } from './src/recipients/opt-out.entity.js';
import { Shard } from './src/shards/shard.entity.js';
import { WorkerLease } from './src/shards/worker-lease.entity.js';
import { SpendChange } from './src/spending/spend-change.entity.js';
import { SpendLimit } from './src/spending/spend-limit.entity.js';
import { TemplateChange } from './src/templates/template-change.entity.js';
import { TemplateEdit } from './src/templates/template-edit.entity.js';
import { Template } from './src/templates/template.entity.js';
import { WebhookDigest } from './src/webhooks/webhook-digest.entity.js';
import { WebhookHearing } from './src/webhooks/webhook-hearing.entity.js';
import { WebhookEndpointAttempt } from './src/webhook-endpoints/webhook-endpoint-attempt.entity.js';
import { WebhookEndpoint } from './src/webhook-endpoints/webhook-endpoint.entity.js';
import { WebhookInboxEntry } from './src/webhooks/webhook-inbox.entity.js';

/**
 * How every process of the service reaches its database, with an end to every wait; `poolSize` in connections.
 * @param access how the connections are made
 */
export function dataSourceOptions(
  url: string | undefined,
  poolSize = 4,
  access: BoundedConfig = BOUNDED,
): DataSourceOptions {
  return {
    type: 'postgres',
    url: url ?? '',
    poolSize,
    synchronize: false,
    applicationName: 'template-messaging-service',
    extra: { Client: BoundedClient, ...access },
    entities: [
      Tenant,
      BusinessAccount,
      MessagingAccount,
      NumberMove,
      ApiKey,
      DashboardUser,
      SecondFactor,
      DashboardSession,
      DashboardLogin,
      AuditEntry,
      Template,
      TemplateChange,
      TemplateEdit,
      SavedDraft,
      RateCard,
      MessageLog,
      OutboxEntry,
      Shard,
      WorkerLease,
      MessageRetry,
      CampaignMessage,
      OptOut,
      OptOutLift,
      MessageEvent,
      EventEntry,
      MessageStats,
      MessageStatsPass,
      NumberActivityRow,
      LateSend,
      LedgerEntry,
      SpendLimit,
      SpendChange,
      IdempotencyKey,
      Hold,
      Restore,
      Alert,
      AlertChannel,
      AlertNotice,
      AlertRead,
      Campaign,
      CampaignRecipient,
      WebhookInboxEntry,
      WebhookDigest,
      WebhookHearing,
      WebhookEndpoint,
      WebhookEndpointAttempt,
    ],
    migrations: [
      InitialSchema1763700000000,
      CrashSafety1763800000000,
      Dashboard1763810000000,
      TemplateHistory1763820000000,
      TemplateDrafts1763820000001,
      MessageFilters1763820000002,
      Campaigns1763820000003,
      WebhookSeen1763820000004,
      MessageStats1763820000005,
      WebhookHearing1763820000006,
      FirstAttempt1763820000010,
      ReceiptsSeen1763820000011,
      Installation1763820000012,
      HoldOrigins1763820000013,
      AuthInternational1763820000020,
      MarketingCapStats1763820000021,
      TemplateSyncDue1763820000030,
      Alerts1763820000050,
      NumberReads1763820000051,
      AccountEvents1763820000052,
      ArchivedTemplates1763820000053,
      UnknownAccounts1763820000054,
      PortfolioUse1763820000055,
      NumberMoves1763820000060,
      CampaignTemplate1763820000061,
      TemplateTimeToLive1763820000070,
      SecondFactors1763820000084,
      Outbox1763820000090,
      Shards1763820000100,
      HotUpdates1763820000110,
      UniquenessTables1763820000120,
      Partitions1763820000121,
      Restores1763820000150,
      KeyScopes1763820000160,
      SendConditions1763820000170,
      ClientReferenceIndex1763820000171,
      ValidityIndex1763820000172,
      BatchAnswers1763820000173,
      EventStream1763820000180,
      OptOuts1763820000190,
      SpendLimits1763820000200,
      WebhookEndpoints1763820000210,
      AlertNotices1763820000220,
      FormerSecrets1763820000240,
      OptOutLifts1763820000250,
      TemplateUpdateTimes1763820000260,
    ],
  };
}

/** The DataSource of the TypeORM command line: `npx typeorm migration:generate -d dist/ormconfig.js`. */
export default new DataSource(
  dataSourceOptions(process.env['DATABASE_DIRECT_URL'] ?? process.env['DATABASE_URL']),
);
