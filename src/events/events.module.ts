import { Module } from '@nestjs/common';
import { EventHorizon } from './event-horizon.service.js';
import { EventNews } from './event-news.service.js';

/** The stream of events: up to where it may be read, and whom it has news for. */
@Module({ providers: [EventHorizon, EventNews], exports: [EventHorizon, EventNews] })
export class EventsModule {}
