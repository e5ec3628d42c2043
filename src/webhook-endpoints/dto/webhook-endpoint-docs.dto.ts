import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam } from '@nestjs/swagger';
import { ApiErrors, ApiSuccess } from '../../openapi/api-docs.js';
import {
  AttemptListResponse,
  CreatedEndpointResponse,
  DoneResponse,
  EndpointListResponse,
  EndpointResponse,
  EndpointTestResponse,
  RotatedSecretResponse,
} from './webhook-endpoint.dto.js';
import {
  ChangeEndpointRequest,
  CreateEndpointRequest,
  ReplayRequest,
} from './webhook-endpoint-requests.dto.js';

/* What the OpenAPI document says of the operations of webhook-endpoints.controller.ts; a summary is the method's comment there. */

const ID = '5f0c1f4e-5d0b-4f3a-9a43-6b1f0c1d2e3f';
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';
const TIME = '2026-11-21T10:00:00.000Z';

const ENDPOINT = {
  webhook_endpoint_id: ID,
  url: 'https://example.com/webhooks',
  types: null,
  description: 'Order system',
  enabled: true,
  disabled_at: null,
  cursor: 'MTIzLjE',
  succeeded_at: TIME,
  failing_since: null,
  failures: 0,
  next_try_at: null,
  created_at: '2026-11-20T08:00:00.000Z',
};
const ATTEMPT = {
  attempted_at: TIME,
  delivered: true,
  http_status: 200,
  error: null,
  duration_ms: 84,
  events: 3,
  first_cursor: 'MTIxLjE',
  last_cursor: 'MTIzLjE',
};

const success = (data: unknown) => ({ example: { summary: 'Answer', value: { success: true, data } } });

const EndpointId = ApiParam({
  name: 'webhook_endpoint_id',
  description: 'The `webhook_endpoint_id` that the endpoint got when it was made.',
  schema: { type: 'string', format: 'uuid', example: ID },
});

const BODY_FAULTS = [
  'VALIDATION_FAILED',
  'INVALID_JSON',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
] as const;

/** `GET /api/v1/webhook-endpoints` */
export const ApiListEndpoints = applyDecorators(
  ApiOperation({ operationId: 'listWebhookEndpoints', description: 'A tenant has at most 20.' }),
  ApiSuccess(200, {
    description: 'All endpoints of the tenant.',
    type: EndpointListResponse,
    examples: success([ENDPOINT]),
  }),
  ApiErrors(),
);

/** `POST /api/v1/webhook-endpoints` */
export const ApiCreateEndpoint = applyDecorators(
  ApiOperation({
    operationId: 'createWebhookEndpoint',
    description: `The service posts the stream of events to it, in order, as \`{"events": [...]}\` with 1 to 100 events.
Each request is signed as [Standard Webhooks](https://www.standardwebhooks.com) has it; the package \`standardwebhooks\` checks
the signature with the \`secret\`, which is in this answer only.

An answer with 2xx within 15 seconds takes the events. After anything else they come again: after 5 and 30 seconds, 2 and 10
minutes, an hour, then hourly. After 72 hours of failures the endpoint is disabled, and an alert tells so; once it is
enabled, it goes on where it ended. An event may come more than once: its \`id\` tells.

The URL has to be https and lead to a public address, each time that a connection is made. Redirects are not followed.`,
  }),
  ApiBody({
    type: CreateEndpointRequest,
    examples: {
      all: { summary: 'All events', value: { url: 'https://example.com/webhooks' } },
      some: {
        summary: 'Some types',
        value: {
          url: 'https://example.com/webhooks',
          types: ['message.delivered', 'message.failed'],
          description: 'Order system',
        },
      },
    },
  }),
  ApiSuccess(201, {
    description: 'The endpoint is there, and gets what happens from now on.',
    type: CreatedEndpointResponse,
    examples: success({ webhook_endpoint_id: ID, secret: SECRET }),
  }),
  ApiErrors(...BODY_FAULTS, 'URL_NOT_ALLOWED'),
);

/** `GET /api/v1/webhook-endpoints/{webhook_endpoint_id}` */
export const ApiGetEndpoint = applyDecorators(
  ApiOperation({ operationId: 'getWebhookEndpoint', description: 'The secret is not shown again.' }),
  EndpointId,
  ApiSuccess(200, { description: 'The endpoint.', type: EndpointResponse, examples: success(ENDPOINT) }),
  ApiErrors('VALIDATION_FAILED', 'WEBHOOK_ENDPOINT_NOT_FOUND'),
);

