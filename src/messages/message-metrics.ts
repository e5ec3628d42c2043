import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { MetricsRegistry } from '../common/metrics-registry.js';

/** What `/metrics` tells of messages. */
@Injectable()
export class MessageMetrics {
  private readonly acceptances: Counter;
  private readonly outcomes: Counter<'outcome' | 'error_class'>;
  private readonly receipts: Counter<'status' | 'effect'>;
  private readonly lates: Counter<'kind'>;
  private readonly refusedOutcomes: Counter<'recorded'>;
  private readonly unknownOutcomes: Counter<'decision'>;

  constructor(registry: MetricsRegistry) {
    const registers = [registry];
    this.acceptances = new Counter({
      name: 'tms_messages_accepted_total',
      help: 'Messages accepted with a 202',
      registers,
    });
    this.outcomes = new Counter({
      name: 'tms_delivery_outcomes_total',
      help: 'Calls to the provider by what their answer meant',
      labelNames: ['outcome', 'error_class'],
      registers,
    });
    this.receipts = new Counter({
      name: 'tms_receipts_total',
      help: 'Receipts by status and by what they did: moved a message, repeated what was known, or fit no message',
      labelNames: ['status', 'effect'],
      registers,
    });
    this.lates = new Counter({
      name: 'tms_late_total',
      help: 'Answers and receipts of an attempt after which the message was sent again: it may have arrived twice',
      labelNames: ['kind'],
      registers,
    });
    this.refusedOutcomes = new Counter({
      name: 'tms_outcomes_refused_total',
      help: "Outcomes that PostgreSQL refused for good: recorded in short, without the provider's words, or not at all",
      labelNames: ['recorded'],
      registers,
    });
    this.unknownOutcomes = new Counter({
      name: 'tms_unknown_outcomes_total',
      help: 'Messages without an answer and a receipt, sent again or failed: more than a few are an alert',
      labelNames: ['decision'],
      registers,
    });
  }

  accepted(): void {
    this.acceptances.inc();
  }

  outcome(outcome: string, errorClass = ''): void {
    this.outcomes.inc({ outcome, error_class: errorClass });
  }

  receipt(status: string, effect: 'moved' | 'known' | 'unknown_message'): void {
    this.receipts.inc({ status, effect });
  }

  unknownDecided(decision: 'sent_again' | 'failed', count: number): void {
    this.unknownOutcomes.inc({ decision }, count);
  }

  late(kind: 'answer' | 'receipt'): void {
    this.lates.inc({ kind });
  }

  outcomeRefused(recorded: 'in_short' | 'not_at_all'): void {
    this.refusedOutcomes.inc({ recorded });
  }
}
