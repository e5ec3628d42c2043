import { Injectable } from '@nestjs/common';
import type { Statement } from '../../database/database.js';
import { Reads } from '../../database/reads.js';

/** Which entries to list; left out: all. */
export interface AuditFilter {
  userId?: string | undefined;
  action?: string | undefined;
}

export interface AuditRow {
  entry_id: number;
  user_id: string;
  user_email: string;
  action: string;
  details: Record<string, unknown>;
  occurred_at: Date;
}

/** All users and actions in a tenant's record. */
export interface AuditFacets {
  users: { user_id: string; email: string }[];
  actions: string[];
}

/** Reads one tenant's record of what users did. */
@Injectable()
export class AuditQueries {
  constructor(private readonly reads: Reads) {}

  /** A page, newest first, and the id that it ended with (null at the end). */
  async list(
    tenantId: string,
    { userId, action }: AuditFilter,
    limit: number,
    before: number | null,
  ): Promise<{ entries: AuditRow[]; next: number | null }> {
    const values = [tenantId, before, userId ?? null, action ?? null, limit + 1];
    const rows = await this.reads.of(tenantId).run<AuditRow>(LIST, values);
    const entries = rows.slice(0, limit);
    return { entries, next: rows.length > limit ? (entries.at(-1)?.entry_id ?? null) : null };
  }

  async facets(tenantId: string): Promise<AuditFacets> {
    const [users, actions] = await Promise.all([
      this.reads.of(tenantId).run<AuditFacets['users'][number]>(USERS, [tenantId]),
      this.reads.of(tenantId).run<{ action: string }>(ACTIONS, [tenantId]),
    ]);
    return { users, actions: actions.map(({ action }) => action) };
  }
}

export const LIST: Statement = {
  name: 'audit_log_list',
  text: `
    SELECT id AS entry_id, user_id, user_email, action, details, occurred_at FROM audit_log
    WHERE tenant_id = $1 AND ($2::bigint IS NULL OR id < $2)
      AND ($3::uuid IS NULL OR user_id = $3) AND ($4::text IS NULL OR action = $4)
    ORDER BY id DESC LIMIT $5`,
};

/** All users of the record, with the latest e-mail address of each; removed users are included. */
export const USERS: Statement = {
  name: 'audit_log_users',
  text: `
    SELECT user_id, email FROM (
      SELECT DISTINCT ON (user_id) user_id, user_email AS email FROM audit_log
      WHERE tenant_id = $1 ORDER BY user_id, id DESC
    ) u ORDER BY email`,
};

export const ACTIONS: Statement = {
  name: 'audit_log_actions',
  text: 'SELECT DISTINCT action FROM audit_log WHERE tenant_id = $1 ORDER BY action',
};
