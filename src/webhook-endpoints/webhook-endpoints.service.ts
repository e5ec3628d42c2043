import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { SecretBox } from '../accounts/secret-box.js';
import { AlertsService } from '../alerts/alerts.service.js';
import { Clock } from '../common/clock.js';
import { ApiError } from '../common/errors.js';
import { Database, type Statement } from '../database/database.js';
import type { EventType } from '../events/domain/event-types.js';
import { type Position, WHOLE } from '../events/position.js';
import { EventHorizon } from '../events/event-horizon.service.js';
import { EventStream } from '../messages/events/event-stream.service.js';
import { PRIVATE_ADDRESS, urlFault } from './domain/endpoint-address.js';
import { type Answer, EndpointHttp } from './endpoint-http.js';
import { newSecret } from './endpoint-signature.js';
import { EndpointSigner } from './endpoint-signer.service.js';
import { WebhookEndpointAttempt } from './webhook-endpoint-attempt.entity.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';

/** Endpoints that a tenant may have. */
export const MOST_ENDPOINTS = 20;

/** Milliseconds for which a former secret signs beside a new one. */
const FORMER_SECRET_LASTS = 24 * 3_600_000;

/** Former secrets that sign at the same time: each has a part of a header, which receivers bound. */
const MOST_FORMER_SECRETS = 20;

/** Milliseconds that a new endpoint waits for transactions under way; seconds after which to try again. */
const END_PATIENCE = 5_000;
const END_RETRY_AFTER = 5;

const UUID_SHAPE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What people say of an endpoint. */
export interface EndpointSettings {
  url: string;
  /** Null: all. */
  types: EventType[] | null;
  description: string | null;
}

