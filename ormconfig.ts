import { DataSource, type DataSourceOptions } from 'typeorm';
import { ApiKey } from './src/accounts/api-key.entity.js';
import { BusinessAccount } from './src/accounts/business-account.entity.js';
import { DashboardUser } from './src/accounts/dashboard-user.entity.js';
import { MessagingAccount } from './src/accounts/messaging-account.entity.js';
import { Tenant } from './src/accounts/tenant.entity.js';
import { InitialSchema1763700000000 } from './src/database/migrations/1763700000000-initial-schema.js';
import { Hold } from './src/messages/hold.entity.js';
import { IdempotencyKey } from './src/messages/idempotency-key.entity.js';
import { LedgerEntry } from './src/messages/ledger-entry.entity.js';
import { MessageEvent } from './src/messages/message-event.entity.js';
import { MessageLog } from './src/messages/message-log.entity.js';
import { RateCard } from './src/pricing/rate-card.entity.js';
import { Template } from './src/templates/template.entity.js';
import { WebhookInboxEntry } from './src/webhooks/webhook-inbox.entity.js';

/** How every process of the service reaches its database; `poolSize` in connections. */
export function dataSourceOptions(url: string | undefined, poolSize = 4): DataSourceOptions {
  return {
    type: 'postgres',
    url: url ?? '',
    poolSize,
    synchronize: false,
    applicationName: 'template-messaging-service',
    extra: { connectionTimeoutMillis: 5_000 },
    entities: [
      Tenant,
      BusinessAccount,
      MessagingAccount,
      ApiKey,
      DashboardUser,
      Template,
      RateCard,
      MessageLog,
      MessageEvent,
      LedgerEntry,
      IdempotencyKey,
      Hold,
      WebhookInboxEntry,
    ],
    migrations: [InitialSchema1763700000000],
  };
}

/** The DataSource of the TypeORM command line: `npx typeorm migration:generate -d dist/ormconfig.js`. */
export default new DataSource(dataSourceOptions(process.env['DATABASE_URL']));
