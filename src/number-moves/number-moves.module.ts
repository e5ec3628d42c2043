import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { OutboxModule } from '../outbox/outbox.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { NumberMovesService } from './number-moves.service.js';

/** Moving a number to another business account. */
@Module({
  imports: [AccountsModule, TemplatesModule, OutboxModule],
  providers: [NumberMovesService],
  exports: [NumberMovesService],
})
export class NumberMovesModule {}
