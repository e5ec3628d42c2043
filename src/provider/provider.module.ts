import { Module } from '@nestjs/common';
import { ProviderClient } from './provider.client.js';
import { ProviderMetrics } from './provider-metrics.js';

@Module({ providers: [ProviderClient, ProviderMetrics], exports: [ProviderClient, ProviderMetrics] })
export class ProviderModule {}
