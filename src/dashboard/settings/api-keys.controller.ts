import { Body, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import type { ApiKey } from '../../accounts/api-key.entity.js';
import { inOrder, SCOPES } from '../../accounts/domain/scopes.js';
import { ApiKeysService } from '../../accounts/api-keys.service.js';
import { Clock } from '../../common/clock.js';
import { ApiError } from '../../common/errors.js';
import { utcOf } from '../../messages/schedule/iso-date-time.js';
import { AuditLogService } from '../audit/audit-log.service.js';
import { DashboardController, Requires } from '../dashboard-controller.js';
import { CurrentUser, type SessionUser } from '../sessions/session-user.js';
import { CreateApiKeyRequest } from './dto.js';

/** The tenant's keys for the API. */
@DashboardController('api-keys')
@Requires('owner')
export class ApiKeysController {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly audit: AuditLogService,
    private readonly clock: Clock,
  ) {}

  @Get()
  async list(@CurrentUser() { tenantId }: SessionUser) {
    const keys = await this.keys.list(tenantId);
    return { success: true, data: keys.map(describe) };
  }

  /** Makes a key. Its text is in this answer and nowhere else. */
  @Post()
  @HttpCode(201)
  async create(
    @CurrentUser() user: SessionUser,
    @Body() { name: given, expires_at, scopes = [...SCOPES] }: CreateApiKeyRequest,
  ) {
    const expiresAt = expires_at === undefined ? null : utcOf(expires_at);
    if (expiresAt && expiresAt <= this.clock.now()) {
      const message = 'expires_at must be in the future.';
      throw new ApiError('VALIDATION_FAILED', message, [{ field: 'expires_at', message }]);
    }
    const name = given.trim();
    const { id: api_key_id, key: api_key } = await this.keys.create(user.tenantId, name, {
      expiresAt,
      scopes,
    });
    await this.audit.record(user, 'api_key.created', {
      api_key_id,
      name,
      expires_at: expiresAt,
      scopes: inOrder(scopes),
    });
    return { success: true, data: { api_key_id, api_key } };
  }

  @Delete(':api_key_id')
  async revoke(@CurrentUser() user: SessionUser, @Param('api_key_id') id: string) {
    const key = (await this.keys.list(user.tenantId)).find((one) => one.id === id);
    if (!key || !(await this.keys.revoke(id, user.tenantId)))
      throw new ApiError('NOT_FOUND', 'There is no such API key.');
    if (!key.revokedAt) await this.audit.record(user, 'api_key.revoked', { api_key_id: id, name: key.name });
    return { success: true, data: {} };
  }
}

function describe({ id, name, scopes, createdAt, expiresAt, lastUsedAt, revokedAt }: ApiKey) {
  return {
    api_key_id: id,
    name,
    scopes,
    created_at: createdAt,
    expires_at: expiresAt,
    last_used_at: lastUsedAt,
    revoked_at: revokedAt,
  };
}
