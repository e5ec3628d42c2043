import type { ServerResponse } from 'node:http';
import { Controller, Get, Query, Res, UseGuards } from '@nestjs/common';
import type { Caller } from '../../accounts/api-keys.service.js';
import { CallerGuard } from '../../accounts/caller.guard.js';
import { CurrentCaller } from '../../accounts/current-caller.js';
import { NeedsScope } from '../../accounts/needs-scope.js';
import { callerLeft } from '../../http/caller-left.js';
import type { EventType } from '../../events/domain/event-types.js';
import { decodePosition, encodePosition } from '../../events/position.js';
import { ApiPublic } from '../../openapi/api-docs.js';
import { ApiListEvents } from './dto/event-docs.dto.js';
import { ListEventsQuery } from './dto/event.dto.js';
import { EventPull } from './event-pull.service.js';

@ApiPublic('Events')
@UseGuards(CallerGuard)
@Controller('api/v1/events')
export class EventsController {
  constructor(private readonly events: EventPull) {}

  /** Lists events, oldest first, and waits for the next. */
  @ApiListEvents
  @NeedsScope('events:read')
  @Get()
  async list(
    @CurrentCaller() { tenantId }: Caller,
    @Query() { after, types, limit, wait }: ListEventsQuery,
    @Res({ passthrough: true }) response: ServerResponse,
  ) {
    const position = after === undefined ? null : decodePosition(after);
    const wanted = types?.split(',') as EventType[] | undefined;
    const options = { types: wanted, limit, wait };
    const { events, next } = await this.events.pull(tenantId, position, options, callerLeft(response));
    return { success: true, data: events, next_cursor: encodePosition(next) };
  }
}
