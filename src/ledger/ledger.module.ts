import { Module } from '@nestjs/common';
import { LedgerService } from './ledger.service.js';

/** What was charged and given back. */
@Module({ providers: [LedgerService], exports: [LedgerService] })
export class LedgerModule {}
