import type { Statement } from '../database/database.js';
import { changedTemplate } from './template-changes.sql.js';

/* What the provider tells of templates: whole lists, and single changes. */

const COLUMNS = 'id, provider_template_id, name, language, status, status_before_archive, category';

export const ALL: Statement = {
  name: 'templates_all',
  text: `SELECT ${COLUMNS} FROM templates WHERE business_account_id = $1 AND removed_at IS NULL`,
};

export const FIND: Statement = {
  name: 'templates_find',
  text: `
    SELECT ${COLUMNS} FROM templates
    WHERE business_account_id = $1 AND removed_at IS NULL
      AND (provider_template_id = $2 OR (name = $3 AND replace(language, '-', '_') = $4))
    ORDER BY provider_template_id = $2 DESC LIMIT 1`,
};

/** Changes template $1, and gives it as it was and as it is: locked before it is read. */
const change = (name: string, set: string, where: string): Statement => ({
  name,
  text: `
    WITH was AS MATERIALIZED (
      SELECT * FROM templates WHERE id = $1 FOR NO KEY UPDATE
    ), changed AS (
      UPDATE templates t SET ${set} FROM was WHERE t.id = was.id AND ${where} RETURNING t.*
    )
    SELECT ${changedTemplate('was', 'changed')} FROM changed JOIN was USING (id)`,
});

export const SET_STATUS = change(
  'templates_set_status',
  `status = $2, provider_status = $3, status_reason = $4, status_changed_at = $5,
        status_event_at = coalesce($6::timestamptz, was.status_event_at)`,
  '($6 >= was.status_event_at) IS NOT FALSE',
);

export const SET_QUALITY = change(
  'templates_set_quality',
  `quality_score = $2, quality_changed_at = $3,
        quality_event_at = coalesce($4::timestamptz, was.quality_event_at)`,
  '($4 >= was.quality_event_at) IS NOT FALSE',
);

export const SET_CATEGORY = change(
  'templates_set_category',
  `category = coalesce($2, was.category),
        message_send_ttl_seconds = CASE WHEN $2 <> was.category THEN NULL ELSE was.message_send_ttl_seconds END,
        revision = was.revision + CASE WHEN $2 <> was.category THEN 1 ELSE 0 END,
        category_changed_at = CASE WHEN $2 IS NULL THEN was.category_changed_at ELSE $3 END,
        category_event_at = coalesce($4::timestamptz, was.category_event_at)`,
  '($4 >= was.category_event_at) IS NOT FALSE',
);

export const REMOVE = change('templates_remove', 'removed_at = $2', 'was.removed_at IS NULL');

/**
 * One statement, so that no send sees half a list. A list older than the last one taken changes nothing. A template
 * that was deleted and made again keeps its row and gets the new id. One that is no longer listed is kept as removed,
 * for the messages that were sent with it. Whoever asked for the list, the next regular sync is due at $5. Gives what
 * has changed, but of the first list of an account: nothing was known before.
 */
