import { Module } from '@nestjs/common';
import { DrainingService } from './draining.service.js';

/** What features have to know of how requests are served. */
@Module({ providers: [DrainingService], exports: [DrainingService] })
export class HttpModule {}
