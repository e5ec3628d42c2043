import type { Statement } from '../database/database.js';
import { optOutScopeSql } from '../recipients/opt-outs.sql.js';

/**
 * What is sent of claimed messages ($1), and whether their recipients have opted out. Not read by the claim, which is planned anew each time, for its limit: a plan that
 * names the log costs the more, the more partitions there are. This one is planned once. One by one, by the key: a join
 * might read the whole log.
 */
export const CLAIMED: Statement = {
  name: 'message_claimed',
  text: `
    SELECT m.*, ${optOutScopeSql('m')} AS opt_out_scope FROM unnest($1::bigint[]) AS c(id) CROSS JOIN LATERAL (
      SELECT id, tenant_id, messaging_account_id, phone, template_name, language, components, conversation_category,
        coalesce(scheduled_at, created_at) AS wanted_at, valid_until, max_cost, expect
      FROM message_logs WHERE id = c.id LIMIT 1) m`,
};
