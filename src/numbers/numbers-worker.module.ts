import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ProviderModule } from '../provider/provider.module.js';
import { ShardsModule } from '../shards/shards.module.js';
import { NumberReadsService } from './number-reads.service.js';
import { NumbersModule } from './numbers.module.js';

/** Reading numbers from the provider: in worker processes. */
@Module({
  imports: [AccountsModule, ProviderModule, NumbersModule, ShardsModule],
  providers: [NumberReadsService],
})
export class NumbersWorkerModule {}
