import { Injectable } from '@nestjs/common';
import { Counter, Histogram } from 'prom-client';
import { MetricsRegistry } from '../common/metrics-registry.js';
import { isInTable } from './error-table.js';
import type { ProviderError } from './provider-error.js';

/** Seconds. The provider answers a send in some tenths of one; `PROVIDER_TIMEOUT` ends it after thirty. */
const BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** What `/metrics` tells of the provider. */
@Injectable()
export class ProviderMetrics {
  private readonly durations: Histogram<'call' | 'outcome'>;
  private readonly errors: Counter<'source' | 'code'>;

  constructor(registry: MetricsRegistry) {
    this.durations = new Histogram({
      name: 'tms_provider_duration_seconds',
      help: 'Calls of the provider: those that send a message and others, by whether it did what was asked, refused, or gave no usable answer',
      labelNames: ['call', 'outcome'],
      buckets: BUCKETS,
      registers: [registry],
    });
    this.errors = new Counter({
      name: 'tms_provider_errors_total',
      help: "The provider's error codes in answers and in receipts; `none` where there was no code, `other` for one that is not in our table",
      labelNames: ['source', 'code'],
      registers: [registry],
    });
  }

  /** @param start of the call, by `performance.now()` */
  answered(call: 'send' | 'other', start: number): void {
    this.durations.observe({ call, outcome: 'done' }, secondsSince(start));
  }

  failed(call: 'send' | 'other', start: number, { code, httpStatus }: ProviderError): void {
    const outcome = httpStatus === null ? 'unanswered' : 'refused';
    this.durations.observe({ call, outcome }, secondsSince(start));
    this.errors.inc({ source: 'answer', code: labelOf(code) });
  }

  /** A receipt tells that a message has failed. */
  failedLater(code: number | null | undefined): void {
    this.errors.inc({ source: 'receipt', code: labelOf(code) });
  }
}

function secondsSince(start: number): number {
  return (performance.now() - start) / 1_000;
}

/** Only codes of our table become labels: the provider may make up others. */
function labelOf(code: number | null | undefined): string {
  if (code === null || code === undefined) return 'none';
  return isInTable(code) ? String(code) : 'other';
}
