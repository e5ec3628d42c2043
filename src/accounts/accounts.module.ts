import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountChangesService } from './account-changes.service.js';
import { AccountsService } from './accounts.service.js';
import { ApiKey } from './api-key.entity.js';
import { ApiKeyUsesService } from './api-key-uses.service.js';
import { ApiKeysService } from './api-keys.service.js';
import { BusinessAccount } from './business-account.entity.js';
import { DashboardUser } from './dashboard-user.entity.js';
import { DashboardUsersService } from './dashboard-users.service.js';
import { MessagingAccount } from './messaging-account.entity.js';
import { NumberMovesStore } from './number-moves.store.js';
import { SecondFactor } from './second-factor.entity.js';
import { SecondFactorsService } from './second-factors.service.js';
import { SecretBox } from './secret-box.js';
import { Tenant } from './tenant.entity.js';

/** Tenants, their accounts and numbers, their API keys and users. */
@Module({
  imports: [
    TypeOrmModule.forFeature([
      Tenant,
      BusinessAccount,
      MessagingAccount,
      ApiKey,
      DashboardUser,
      SecondFactor,
    ]),
  ],
  providers: [
    AccountChangesService,
    AccountsService,
    ApiKeysService,
    ApiKeyUsesService,
    DashboardUsersService,
    NumberMovesStore,
    SecondFactorsService,
    SecretBox,
  ],
  exports: [
    AccountChangesService,
    AccountsService,
    ApiKeysService,
    DashboardUsersService,
    NumberMovesStore,
    SecondFactorsService,
    SecretBox,
  ],
})
export class AccountsModule {}
