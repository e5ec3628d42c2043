import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam } from '@nestjs/swagger';
import { ApiErrors, ApiSuccess, type OperationError, OptionalHeader } from '../../openapi/api-docs.js';
import { MessageListResponse, MessageResponse } from './message-record.dto.js';
import { CANCELED_EXAMPLE, MESSAGE_EXAMPLE, MESSAGE_LIST_EXAMPLE } from './record-examples.dto.js';
import { SendResponse } from './send-acknowledgement.dto.js';
import { SEND_EXAMPLES, SEND_RESPONSE_EXAMPLE } from './send-examples.dto.js';
import { SendMessageDto } from './send-message.dto.js';
import { FAULTY_EXAMPLE, VALID_EXAMPLE } from './validation-examples.dto.js';
import { ValidateResponse } from './validation.dto.js';

/* What the OpenAPI document says of the operations of messages.controller.ts; a summary is the method's comment there. */

const INVALID_LIMIT: OperationError = {
  code: 'VALIDATION_FAILED',
  when: 'A filter has the wrong shape or is unknown; one detail for each fault.',
  message: 'limit: limit must not be less than 1.',
  details: [{ field: 'limit', message: 'limit must not be less than 1' }],
};
const MALFORMED_PATH: OperationError = {
  code: 'VALIDATION_FAILED',
  when: 'The path is not well-formed.',
  message: 'The request is malformed.',
  details: [],
};

const MessageId = ApiParam({
  name: 'message_log_id',
  description: 'The `message_log_id` of the send acknowledgement.',
  schema: { type: 'integer', format: 'int64', minimum: 1, example: 1 },
});