/** Makes, changes and shows the endpoints of a tenant. Each change takes effect with the next request to the endpoint. */
@Injectable()
export class WebhookEndpointsService {
  constructor(
    @InjectRepository(WebhookEndpoint) private readonly endpoints: Repository<WebhookEndpoint>,
    @InjectRepository(WebhookEndpointAttempt) private readonly log: Repository<WebhookEndpointAttempt>,
    private readonly http: EndpointHttp,
    private readonly stream: EventStream,
    private readonly horizon: EventHorizon,
    private readonly secrets: SecretBox,
    private readonly signer: EndpointSigner,
    private readonly alerts: AlertsService,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  list(tenantId: string): Promise<WebhookEndpoint[]> {
    return this.endpoints.find({ where: { tenantId }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  /** @throws ApiError WEBHOOK_ENDPOINT_NOT_FOUND */
  async find(tenantId: string, id: string): Promise<WebhookEndpoint> {
    const endpoint = UUID_SHAPE.test(id) ? await this.endpoints.findOneBy({ id, tenantId }) : null;
    if (endpoint) return endpoint;
    throw new ApiError('WEBHOOK_ENDPOINT_NOT_FOUND', 'There is no webhook endpoint with this id.', [
      { field: 'webhook_endpoint_id' },
    ]);
  }

  /**
   * Makes an endpoint, which gets what happens from now on. The answer is the only time that its secret can be read.
   * @throws ApiError URL_NOT_ALLOWED, VALIDATION_FAILED when the tenant has as many as it may have, SERVICE_UNAVAILABLE
   * while a transaction takes so long that nobody can tell where the stream ends
   */
  async create(tenantId: string, settings: EndpointSettings): Promise<{ id: string; secret: string }> {
    await this.checkUrl(settings.url);
    const secret = newSecret();
    const end = await this.end();
    const { url, types, description } = settings;
    const values = [
      tenantId,
      url,
      types,
      description,
      this.secrets.seal(secret),
      end,
      WHOLE,
      this.clock.now(),
    ];
    const id = await this.database.transaction(async (connection) => {
      await connection.run(LOCK_TENANT, [tenantId]);
      const [row] = await connection.run<{ id: string }>(CREATE, values);
      return row?.id;
    });
    if (id) return { id, secret };
    throw new ApiError(
      'VALIDATION_FAILED',
      `A tenant has at most ${MOST_ENDPOINTS} webhook endpoints: delete one first.`,
    );
  }

  /**
   * Changes what is given. `enabled: true` begins again at once with an endpoint that was disabled or fails, from where it
   * ended.
   * @throws ApiError WEBHOOK_ENDPOINT_NOT_FOUND, URL_NOT_ALLOWED
   */
  async change(
    tenantId: string,
    id: string,
    { enabled, ...settings }: Partial<EndpointSettings> & { enabled?: boolean },
  ): Promise<WebhookEndpoint> {
    const endpoint = await this.find(tenantId, id);
    if (settings.url !== undefined) await this.checkUrl(settings.url);
    const isNew = settings.url !== undefined && settings.url !== endpoint.url;
    const beginsAgain = enabled ?? (isNew && endpoint.disabledAt === null);
    await this.update(endpoint, {
      ...settings,
      ...(enabled === false && { disabledAt: endpoint.disabledAt ?? this.clock.now() }),
      ...(beginsAgain && { disabledAt: null, failures: 0, failingSince: null, nextTryAt: this.clock.now() }),
    });
    if (enabled === true) await this.alerts.end(['endpoint_disabled'], id, 'enabled');
    return this.find(tenantId, id);
  }

  /** @throws ApiError WEBHOOK_ENDPOINT_NOT_FOUND */
  async delete(tenantId: string, id: string): Promise<WebhookEndpoint> {
    const endpoint = await this.find(tenantId, id);
    await this.endpoints.delete({ id, tenantId });
    await this.alerts.end(['endpoint_disabled'], id, 'deleted');
    return endpoint;
  }

  /**
   * Gives it another secret; the one before counts for 24 hours more, as do those whose 24 hours have not ended.
   * @throws ApiError WEBHOOK_ENDPOINT_NOT_FOUND, RATE_LIMITED when as many former ones count as may
   */
  async rotateSecret(tenantId: string, id: string): Promise<{ secret: string; formerUntil: Date }> {
    await this.find(tenantId, id);
    const secret = newSecret();
    const now = this.clock.now();
    const formerUntil = new Date(now.getTime() + FORMER_SECRET_LASTS);
    const values = [id, tenantId, this.secrets.seal(secret), now, formerUntil.toISOString()];
    const [row] = await this.database.run(ROTATE_SECRET, values);
    if (row) return { secret, formerUntil };
    const { formerSecrets } = await this.find(tenantId, id);
    const ends = formerSecrets.map(({ until }) => Date.parse(until)).filter((end) => end > now.getTime());
    throw new ApiError(
      'RATE_LIMITED',
      `${MOST_FORMER_SECRETS} former secrets still count, each for 24 hours: no more can be added before one has ended.`,
      [],
      Math.ceil((Math.min(...ends) - now.getTime()) / 1_000),
    );
  }

  /** Goes on behind an event, so that what came after it is posted again. @throws ApiError WEBHOOK_ENDPOINT_NOT_FOUND, CURSOR_EXPIRED */
  async replay(tenantId: string, id: string, after: Position): Promise<void> {
    const endpoint = await this.find(tenantId, id);
    await this.stream.read(tenantId, after, { limit: 1 });
    await this.update(endpoint, {
      afterEntry: after.entry,
      afterOrdinal: after.ordinal,
      nextTryAt: this.clock.now(),
      failures: 0,
    });
  }

  /** Posts an event that tells of nothing, beside the stream. @throws ApiError WEBHOOK_ENDPOINT_NOT_FOUND */
  async test(tenantId: string, id: string): Promise<Answer> {
    const endpoint = await this.find(tenantId, id);
    const now = this.clock.now();
    const time = now.toISOString();
    const event = { id: `evt_test_${now.getTime()}`, type: TEST_TYPE, occurred_at: time, recorded_at: time };
    const body = JSON.stringify({ events: [{ ...event, cursor: null, data: { webhook_endpoint_id: id } }] });
    return this.http.post(endpoint.url, this.signer.sign(endpoint, body), body);
  }

  /** The last attempts, newest first. @throws ApiError WEBHOOK_ENDPOINT_NOT_FOUND */
  async attempts(tenantId: string, id: string, limit: number): Promise<WebhookEndpointAttempt[]> {
    const endpoint = await this.find(tenantId, id);
    return this.log.find({
      where: { webhookEndpointId: endpoint.id },
      order: { attemptedAt: 'DESC', place: 'DESC' },
      take: limit,
    });
  }

  private async end(): Promise<number> {
    const end = await this.horizon.reachEnd(END_PATIENCE);
    if (end !== null) return end;
    throw new ApiError(
      'SERVICE_UNAVAILABLE',
      'A transaction of the database takes long, and until it has ended nobody can tell where the stream ends. No endpoint was made; try again.',
      [],
      END_RETRY_AFTER,
    );
  }

  /** Whoever posts to it now stops: its lease is gone. */
  private async update({ id, tenantId }: WebhookEndpoint, changes: Partial<WebhookEndpoint>): Promise<void> {
    await this.endpoints.update({ id, tenantId }, { ...changes, leasedBy: null, leasedUntil: null });
  }

  /** @throws ApiError URL_NOT_ALLOWED */
  private async checkUrl(url: string): Promise<void> {
    const fault =
      urlFault(url, this.http.rules) ?? ((await this.http.leadsAstray(url)) ? PRIVATE_ADDRESS : null);
    if (fault) throw new ApiError('URL_NOT_ALLOWED', fault, [{ field: 'url', message: fault }]);
  }
}

/** The type of what a test posts; it is in no stream. */
const TEST_TYPE = 'webhook_endpoint.test';

/** One after the other, so that two cannot make the last one together. */
const LOCK_TENANT: Statement = {
  name: 'webhook_endpoint_lock_tenant',
  text: 'SELECT FROM tenants WHERE id = $1 FOR NO KEY UPDATE',
};

const CREATE: Statement = {
  name: 'webhook_endpoint_create',
  text: `
    INSERT INTO webhook_endpoints (tenant_id, url, types, description, secret, after_entry, after_ordinal, next_try_at)
    SELECT $1::uuid, $2::text, $3::text[], $4::text, $5::text, $6::bigint, $7::integer, $8::timestamptz
    WHERE (SELECT count(*) FROM webhook_endpoints WHERE tenant_id = $1) < ${MOST_ENDPOINTS}
    RETURNING id`,
};

/**
 * Puts a secret ($3) in the place of the present one, which counts until $5 from now on ($4), and ends the lease. All from
 * the row as it is once it is locked, so that two at once make one former secret each. No row: too many count already, or
 * there is no such endpoint ($1) of the tenant ($2).
 */
const ROTATE_SECRET: Statement = {
  name: 'webhook_endpoint_rotate_secret',
  text: `
    UPDATE webhook_endpoints SET secret = $3, leased_by = NULL, leased_until = NULL,
      former_secrets = jsonb_build_array(jsonb_build_object('secret', secret, 'until', $5::text)) || coalesce(
        (SELECT jsonb_agg(f ORDER BY place) FROM jsonb_array_elements(former_secrets) WITH ORDINALITY AS e(f, place)
          WHERE (f ->> 'until')::timestamptz > $4), '[]')
    WHERE id = $1 AND tenant_id = $2
      AND (SELECT count(*) FROM jsonb_array_elements(former_secrets) f WHERE (f ->> 'until')::timestamptz > $4)
        < ${MOST_FORMER_SECRETS}
    RETURNING id`,
};
