import { applyDecorators } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { ApiErrors, ApiSuccess, type OperationError } from '../../../openapi/api-docs.js';
import { EVENT_EXAMPLES } from './event-examples.dto.js';
import { EventListResponse } from './event.dto.js';

const INVALID_QUERY: OperationError = {
  code: 'VALIDATION_FAILED',
  when: 'A parameter has the wrong shape or is unknown, or `after` is no cursor; one detail for each fault.',
  message: 'wait: wait must not be greater than 20.',
  details: [{ field: 'wait', message: 'wait must not be greater than 20' }],
};

/** `GET /api/v1/events` */
export const ApiListEvents = applyDecorators(
  ApiOperation({
    operationId: 'listEvents',
    description: `What happens to the tenant's messages, opt-outs, templates, numbers, accounts and campaigns, in one order without gaps:
whoever reads from the same cursor gets the same events. An event is committed with what it tells of, or not at all.

Keep \`next_cursor\` with what you have made of the events, and read on with it as \`after\`. It can be used also where there
is no event, or where a filter makes a page end early. With \`wait\`, an answer without events comes only after so many seconds,
the first event at once.

Events are kept for 30 days, unless the service is set up otherwise. A cursor from before that is a 410.`,
  }),
  ApiSuccess(200, {
    description: 'Events, oldest first; perhaps none.',
    type: EventListResponse,
    examples: Object.fromEntries(
      EVENT_EXAMPLES.map((event) => [
        event.type,
        { summary: event.type, value: { success: true, data: [event], next_cursor: event.cursor } },
      ]),
    ),
  }),
  ApiErrors(INVALID_QUERY, 'CURSOR_EXPIRED'),
);
