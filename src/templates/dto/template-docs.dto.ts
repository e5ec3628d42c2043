import { applyDecorators } from '@nestjs/common';
import { ApiOperation, ApiResponse } from '@nestjs/swagger';
import {
  ApiErrors,
  ApiSuccess,
  type OperationError,
  OptionalHeader,
  REQUEST_ID_HEADER,
} from '../../openapi/api-docs.js';
import { TEMPLATE_LIST_EXAMPLE, TemplateListResponse } from './template-list-item.dto.js';

/* What the OpenAPI document says of the operations of templates.controller.ts; a summary is the method's comment there. */

const ETAG = '"ufr59z6sqLWDKIpV-WSzzC6eXoLIZjvR3QOZVxF3LcQ"';

const CACHE_HEADERS = {
  ETag: {
    description: 'Stands for the list as it is; for `If-None-Match`.',
    schema: { type: 'string' },
    example: ETAG,
  },
  'Cache-Control': {
    description: 'The list may be kept, and is to be asked for each time.',
    schema: { type: 'string' },
    example: 'private, no-cache',
  },
  ...REQUEST_ID_HEADER,
};

const INVALID_QUERY: OperationError = {
  code: 'VALIDATION_FAILED',
  when: 'A parameter is missing, unknown or has the wrong shape; one detail for each fault.',
  message: 'messaging_account_id: messaging_account_id must be a string.',
  details: [{ field: 'messaging_account_id', message: 'messaging_account_id must be a string' }],
};

/** `GET /api/v1/templates` */
export const ApiListTemplates = applyDecorators(
  ApiOperation({
    operationId: 'listTemplates',
    description: `For finding out what can be sent. The \`name\` and \`language\` of an \`APPROVED\` one go into
a send as \`data.name\` and \`data.language_code\`. With \`If-None-Match\`, a list that has not changed is not sent again.`,
  }),
  OptionalHeader(
    {
      name: 'If-None-Match',
      description: 'The `ETag` of an earlier answer: 304 if the list is still the same.',
    },
    ETAG,
  ),
  ApiSuccess(200, {
    description: 'All templates of the account that fit.',
    type: TemplateListResponse,
    headers: CACHE_HEADERS,
    examples: { templates: { summary: 'Two of the templates of the demo', value: TEMPLATE_LIST_EXAMPLE } },
  }),
  ApiResponse({
    status: 304,
    description: 'The list is still what the `ETag` in `If-None-Match` stands for; no body.',
    headers: CACHE_HEADERS,
  }),
  ApiErrors(INVALID_QUERY, 'ACCOUNT_NOT_FOUND'),
);
