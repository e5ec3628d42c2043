import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EVENT_TYPES, type EventType } from '../../events/domain/event-types.js';
import { SuccessResponse } from '../../openapi/dto/success-response.dto.js';

const UUID = { type: 'string', format: 'uuid', example: '5f0c1f4e-5d0b-4f3a-9a43-6b1f0c1d2e3f' } as const;
const TIME = { type: 'string', format: 'date-time', example: '2026-11-21T10:00:00.000Z' } as const;
const NULLABLE_TIME = { ...TIME, nullable: true } as const;
const TEXT_OR_NULL = { type: String, nullable: true } as const;
const SECRET = {
  example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
  description: 'Signs what is posted, as Standard Webhooks has it. It is shown in this answer only.',
} as const;

@ApiSchema({ name: 'WebhookEndpoint', description: 'Where events are posted to, and how far that has come.' })
export class WebhookEndpointDto {
  @ApiProperty({ ...UUID, description: 'Its id.' })
  webhook_endpoint_id: string;

  /** Where the events are posted to. */
  @ApiProperty({ example: 'https://example.com/webhooks' })
  url: string;

  /** The types of events that it gets; null: all. */
  @ApiProperty({ enum: EVENT_TYPES, enumName: 'EventType', isArray: true, nullable: true, example: null })
  types: EventType[] | null;

  /** A note for people. */
  @ApiProperty({ ...TEXT_OR_NULL, example: 'Order system' })
  description: string | null;

  /** Whether events are posted to it. An endpoint that has failed for 72 hours is disabled. */
  @ApiProperty({ example: true })
  enabled: boolean;

  /** Since when it is not. */
  @ApiProperty({ ...NULLABLE_TIME, example: null })
  disabled_at: string | null;

  /** The place in the stream up to which it has taken everything. */
  @ApiProperty({ example: 'MTIzLjE' })
  cursor: string;

  /** When it last took events. */
  @ApiProperty(NULLABLE_TIME)
  succeeded_at: string | null;

  /** Since when every request has failed. */
  @ApiProperty({ ...NULLABLE_TIME, example: null })
  failing_since: string | null;

  /** Failed requests in a row. */
  @ApiProperty({ type: 'integer', minimum: 0, example: 0 })
  failures: number;

  /** When it is tried again, where it fails. */
  @ApiProperty({ ...NULLABLE_TIME, example: null })
  next_try_at: string | null;

  /** When it was made. */
  @ApiProperty(TIME)
  created_at: string;
}

@ApiSchema({ name: 'CreatedWebhookEndpoint', description: 'The id and the secret of a new endpoint.' })
export class CreatedEndpoint {
  @ApiProperty({ ...UUID, description: 'Its id.' })
  webhook_endpoint_id: string;

  @ApiProperty(SECRET)
  secret: string;
}

@ApiSchema({ name: 'RotatedSecret', description: 'The new secret of an endpoint.' })
export class RotatedSecret extends CreatedEndpoint {
  /** Until then, requests are signed with the former secret as well. */
  @ApiProperty(TIME)
  former_secret_until: string;
}

@ApiSchema({ name: 'EndpointTest', description: 'What an endpoint has answered to a test.' })
export class EndpointTest {
  /** Whether it answered with 2xx in time. */
  @ApiProperty({ example: true })
  delivered: boolean;

  /** Of its answer; null when none came. */
  @ApiProperty({ type: 'integer', nullable: true, example: 200 })
  http_status: number | null;

  /** Why it failed; null when it did not. */
  @ApiProperty({ ...TEXT_OR_NULL, example: null })
  error: string | null;

  /** Milliseconds from the request to its answer. */
  @ApiProperty({ type: 'integer', minimum: 0, example: 84 })
  duration_ms: number;
}

@ApiSchema({ name: 'EndpointDelivery', description: 'One request with events to an endpoint.' })
export class EndpointAttemptDto extends EndpointTest {
  /** When it ended. */
  @ApiProperty(TIME)
  attempted_at: string;

  /** Events in it. */
  @ApiProperty({ type: 'integer', minimum: 1, example: 3 })
  events: number;

  /** The cursor of its first event. */
  @ApiProperty({ example: 'MTIxLjE' })
  first_cursor: string;

  /** The cursor of its last event. */
  @ApiProperty({ example: 'MTIzLjE' })
  last_cursor: string;
}

export class EndpointListResponse extends SuccessResponse {
  /** The endpoints, oldest first. */
  data: WebhookEndpointDto[];
}

export class EndpointResponse extends SuccessResponse {
  /** The endpoint. */
  @ApiProperty()
  data: WebhookEndpointDto;
}

export class CreatedEndpointResponse extends SuccessResponse {
  /** The id and the secret; the secret is shown in this answer only. */
  @ApiProperty()
  data: CreatedEndpoint;
}

export class RotatedSecretResponse extends SuccessResponse {
  /** The new secret; it is shown in this answer only. */
  @ApiProperty()
  data: RotatedSecret;
}

export class EndpointTestResponse extends SuccessResponse {
  /** What the endpoint has answered. */
  @ApiProperty()
  data: EndpointTest;
}

export class AttemptListResponse extends SuccessResponse {
  /** The last requests, newest first. */
  data: EndpointAttemptDto[];
}

/** Nothing. */
@ApiSchema({ name: 'Nothing' })
class Nothing {}

export class DoneResponse extends SuccessResponse {
  /** Always empty. */
  data: Nothing;
}
