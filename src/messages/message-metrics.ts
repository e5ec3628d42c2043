import { Injectable } from '@nestjs/common';
import { Counter, Histogram } from 'prom-client';
import { MetricsRegistry } from '../common/metrics-registry.js';

/** Seconds. A send takes some milliseconds; after five seconds it is over, whatever happens. */
const ACCEPT_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** What became of a send: `replayed` repeats the answer of an earlier one, `refused` is the caller's fault, `failed` ours. */
export type AcceptOutcome = 'accepted' | 'replayed' | 'refused' | 'failed';

/** What `/metrics` tells of messages. */
@Injectable()
export class MessageMetrics {
  private readonly acceptances: Counter;
  private readonly acceptDurations: Histogram<'outcome'>;
  private readonly claims: Counter;
  private readonly releases: Counter;
  private readonly outcomes: Counter<'outcome' | 'error_class'>;
  private readonly unwantedOnes: Counter<'code'>;
  private readonly receipts: Counter<'status' | 'effect'>;
  private readonly lates: Counter<'kind'>;
  private readonly refusedOutcomes: Counter<'recorded'>;
  private readonly unknownOutcomes: Counter<'decision'>;

  constructor(registry: MetricsRegistry) {
    const registers = [registry];
    this.acceptances = new Counter({
      name: 'tms_messages_accepted_total',
      help: 'Messages accepted',
      registers,
    });
    this.acceptDurations = new Histogram({
      name: 'tms_accept_duration_seconds',
      help: 'Sends by what became of them: from the check of their fields to the commit; campaigns are not counted here',
      labelNames: ['outcome'],
      buckets: ACCEPT_BUCKETS,
      registers,
    });
    this.claims = new Counter({
      name: 'tms_messages_claimed_total',
      help: 'Messages claimed for sending, each time they are',
      registers,
    });
    this.releases = new Counter({
      name: 'tms_messages_released_total',
      help: 'Claimed messages that were put back without a call, as their number or recipient had no room, or the worker stalled',
      registers,
    });
    this.outcomes = new Counter({
      name: 'tms_delivery_outcomes_total',
      help: 'Calls to the provider by what their answer meant',
      labelNames: ['outcome', 'error_class'],
      registers,
    });
    this.unwantedOnes = new Counter({
      name: 'tms_messages_unwanted_total',
      help: 'Messages that failed before a call, as their conditions did not hold any more, by the code of their error',
      labelNames: ['code'],
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

  accepted(count = 1): void {
    this.acceptances.inc(count);
  }

  /** @param start of the send, by `performance.now()` */
  acceptEnded(outcome: AcceptOutcome, start: number): void {
    this.acceptDurations.observe({ outcome }, (performance.now() - start) / 1_000);
  }

  claimed(count: number): void {
    this.claims.inc(count);
  }

  released(): void {
    this.releases.inc();
  }

  outcome(outcome: string, errorClass = ''): void {
    this.outcomes.inc({ outcome, error_class: errorClass });
  }

  unwanted(code: string, count = 1): void {
    this.unwantedOnes.inc({ code }, count);
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
