import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiOperation } from '@nestjs/swagger';
import { ApiErrors, ApiSuccess } from '../../openapi/api-docs.js';
import { type BatchAnswer, BatchRequest, BatchResponse } from './batch.dto.js';
import { IdempotencyKeyHeader, REPLAYED_HEADER } from './message-docs.dto.js';
import { SEND_EXAMPLES } from './send-examples.dto.js';

const ACCEPTED_AND_REFUSED: BatchAnswer = {
  accepted: 1,
  refused: 1,
  results: [
    { index: 0, status: 'queued', message_log_id: 1, conversation_category: 'UTILITY', cost: 0.004 },
    {
      index: 1,
      error: {
        code: 'INVALID_PHONE',
        message:
          'The phone number is not a possible international number. Give the country code and the number, as in +971501234567.',
        details: [{ field: 'phone' }],
      },
    },
  ],
};

const value = (...names: (keyof typeof SEND_EXAMPLES)[]) => ({
  messages: names.map((name) => SEND_EXAMPLES[name]?.value),
});

/** `POST /api/v1/messages/batch` */
export const ApiBatch = applyDecorators(
  ApiOperation({
    operationId: 'sendBatch',
    description: `Takes up to 1,000 bodies of sends, of 2 MiB together. Each is judged by the rules of a send. All that pass are stored in one
commit; each that does not is told in its place among \`results\`, with the \`error\` that a send of it would be answered with.
The answer is a 200 also when all are refused.

- With an \`Idempotency-Key\` the whole batch can be repeated: nothing is accepted twice, and the first answer comes again.
- A batch counts as many requests as it has messages.`,
  }),
  IdempotencyKeyHeader,
  ApiBody({
    type: BatchRequest,
    examples: {
      two: { summary: 'Two messages', value: value('params', 'other_language') },
    },
  }),
  ApiSuccess(200, {
    description: 'What came of each message.',
    type: BatchResponse,
    headers: REPLAYED_HEADER,
    examples: {
      mixed: { summary: 'One accepted, one refused', value: { success: true, data: ACCEPTED_AND_REFUSED } },
    },
  }),
  ApiErrors(
    'VALIDATION_FAILED',
    'INVALID_JSON',
    'IDEMPOTENCY_KEY_IN_USE',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'IDEMPOTENCY_KEY_REUSED',
  ),
);
