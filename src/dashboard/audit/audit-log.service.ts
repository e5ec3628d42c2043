import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { AuditEntry } from '../../accounts/audit-entry.entity.js';
import { Clock } from '../../common/clock.js';
import type { SessionUser } from '../sessions/session-user.js';

/** The record of who did what in the dashboard. */
@Injectable()
export class AuditLogService {
  constructor(
    @InjectRepository(AuditEntry) private readonly entries: Repository<AuditEntry>,
    private readonly clock: Clock,
  ) {}

  /**
   * @param action what was done, such as `template.created`
   * @param details what it was done to; never a secret
   */
  async record(user: SessionUser, action: string, details: Record<string, unknown>): Promise<void> {
    const { tenantId, userId, email } = user;
    const occurredAt = this.clock.now();
    await this.entries.save(
      this.entries.create({ tenantId, userId, userEmail: email, action, details, occurredAt }),
    );
  }
}
