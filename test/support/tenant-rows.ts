import { runSql } from './operator.js';
import type { TestService } from './service.js';

/** SQL of the rows of a tenant in tables that name no tenant; $1 is the tenant. */
const BY_ANOTHER: Record<string, string> = {
  tenants: 'id = $1',
  alert_notices: 'alert_id IN (SELECT id FROM alerts WHERE tenant_id = $1)',
  alert_reads: 'alert_id IN (SELECT id FROM alerts WHERE tenant_id = $1)',
  dashboard_sessions: 'user_id IN (SELECT id FROM dashboard_users WHERE tenant_id = $1)',
  second_factors: 'user_id IN (SELECT id FROM dashboard_users WHERE tenant_id = $1)',
  number_activity: 'messaging_account_id IN (SELECT id FROM messaging_accounts WHERE tenant_id = $1)',
  number_moves: 'messaging_account_id IN (SELECT id FROM messaging_accounts WHERE tenant_id = $1)',
  campaign_recipients: 'campaign_id IN (SELECT id FROM campaigns WHERE tenant_id = $1)',
  campaign_messages: 'campaign_id IN (SELECT id FROM campaigns WHERE tenant_id = $1)',
  message_retries: 'retry_of IN (SELECT id FROM message_logs WHERE tenant_id = $1)',
  message_events: 'message_log_id IN (SELECT id FROM message_logs WHERE tenant_id = $1)',
  spend_changes: 'spend_limit_id IN (SELECT id FROM spend_limits WHERE tenant_id = $1)',
  webhook_endpoint_attempts: 'webhook_endpoint_id IN (SELECT id FROM webhook_endpoints WHERE tenant_id = $1)',
  template_changes: 'template_id IN (SELECT id FROM templates WHERE tenant_id = $1)',
  template_edits: 'template_id IN (SELECT id FROM templates WHERE tenant_id = $1)',
};

/** Tables of the service as a whole. */
const NOBODYS = new Set([
  'alert_channels',
  'dashboard_logins',
  'installation',
  'message_stats_passes',
  'migrations',
  'rate_cards',
  'restores',
  'shards',
  'typeorm_metadata',
  'webhook_digests',
  'webhook_hearing',
  'webhook_inbox',
  'worker_leases',
]);

/** Columns that change by the tenant's own use, after the answer: when something was last used or seen. */
const LATER = ['last_used_at', 'last_seen_at', 'webhook_seen_at'];

export interface TenantRows {
  rows: number;
  digest: string | null;
}

/** How many rows a tenant has in each table, and a digest of them. A table that is not known here is a fault. */
export async function rowsOfTenant(
  service: TestService,
  tenantId: string,
): Promise<Record<string, TenantRows>> {
  const tables = await runSql(
    service,
    `SELECT t.table_name AS name, bool_or(c.column_name = 'tenant_id') AS "hasTenant"
      FROM information_schema.tables t JOIN information_schema.columns c USING (table_schema, table_name)
      WHERE t.table_schema = 'public' AND NOT EXISTS (
        SELECT FROM pg_inherits WHERE inhrelid = format('%I.%I', t.table_schema, t.table_name)::regclass) GROUP BY t.table_name ORDER BY t.table_name`,
  );
  const found: Record<string, TenantRows> = {};
  for (const { name, hasTenant } of tables) {
    if (NOBODYS.has(name)) continue;
    const condition = BY_ANOTHER[name] ?? (hasTenant ? 'tenant_id = $1' : null);
    if (condition === null) throw new Error(`Whose are the rows of ${name}? Say so in tenant-rows.ts.`);
    const text = `SELECT count(*) AS rows, md5(string_agg(line, ' ' ORDER BY line)) AS digest
      FROM (SELECT (to_jsonb(t) - $2::text[])::text AS line FROM ${name} t WHERE ${condition}) lines`;
    const [row] = await service.database.run<TenantRows>({ name: '', text }, [tenantId, LATER]);
    found[name] = row as TenantRows;
  }
  return found;
}
