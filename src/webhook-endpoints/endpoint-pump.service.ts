import { Injectable, Logger } from '@nestjs/common';
import { Counter, Histogram } from 'prom-client';
import { AlertsService } from '../alerts/alerts.service.js';
import { Clock } from '../common/clock.js';
import { ApiError } from '../common/errors.js';
import { MetricsRegistry } from '../common/metrics-registry.js';
import { Database } from '../database/database.js';
import { decodePosition, encodePosition, type Position } from '../events/position.js';
import { type EventPage, EventStream } from '../messages/events/event-stream.service.js';
import type { StreamEvent } from '../messages/events/message-event.js';
import { EndpointHttp } from './endpoint-http.js';
import { type Attempt, EndpointPushStore, type LeasedEndpoint } from './endpoint-push.store.js';
import { EndpointSigner } from './endpoint-signer.service.js';
import { PushReads } from './push-reads.js';

/** Events in one request at most. */
const BATCH = 100;

/** Events that are read at once, to be posted in several requests, once an endpoint has taken what was read first. */
const PAGE = 1_000;

/** Milliseconds until an endpoint without news is looked at again; news wake it before. */
export const REST = 300_000;

/** Posts what an endpoint has not got yet, in order, until nothing is left, it fails or its turn ends. */
@Injectable()
export class EndpointPump {
  private readonly logger = new Logger(EndpointPump.name);
  private readonly requests: Counter<'outcome'>;
  private readonly lag: Histogram;

  constructor(
    private readonly store: EndpointPushStore,
    private readonly stream: EventStream,
    private readonly reads: PushReads,
    private readonly http: EndpointHttp,
    private readonly signer: EndpointSigner,
    private readonly alerts: AlertsService,
    private readonly database: Database,
    private readonly clock: Clock,
    registry: MetricsRegistry,
  ) {
    this.requests = new Counter({
      name: 'tms_event_pushes_total',
      help: 'Requests to endpoints of tenants, by outcome: taken or failed',
      labelNames: ['outcome'],
      registers: [registry],
    });
    this.lag = new Histogram({
      name: 'tms_event_push_lag_seconds',
      help: 'From the commit of an event until an endpoint has taken it; the oldest event of each request',
      buckets: [0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 600, 3600],
      registers: [registry],
    });
  }

  /**
   * @param signal ends it, without counting what is under way as failed
   * @returns whether its turn has ended before all was read
   */
  async run(endpoint: LeasedEndpoint, signal: AbortSignal): Promise<boolean> {
    let after: Position = { entry: endpoint.after_entry, ordinal: endpoint.after_ordinal };
    let limit = BATCH; // one that hangs holds no more in memory
    let readAll = false;
    while (!readAll && !signal.aborted) {
      const { events, next, readTo } = await this.read(endpoint, after, limit);
      limit = PAGE;
      for (let from = 0; from < events.length; from += BATCH) {
        const [batch, before] = [events.slice(from, from + BATCH), events[from - 1]];
        if (!(await this.isOurs(endpoint, before ? decodePosition(before.cursor) : after))) return false;
        if (!(await this.post(endpoint, batch, signal))) return false;
      }
      // What lies behind the last event did not fit the endpoint's types.
      const isFurther = next.entry > after.entry && encodePosition(next) !== events.at(-1)?.cursor;
      if (isFurther && !(await this.store.advance(endpoint, null, next))) return false;
      after = next;
      readAll = readTo !== null && events.length === 0;
      if (performance.now() >= endpoint.turn_until) break;
    }
    await this.store.release(endpoint, readAll && !signal.aborted ? REST : 0);
    return !readAll;
  }

  /** Whether nobody else posts to it: who has stood still for long may have lost it meanwhile. @param at where it is */
  private async isOurs(endpoint: LeasedEndpoint, at: Position): Promise<boolean> {
    return performance.now() < endpoint.sure_until || this.store.advance(endpoint, null, at);
  }

  /** Where its place in the stream is no longer kept, from the oldest event on. */
  private async read(
    { id, tenant_id: tenantId, types }: LeasedEndpoint,
    after: Position,
    limit: number,
  ): Promise<EventPage> {
    const options = { types: types ?? undefined, limit, reads: this.reads.of(tenantId) };
    try {
      return await this.stream.read(tenantId, after, options);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'CURSOR_EXPIRED') throw error;
      this.logger.warn(`Endpoint ${id} goes on with the oldest event that is kept: ${error.message}`);
      return this.stream.read(tenantId, null, options);
    }
  }

  /** @returns whether to go on */
  private async post(endpoint: LeasedEndpoint, events: StreamEvent[], signal: AbortSignal): Promise<boolean> {
    const first = events[0] as StreamEvent;
    const last = events.at(-1) as StreamEvent;
    const body = JSON.stringify({ events });
    const headers = this.signer.sign(endpoint, body);
    const { status, error, duration } = await this.http.post(endpoint.url, headers, body, signal);
    if (error !== null && signal.aborted) {
      await this.store.release(endpoint, 0);
      return false;
    }
    const attempt: Attempt = {
      events: events.length,
      first_cursor: first.cursor,
      last_cursor: last.cursor,
      http_status: status,
      error,
      duration,
    };
    this.requests.inc({ outcome: error === null ? 'taken' : 'failed' });
    if (error !== null) return this.fail(endpoint, attempt);
    this.lag.observe((this.clock.now().getTime() - Date.parse(first.recorded_at)) / 1_000);
    return this.store.advance(endpoint, attempt, decodePosition(last.cursor));
  }

  private async fail(endpoint: LeasedEndpoint, attempt: Attempt): Promise<false> {
    this.logger.debug(`Endpoint ${endpoint.id}: ${attempt.error}`);
    await this.database.transaction(async (connection) => {
      const isDisabled = await this.store.fail(endpoint, attempt, connection);
      if (!isDisabled) return;
      await this.alerts.raise(
        {
          kind: 'endpoint_disabled',
          severity: 'error',
          tenantId: endpoint.tenant_id,
          businessAccountId: null,
          subject: endpoint.id,
          // Its path may be a secret, and alerts go to mails and chats.
          text: `Events are no longer posted to ${new URL(endpoint.url).origin}: it has failed for 72 hours. Last: ${attempt.error} When it works again, enable it: it gets everything from there on.`,
          details: { webhook_endpoint_id: endpoint.id, error: attempt.error },
          occurredAt: this.clock.now(),
        },
        connection,
      );
    });
    return false;
  }
}