/** `PATCH /api/v1/webhook-endpoints/{webhook_endpoint_id}` */
export const ApiChangeEndpoint = applyDecorators(
  ApiOperation({
    operationId: 'changeWebhookEndpoint',
    description:
      'A change takes effect with the next request to the endpoint. `enabled: true` goes on at once from where the requests ended: an endpoint that is back need not wait for the next try.',
  }),
  EndpointId,
  ApiBody({
    type: ChangeEndpointRequest,
    examples: { enable: { summary: 'Enable it again', value: { enabled: true } } },
  }),
  ApiSuccess(200, {
    description: 'The endpoint as it is now.',
    type: EndpointResponse,
    examples: success(ENDPOINT),
  }),
  ApiErrors(...BODY_FAULTS, 'WEBHOOK_ENDPOINT_NOT_FOUND', 'URL_NOT_ALLOWED'),
);

/** `DELETE /api/v1/webhook-endpoints/{webhook_endpoint_id}` */
export const ApiDeleteEndpoint = applyDecorators(
  ApiOperation({
    operationId: 'deleteWebhookEndpoint',
    description: 'A request that is under way may still come. The events stay in the stream.',
  }),
  EndpointId,
  ApiSuccess(200, { description: 'It is gone.', type: DoneResponse, examples: success({}) }),
  ApiErrors('VALIDATION_FAILED', 'WEBHOOK_ENDPOINT_NOT_FOUND'),
);

/** `POST /api/v1/webhook-endpoints/{webhook_endpoint_id}/rotate-secret` */
export const ApiRotateSecret = applyDecorators(
  ApiOperation({
    operationId: 'rotateWebhookEndpointSecret',
    description:
      'For 24 hours each request carries a signature by the former secret as well, so that none is missed meanwhile. So it does for each former secret where there are several, of which 20 count at most: one more is a 429.',
  }),
  EndpointId,
  ApiSuccess(200, {
    description: 'The new secret; it is in this answer only.',
    type: RotatedSecretResponse,
    examples: success({
      webhook_endpoint_id: ID,
      secret: SECRET,
      former_secret_until: '2026-11-22T10:00:00.000Z',
    }),
  }),
  ApiErrors('VALIDATION_FAILED', 'WEBHOOK_ENDPOINT_NOT_FOUND'),
);

/** `POST /api/v1/webhook-endpoints/{webhook_endpoint_id}/test` */
export const ApiTestEndpoint = applyDecorators(
  ApiOperation({
    operationId: 'testWebhookEndpoint',
    description:
      'Posts one event of the type `webhook_endpoint.test`, which is in no stream. It is signed as all others, and not tried again.',
  }),
  EndpointId,
  ApiSuccess(200, {
    description: 'What the endpoint has answered, also where it has failed.',
    type: EndpointTestResponse,
    examples: success({ delivered: true, http_status: 200, error: null, duration_ms: 84 }),
  }),
  ApiErrors('VALIDATION_FAILED', 'WEBHOOK_ENDPOINT_NOT_FOUND'),
);

/** `POST /api/v1/webhook-endpoints/{webhook_endpoint_id}/replay` */
export const ApiReplay = applyDecorators(
  ApiOperation({
    operationId: 'replayWebhookEndpoint',
    description:
      'The endpoint gets what came after the cursor once more, then goes on as before. Only what is still in the stream can be replayed.',
  }),
  EndpointId,
  ApiBody({
    type: ReplayRequest,
    examples: { after: { summary: 'After an event', value: { after: 'MTIzLjE' } } },
  }),
  ApiSuccess(200, {
    description:
      'The place is set: an enabled endpoint is posted to from there at once, a disabled one when it is enabled.',
    type: DoneResponse,
    examples: success({}),
  }),
  ApiErrors(...BODY_FAULTS, 'WEBHOOK_ENDPOINT_NOT_FOUND', 'CURSOR_EXPIRED'),
);

/** `GET /api/v1/webhook-endpoints/{webhook_endpoint_id}/deliveries` */
export const ApiListAttempts = applyDecorators(
  ApiOperation({
    operationId: 'listWebhookEndpointDeliveries',
    description: 'What was posted, and what the endpoint has answered. The last 500 requests are kept.',
  }),
  EndpointId,
  ApiSuccess(200, {
    description: 'The last requests.',
    type: AttemptListResponse,
    examples: success([ATTEMPT]),
  }),
  ApiErrors('VALIDATION_FAILED', 'WEBHOOK_ENDPOINT_NOT_FOUND'),
);
