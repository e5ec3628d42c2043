import type { Statement } from '../database/database.js';
import { tellEvents } from '../events/tell.sql.js';

const stateOf = (row: string, content: string) =>
  `jsonb_build_object('status', CASE WHEN ${row}.removed_at IS NULL THEN ${row}.status ELSE 'DELETED' END,
        'category', ${row}.category, 'quality', ${row}.quality_score, 'format', ${row}.parameter_format,
        'content', CASE WHEN ${content} THEN ${row}.body_json END)`;

/**
 * The columns of a ChangedTemplate.
 * @param was the row before the change, null where it is new
 * @param is the row after it
 */
export const changedTemplate = (was: string, is: string) => {
  const content = `(${was}.body_json, ${was}.parameter_format) IS DISTINCT FROM (${is}.body_json, ${is}.parameter_format)`;
  return `${is}.id, ${is}.tenant_id, ${is}.business_account_id, ${is}.name, ${is}.language,
      ${is}.status_reason AS reason,
      CASE WHEN ${was}.id IS NOT NULL THEN ${stateOf(was, content)} END AS was, ${stateOf(is, content)} AS "is"`;
};

/** Tells at $1 of what has happened to templates at $3 ($2: tenant, business account, type and data of each). */
export const TELL_TEMPLATES: Statement = {
  name: 'templates_tell',
  text: tellEvents(`
        SELECT e.place, e.tenant_id, e.type, $3::timestamptz AS occurred_at,
          jsonb_build_object('waba_id', b.waba_id) || e.data AS data
        FROM ROWS FROM (json_to_recordset($2)
          AS (tenant_id uuid, business_account_id uuid, type text, data jsonb)) WITH ORDINALITY
          AS e(tenant_id, business_account_id, type, data, place)
        JOIN business_accounts b ON b.id = e.business_account_id`),
};