export const IdempotencyKeyHeader = OptionalHeader(
  {
    name: 'Idempotency-Key',
    description:
      'Your own key for this request, of 1 to 255 visible ASCII characters, kept for at least 24 hours. The same key and body get the first answer again.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  'order-A-1001',
);

export const REPLAYED_HEADER = {
  'Idempotency-Replayed': {
    description: '`true` when this is the first answer again; absent otherwise.',
    schema: { type: 'string' as const, enum: ['true'] },
    example: 'true',
  },
};

/** `POST /api/v1/messages/send` */
export const ApiSend = applyDecorators(
  ApiOperation({
    operationId: 'sendTemplateMessage',
    description: `A 202 means that the message is stored for good, to be sent at once or at \`scheduled_at\`. What becomes of it stands in
its message log record.

- Body parameters come as a \`body\` component or as \`data.params\`, as many as the template has placeholders.
- A template with an image, video or document header needs a \`header\` component with such media in every send.
- The cost is charged at acceptance and refunded when the message fails or is canceled.
- \`valid_until\`, \`max_cost\` and \`expect\` say under which conditions the message is wanted. They are looked at again just before
  it leaves: it fails then with \`EXPIRED\`, \`COST_ABOVE_MAX\` or \`EXPECTATION_FAILED\`, and is refunded.
- With an \`Idempotency-Key\` a send can be repeated without a second message.`,
  }),
  IdempotencyKeyHeader,
  ApiBody({ type: SendMessageDto, examples: SEND_EXAMPLES }),
  ApiSuccess(202, {
    description: 'The message is accepted and stored.',
    type: SendResponse,
    headers: REPLAYED_HEADER,
    examples: { accepted: { summary: 'Accepted', value: SEND_RESPONSE_EXAMPLE } },
  }),
  ApiErrors(
    'VALIDATION_FAILED',
    'INVALID_JSON',
    'ACCOUNT_NOT_FOUND',
    'TEMPLATE_NOT_FOUND',
    'IDEMPOTENCY_KEY_IN_USE',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'TEMPLATE_HEADER_MEDIA_REQUIRED',
    'TEMPLATE_PARAMS_MISMATCH',
    'TEMPLATE_PAUSED',
    'INVALID_PHONE',
    'RECIPIENT_OPTED_OUT',
    'TIMEZONE_REQUIRED',
    'INVALID_TIMEZONE',
    'SCHEDULED_AT_IN_PAST',
    'SCHEDULED_AT_TOO_FAR',
    'VALID_UNTIL_IN_PAST',
    'COST_ABOVE_MAX',
    'EXPECTATION_FAILED',
    'SPEND_LIMIT_REACHED',
    'MESSAGING_ACCOUNT_REQUIRED',
    'IDEMPOTENCY_KEY_REUSED',
  ),
);

/** `POST /api/v1/messages/validate` */
export const ApiValidate = applyDecorators(
  ApiOperation({
    operationId: 'validateSend',
    description: `Takes the body of a send and tells what would become of it: whether it would be accepted, every fault at once in the
order of the checks, the message as its recipient will read it, its price, and warnings. Nothing is stored, charged or
counted, and the recipient gets nothing.

The answer is a 200 whatever is wrong with the send. A body of the wrong shape is a fault as any other
(\`VALIDATION_FAILED\` in \`errors\`, with unknown fields among its details), and what can be read of it is judged all the same.
Only a body that is not JSON at all is a 400.

An answer holds for the moment: a template may be paused between it and the send.`,
  }),
  ApiBody({ type: SendMessageDto, examples: SEND_EXAMPLES }),
  ApiSuccess(200, {
    description: 'What would become of the send.',
    type: ValidateResponse,
    examples: {
      valid: { summary: 'It would be accepted', value: VALID_EXAMPLE },
      faulty: { summary: 'It would be refused', value: FAULTY_EXAMPLE },
    },
  }),
  ApiErrors('INVALID_JSON', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'),
);

/** `GET /api/v1/messages` */
export const ApiListMessages = applyDecorators(
  ApiOperation({
    operationId: 'listMessages',
    description: `All given filters must fit. For the next page, send the same filters
with \`cursor\` set to the \`next_cursor\` of this one.

A page ends early, perhaps empty, where what fits is rare among many messages: the search goes on with its
\`next_cursor\`. Only a \`next_cursor\` of null is the end.`,
  }),
  ApiSuccess(200, {
    description: 'A page of messages.',
    type: MessageListResponse,
    examples: { messages: { summary: 'Canceled, failed and read', value: MESSAGE_LIST_EXAMPLE } },
  }),
  ApiErrors(INVALID_LIMIT, 'ACCOUNT_NOT_FOUND', 'INVALID_PHONE'),
);

/** `GET /api/v1/messages/{message_log_id}` */
export const ApiGetMessage = applyDecorators(
  ApiOperation({
    operationId: 'getMessage',
    description:
      'Tells what became of a message: its status, its times, its error if it failed, and every event.',
  }),
  MessageId,
  ApiSuccess(200, {
    description: 'The message log record.',
    type: MessageResponse,
    examples: { read: { summary: 'Delivered and read', value: MESSAGE_EXAMPLE } },
  }),
  ApiErrors(MALFORMED_PATH, 'MESSAGE_NOT_FOUND'),
);

/** `POST /api/v1/messages/{message_log_id}/cancel` */
export const ApiCancel = applyDecorators(
  ApiOperation({
    operationId: 'cancelMessage',
    description: `A message can be withdrawn until it is claimed for sending; its charge is refunded. Repeating a cancellation answers the
same.

To try it out, send the example *At a later time* first and enter its \`message_log_id\`; a message that went out at once
answers 409.`,
  }),
  MessageId,
  ApiSuccess(200, {
    description: 'The message is canceled.',
    type: MessageResponse,
    examples: { canceled: { summary: 'Canceled before its time', value: CANCELED_EXAMPLE } },
  }),
  ApiErrors(MALFORMED_PATH, 'MESSAGE_NOT_FOUND', 'MESSAGE_NOT_CANCELABLE'),
);