export const REPLACE_ALL: Statement = {
  name: 'templates_replace_all',
  text: `
    WITH account AS MATERIALIZED (
      SELECT id, templates_synced_at AS last FROM business_accounts WHERE id = $1 FOR NO KEY UPDATE
    ), newest AS (
      UPDATE business_accounts b SET templates_synced_at = $4, template_sync_due_at = $5, template_sync_failures = 0
      FROM account a WHERE b.id = a.id AND coalesce(a.last, '-infinity') <= $4 RETURNING b.id
    ), listed AS (
      SELECT DISTINCT ON (name, language) l.* FROM newest, json_to_recordset($3) AS l(
        provider_template_id text, name text, language text, category text, status text, provider_status text,
        status_reason text, quality_score text, parameter_format text, message_send_ttl_seconds integer,
        body_json jsonb)
    ), was AS MATERIALIZED (
      SELECT t.* FROM newest JOIN templates t ON t.business_account_id = newest.id AND t.removed_at IS NULL
      LEFT JOIN listed l ON l.name = t.name AND l.language = t.language
      WHERE (t.category, t.parameter_format, t.body_json, t.quality_score, t.status)
        IS DISTINCT FROM (l.category, l.parameter_format, l.body_json, l.quality_score, l.status)
      ORDER BY t.name, t.language FOR NO KEY UPDATE OF t
    ), written AS (
      INSERT INTO templates AS t (business_account_id, tenant_id, provider_template_id, name, language, category,
        status, provider_status, status_reason, quality_score, parameter_format, message_send_ttl_seconds, body_json,
        status_changed_at)
      SELECT $1::uuid, $2::uuid, provider_template_id, name, language, category,
        status, provider_status, status_reason, quality_score, parameter_format, message_send_ttl_seconds, body_json, $4
      FROM listed WHERE (SELECT count(*) FROM was) >= 0 -- not before these are locked
      ON CONFLICT (business_account_id, name, language) WHERE removed_at IS NULL DO UPDATE SET
        provider_template_id = excluded.provider_template_id,
        category = CASE WHEN t.category_changed_at > $4 THEN t.category ELSE excluded.category END,
        parameter_format = excluded.parameter_format,
        body_json = excluded.body_json,
        message_send_ttl_seconds = CASE WHEN t.category_changed_at > $4 THEN t.message_send_ttl_seconds
          ELSE excluded.message_send_ttl_seconds END,
        quality_score = CASE WHEN t.quality_changed_at > $4 THEN t.quality_score ELSE excluded.quality_score END,
        status = CASE WHEN t.status_changed_at > $4 THEN t.status ELSE excluded.status END,
        provider_status = CASE WHEN t.status_changed_at > $4 THEN t.provider_status ELSE excluded.provider_status END,
        status_reason = CASE WHEN t.status_changed_at > $4 THEN t.status_reason
          ELSE coalesce(excluded.status_reason, CASE WHEN t.status = excluded.status THEN t.status_reason END) END,
        status_changed_at = CASE WHEN t.status_changed_at > $4 OR t.status = excluded.status
          THEN t.status_changed_at ELSE $4 END,
        revision = t.revision + CASE WHEN (t.parameter_format, t.body_json)
            IS DISTINCT FROM (excluded.parameter_format, excluded.body_json)
          OR (t.category <> excluded.category AND (t.category_changed_at > $4) IS NOT TRUE) THEN 1 ELSE 0 END
      WHERE (t.provider_template_id, t.category, t.parameter_format, t.body_json, t.message_send_ttl_seconds,
          t.quality_score, t.status, t.provider_status)
        IS DISTINCT FROM (excluded.provider_template_id, excluded.category, excluded.parameter_format,
          excluded.body_json, excluded.message_send_ttl_seconds, excluded.quality_score, excluded.status,
          excluded.provider_status)
      RETURNING t.*, xmax = 0 AS created
    ), removed AS (
      UPDATE templates t SET removed_at = now()
      WHERE t.business_account_id IN (SELECT id FROM newest) AND t.removed_at IS NULL AND t.created_at <= $4
        AND NOT EXISTS (SELECT FROM listed l WHERE l.name = t.name AND l.language = t.language)
        AND (SELECT count(*) FROM was) >= 0
      RETURNING t.*
    ), changed AS (
      SELECT ${changedTemplate('was', 'written')} FROM written LEFT JOIN was USING (id)
      WHERE written.created OR was.id IS NOT NULL
      UNION ALL
      SELECT ${changedTemplate('was', 'removed')} FROM removed JOIN was USING (id)
    )
    SELECT count(*) FILTER (WHERE created) AS created, count(*) FILTER (WHERE NOT created) AS updated,
      (SELECT count(*) FROM removed) AS removed,
      (SELECT coalesce(json_agg(c ORDER BY c.name, c.language), '[]') FROM changed c, account
        WHERE account.last IS NOT NULL) AS changes
    FROM written`,
};
