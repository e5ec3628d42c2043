import { Module } from '@nestjs/common';
import { AlertsService } from './alerts.service.js';

/** What people have to be told of their accounts. */
@Module({ providers: [AlertsService], exports: [AlertsService] })
export class AlertsModule {}
