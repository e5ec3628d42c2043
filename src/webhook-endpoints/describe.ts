import { encodePosition } from '../events/position.js';
import type { EndpointAttemptDto, WebhookEndpointDto } from './dto/webhook-endpoint.dto.js';
import type { WebhookEndpointAttempt } from './webhook-endpoint-attempt.entity.js';
import type { WebhookEndpoint } from './webhook-endpoint.entity.js';

const time = (date: Date | null): string | null => date?.toISOString() ?? null;

/** An endpoint as the API and the dashboard show it. */
export function describeEndpoint(endpoint: WebhookEndpoint): WebhookEndpointDto {
  const isFailing = endpoint.failures > 0 && endpoint.disabledAt === null;
  return {
    webhook_endpoint_id: endpoint.id,
    url: endpoint.url,
    types: endpoint.types,
    description: endpoint.description,
    enabled: endpoint.disabledAt === null,
    disabled_at: time(endpoint.disabledAt),
    cursor: encodePosition({ entry: endpoint.afterEntry, ordinal: endpoint.afterOrdinal }),
    succeeded_at: time(endpoint.succeededAt),
    failing_since: time(endpoint.failingSince),
    failures: endpoint.failures,
    next_try_at: isFailing ? time(endpoint.nextTryAt) : null,
    created_at: endpoint.createdAt.toISOString(),
  };
}

export function describeAttempt(attempt: WebhookEndpointAttempt): EndpointAttemptDto {
  return {
    attempted_at: attempt.attemptedAt.toISOString(),
    delivered: attempt.error === null,
    http_status: attempt.httpStatus,
    error: attempt.error,
    duration_ms: attempt.duration,
    events: attempt.events,
    first_cursor: attempt.firstCursor,
    last_cursor: attempt.lastCursor,
  };
}
