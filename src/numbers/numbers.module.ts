import { Module } from '@nestjs/common';
import { NumberFactsStore } from './number-facts.store.js';

/** What the provider says of numbers. */
@Module({ providers: [NumberFactsStore], exports: [NumberFactsStore] })
export class NumbersModule {}
