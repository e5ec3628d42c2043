import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Query,
  UseGuards,
} from '@nestjs/common';
import type { Caller } from '../accounts/api-keys.service.js';
import { CallerGuard } from '../accounts/caller.guard.js';
import { CurrentCaller } from '../accounts/current-caller.js';
import { NeedsScope } from '../accounts/needs-scope.js';
import { decodePosition } from '../events/position.js';
import { ApiPublic } from '../openapi/api-docs.js';
import {
  ApiChangeEndpoint,
  ApiCreateEndpoint,
  ApiDeleteEndpoint,
  ApiGetEndpoint,
  ApiListAttempts,
  ApiListEndpoints,
  ApiReplay,
  ApiRotateSecret,
  ApiTestEndpoint,
} from './dto/webhook-endpoint-docs.dto.js';
import {
  ChangeEndpointRequest,
  CreateEndpointRequest,
  ListAttemptsQuery,
  ReplayRequest,
} from './dto/webhook-endpoint-requests.dto.js';
import { describeAttempt, describeEndpoint } from './describe.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';

@ApiPublic('Webhook endpoints')
@UseGuards(CallerGuard)
@Controller('api/v1/webhook-endpoints')
export class WebhookEndpointsController {
  constructor(private readonly endpoints: WebhookEndpointsService) {}

  /** Lists the endpoints, oldest first. */
  @ApiListEndpoints
  @NeedsScope('events:read')
  @Get()
  async list(@CurrentCaller() { tenantId }: Caller) {
    return { success: true, data: (await this.endpoints.list(tenantId)).map(describeEndpoint) };
  }

  /** Adds an endpoint, which gets all events from now on. */
  @ApiCreateEndpoint
  @NeedsScope('settings:write')
  @Post()
  @HttpCode(201)
  async create(@CurrentCaller() { tenantId }: Caller, @Body() body: CreateEndpointRequest) {
    const { url, types = null, description = null } = body;
    const { id, secret } = await this.endpoints.create(tenantId, { url, types, description });
    return { success: true, data: { webhook_endpoint_id: id, secret } };
  }

  /** One endpoint: its settings, and how far it is. */
  @ApiGetEndpoint
  @NeedsScope('events:read')
  @Get(':webhook_endpoint_id')
  async find(@CurrentCaller() { tenantId }: Caller, @Param('webhook_endpoint_id') id: string) {
    return { success: true, data: describeEndpoint(await this.endpoints.find(tenantId, id)) };
  }

  /** Changes what is given, and leaves the rest; enables and disables it. */
  @ApiChangeEndpoint
  @NeedsScope('settings:write')
  @Patch(':webhook_endpoint_id')
  async change(
    @CurrentCaller() { tenantId }: Caller,
    @Param('webhook_endpoint_id') id: string,
    @Body() body: ChangeEndpointRequest,
  ) {
    return { success: true, data: describeEndpoint(await this.endpoints.change(tenantId, id, body)) };
  }

  /** Deletes an endpoint. Its events stay in the stream. */
  @ApiDeleteEndpoint
  @NeedsScope('settings:write')
  @Delete(':webhook_endpoint_id')
  async delete(@CurrentCaller() { tenantId }: Caller, @Param('webhook_endpoint_id') id: string) {
    await this.endpoints.delete(tenantId, id);
    return { success: true, data: {} };
  }

  /** Gives an endpoint another secret. For 24 hours, requests are signed with the former one as well. */
  @ApiRotateSecret
  @NeedsScope('settings:write')
  @Post(':webhook_endpoint_id/rotate-secret')
  @HttpCode(200)
  async rotateSecret(@CurrentCaller() { tenantId }: Caller, @Param('webhook_endpoint_id') id: string) {
    const { secret, formerUntil } = await this.endpoints.rotateSecret(tenantId, id);
    const data = { webhook_endpoint_id: id, secret, former_secret_until: formerUntil };
    return { success: true, data };
  }

  /** Posts one event for a test, now, and tells what the endpoint has answered. */
  @ApiTestEndpoint
  @NeedsScope('settings:write')
  @Post(':webhook_endpoint_id/test')
  @HttpCode(200)
  async test(@CurrentCaller() { tenantId }: Caller, @Param('webhook_endpoint_id') id: string) {
    const { status, error, duration } = await this.endpoints.test(tenantId, id);
    return {
      success: true,
      data: { delivered: error === null, http_status: status, error, duration_ms: duration },
    };
  }

  /** Posts everything behind a cursor again. */
  @ApiReplay
  @NeedsScope('settings:write')
  @Post(':webhook_endpoint_id/replay')
  @HttpCode(200)
  async replay(
    @CurrentCaller() { tenantId }: Caller,
    @Param('webhook_endpoint_id') id: string,
    @Body() { after }: ReplayRequest,
  ) {
    await this.endpoints.replay(tenantId, id, decodePosition(after));
    return { success: true, data: {} };
  }

  /** The last requests to an endpoint, newest first. */
  @ApiListAttempts
  @NeedsScope('events:read')
  @Get(':webhook_endpoint_id/deliveries')
  async attempts(
    @CurrentCaller() { tenantId }: Caller,
    @Param('webhook_endpoint_id') id: string,
    @Query() { limit }: ListAttemptsQuery,
  ) {
    const attempts = await this.endpoints.attempts(tenantId, id, limit);
    return { success: true, data: attempts.map(describeAttempt) };
  }
}
