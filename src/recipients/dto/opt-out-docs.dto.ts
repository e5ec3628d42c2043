import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam } from '@nestjs/swagger';
import { ApiErrors, ApiSuccess, type OperationError } from '../../openapi/api-docs.js';
import { OPT_OUT_EXAMPLE, OptOutListResponse, OptOutResponse, PutOptOutBody } from './opt-out.dto.js';

/* What the OpenAPI document says of the operations of opt-outs.controller.ts; a summary is the method's comment there. */

const Phone = ApiParam({
  name: 'phone',
  description: "The recipient's number, written as in a send: `12025550104`, or with a leading + (`%2B`).",
  schema: { type: 'string', minLength: 1, maxLength: 40, example: '12025550104' },
});

const INVALID_QUERY: OperationError = {
  code: 'VALIDATION_FAILED',
  when: 'A filter has the wrong shape or is unknown; one detail for each fault.',
  message: 'limit: limit must not be less than 1.',
  details: [{ field: 'limit', message: 'limit must not be less than 1' }],
};
const INVALID_SCOPE: OperationError = {
  code: 'VALIDATION_FAILED',
  when: 'The body has the wrong shape; one detail for each fault.',
  message: 'scope: scope must be one of the following values: marketing, all.',
  details: [{ field: 'scope', message: 'scope must be one of the following values: marketing, all' }],
};
const MALFORMED_PATH: OperationError = {
  code: 'VALIDATION_FAILED',
  when: 'The path is not well-formed.',
  message: 'The request is malformed.',
  details: [],
};

/** `GET /api/v1/opt-outs` */
export const ApiListOptOuts = applyDecorators(
  ApiOperation({
    operationId: 'listOptOuts',
    description: `All given filters must fit. For the next page, send the same filters with \`cursor\` set to the
\`next_cursor\` of this one.`,
  }),
  ApiSuccess(200, {
    description: 'A page of opt-outs.',
    type: OptOutListResponse,
    examples: {
      opt_outs: { summary: 'One', value: { success: true, data: [OPT_OUT_EXAMPLE], next_cursor: null } },
    },
  }),
  ApiErrors(INVALID_QUERY, 'INVALID_PHONE'),
);

/** `PUT /api/v1/opt-outs/{phone}` */
export const ApiPutOptOut = applyDecorators(
  ApiOperation({
    operationId: 'putOptOut',
    description: `From then on, a send to the recipient is refused with \`RECIPIENT_OPTED_OUT\`; a message that was accepted before
and has not been sent fails with it, and is refunded. It holds for all numbers of the tenant. An opt-out that there is
already becomes this one; repeated, it changes nothing.

Recipients also opt out by themselves: by a message that is one of the tenant's words (see the dashboard), or at the provider.`,
  }),
  Phone,
  ApiBody({
    type: PutOptOutBody,
    examples: {
      marketing: { summary: 'No marketing', value: { scope: 'marketing', reason: 'Asked by phone' } },
      all: { summary: 'No message at all', value: { scope: 'all' } },
    },
  }),
  ApiSuccess(200, {
    description: 'The opt-out as it is now.',
    type: OptOutResponse,
    examples: { set: { summary: 'No marketing', value: { success: true, data: OPT_OUT_EXAMPLE } } },
  }),
  ApiErrors(INVALID_SCOPE, 'INVALID_JSON', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'INVALID_PHONE'),
);

/** `DELETE /api/v1/opt-outs/{phone}` */
export const ApiDeleteOptOut = applyDecorators(
  ApiOperation({
    operationId: 'deleteOptOut',
    description: `Lifts an opt-out, whoever has set it. Only do so when the recipient wants it. Where the provider has been told by the
recipient, it goes on to refuse marketing, and the opt-out is set again with its next refusal. What the recipient said before and
what comes late does not set it again.`,
  }),
  Phone,
  ApiSuccess(200, {
    description: 'The opt-out as it was.',
    type: OptOutResponse,
    examples: { lifted: { summary: 'No longer kept', value: { success: true, data: OPT_OUT_EXAMPLE } } },
  }),
  ApiErrors(MALFORMED_PATH, 'INVALID_PHONE', 'OPT_OUT_NOT_FOUND'),
);
