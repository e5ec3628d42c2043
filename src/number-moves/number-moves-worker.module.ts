import { Module } from '@nestjs/common';
import { OutboxModule } from '../outbox/outbox.module.js';
import { ShardsModule } from '../shards/shards.module.js';
import { MoveKeeperService } from './move-keeper.service.js';
import { NumberMovesModule } from './number-moves.module.js';

/** Finishing interrupted moves: in worker processes. */
@Module({ imports: [NumberMovesModule, OutboxModule, ShardsModule], providers: [MoveKeeperService] })
export class NumberMovesWorkerModule {}
