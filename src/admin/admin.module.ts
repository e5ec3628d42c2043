import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import type { Clock } from '../common/clock.js';
import { Config } from '../config/config.js';
import { ConfigModule } from '../config/config.module.js';
import { Database } from '../database/database.js';
import { Notifications } from '../database/notifications.js';
import { Reads } from '../database/reads.js';
import { SharedCaches } from '../database/shared-cache.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { NumberMovesModule } from '../number-moves/number-moves.module.js';
import { OutboxModule } from '../outbox/outbox.module.js';
import { PricingModule } from '../pricing/pricing.module.js';
import { RestoresModule } from '../restores/restores.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';

/** Commands send notifications but do not listen: they end before anything that they have read could change. */
const DEAF: Pick<Notifications, 'on'> = { on: () => undefined };

/**
 * The features that the commands work on, and nothing that runs by itself. In place of the DatabaseModule it brings
 * PostgreSQL only: a command must not wait for Redis, which it does not use.
 */
@Module({})
export class AdminModule {
  /** @param source connected and migrated; closed with the application */
  static with(config: Config, source: DataSource, clock?: Clock): DynamicModule {
    return {
      module: AdminModule,
      global: true,
      imports: [
        // A command makes no messages, and does not wait for a collector.
        ConfigModule.with(
          Object.assign(new Config(), config, { OTEL_EXPORTER_OTLP_ENDPOINT: undefined }),
          clock,
        ),
        TypeOrmModule.forRootAsync({
          useFactory: () => source.options,
          dataSourceFactory: async () => source,
        }),
        AccountsModule,
        TemplatesModule,
        PricingModule,
        LedgerModule,
        MessagesModule,
        NumberMovesModule,
        OutboxModule,
        RestoresModule,
        WebhooksModule,
      ],
      providers: [Database, Reads, SharedCaches, { provide: Notifications, useValue: DEAF }],
      exports: [Database, Reads, SharedCaches, Notifications],
    };
  }
}
