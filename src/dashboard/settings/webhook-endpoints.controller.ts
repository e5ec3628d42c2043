import { Body, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { describeAttempt, describeEndpoint } from '../../webhook-endpoints/describe.js';
import {
  ChangeEndpointRequest,
  CreateEndpointRequest,
} from '../../webhook-endpoints/dto/webhook-endpoint-requests.dto.js';
import { WebhookEndpointsService } from '../../webhook-endpoints/webhook-endpoints.service.js';
import { AuditLogService } from '../audit/audit-log.service.js';
import { DashboardController, Requires } from '../dashboard-controller.js';
import { CurrentUser, type SessionUser } from '../sessions/session-user.js';

/** Requests to an endpoint that are shown. */
const SHOWN_ATTEMPTS = 50;

/** Where the tenant's events are posted to. */
@DashboardController('webhook-endpoints')
@Requires('owner')
export class DashboardEndpointsController {
  constructor(
    private readonly endpoints: WebhookEndpointsService,
    private readonly audit: AuditLogService,
  ) {}

  @Get()
  async list(@CurrentUser() { tenantId }: SessionUser) {
    return { success: true, data: (await this.endpoints.list(tenantId)).map(describeEndpoint) };
  }

  /** Adds an endpoint. Its secret is in this answer and nowhere else. */
  @Post()
  @HttpCode(201)
  async create(@CurrentUser() user: SessionUser, @Body() body: CreateEndpointRequest) {
    const { url, types = null, description = null } = body;
    const { id, secret } = await this.endpoints.create(user.tenantId, { url, types, description });
    await this.audit.record(user, 'webhook_endpoint.created', { webhook_endpoint_id: id, url, types });
    return { success: true, data: { webhook_endpoint_id: id, secret } };
  }

  @Patch(':webhook_endpoint_id')
  async change(
    @CurrentUser() user: SessionUser,
    @Param('webhook_endpoint_id') id: string,
    @Body() body: ChangeEndpointRequest,
  ) {
    const endpoint = await this.endpoints.change(user.tenantId, id, body);
    const { url } = endpoint;
    await this.audit.record(user, 'webhook_endpoint.changed', { webhook_endpoint_id: id, url, ...body });
    return { success: true, data: describeEndpoint(endpoint) };
  }

  @Delete(':webhook_endpoint_id')
  async delete(@CurrentUser() user: SessionUser, @Param('webhook_endpoint_id') id: string) {
    const { url } = await this.endpoints.delete(user.tenantId, id);
    await this.audit.record(user, 'webhook_endpoint.deleted', { webhook_endpoint_id: id, url });
    return { success: true, data: {} };
  }

  @Post(':webhook_endpoint_id/rotate-secret')
  @HttpCode(200)
  async rotateSecret(@CurrentUser() user: SessionUser, @Param('webhook_endpoint_id') id: string) {
    const { secret, formerUntil } = await this.endpoints.rotateSecret(user.tenantId, id);
    const { url } = await this.endpoints.find(user.tenantId, id);
    await this.audit.record(user, 'webhook_endpoint.secret_rotated', { webhook_endpoint_id: id, url });
    return { success: true, data: { webhook_endpoint_id: id, secret, former_secret_until: formerUntil } };
  }

  @Post(':webhook_endpoint_id/test')
  @HttpCode(200)
  async test(@CurrentUser() { tenantId }: SessionUser, @Param('webhook_endpoint_id') id: string) {
    const { status, error, duration } = await this.endpoints.test(tenantId, id);
    const data = { delivered: error === null, http_status: status, error, duration_ms: duration };
    return { success: true, data };
  }

  @Get(':webhook_endpoint_id/deliveries')
  async attempts(@CurrentUser() { tenantId }: SessionUser, @Param('webhook_endpoint_id') id: string) {
    const attempts = await this.endpoints.attempts(tenantId, id, SHOWN_ATTEMPTS);
    return { success: true, data: attempts.map(describeAttempt) };
  }
}
