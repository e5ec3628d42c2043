import { Module } from '@nestjs/common';
import { ShardLeasesService } from './shard-leases.service.js';

/** Which worker dispatches which numbers, and does what is needed once for all: in worker processes. */
@Module({ providers: [ShardLeasesService], exports: [ShardLeasesService] })
export class ShardsModule {}
