import type { Statement } from '../database/database.js';
import { tellCampaigns } from './campaign-events.sql.js';

/* The statements of CampaignStore. Those that start, pause or finish a campaign tell of it. */

const COLUMNS = `c.id, c.tenant_id, c.name, n.api_id AS messaging_account_id, n.business_account_id,
  n.name AS account_name, n.messages_per_second, c.template_name, c.language, c.status, c.cause, c.revision,
  c.file_name, c.columns, c.row_count, c.mapping, c.auto_retry, c.verdict, c.template_id, c.template_revision,
  c.accepted_count, c.refused_count, c.starts_at, c.timezone, c.created_by, c.created_at, c.started_at, c.ended_at`;
const FROM = 'campaigns c JOIN messaging_accounts n ON n.id = c.messaging_account_id';
const OWN = 'tenant_id = $1 AND id = $2';

export const FIND: Statement = {
  name: 'campaign_find',
  text: `SELECT ${COLUMNS} FROM ${FROM} WHERE c.tenant_id = $1 AND c.id = $2`,
};

export const LIST: Statement = {
  name: 'campaign_list',
  text: `
    SELECT ${COLUMNS} FROM ${FROM} WHERE c.tenant_id = $1 AND ($3::integer IS NULL OR c.id < $3)
    ORDER BY c.id DESC LIMIT $2`,
};

export const EDIT: Statement = {
  name: 'campaign_edit',
  text: `
    UPDATE campaigns SET revision = revision + 1, name = coalesce($4, name),
      messaging_account_id = coalesce($5, messaging_account_id), template_name = coalesce($6, template_name),
      language = coalesce($7, language), mapping = coalesce($8, mapping), auto_retry = coalesce($9, auto_retry),
      verdict = CASE WHEN coalesce($5::text, $6, $7, $8::text) IS NULL THEN verdict END
    WHERE ${OWN} AND revision = $3 AND status = 'draft' RETURNING id`,
};

export const JUDGED: Statement = {
  name: 'campaign_judged',
  text: `
    UPDATE campaigns SET verdict = $4, template_revision = $5, template_id = $6, revision = revision + 1
    WHERE ${OWN} AND revision = $3 AND status = 'draft' AND file_name IS NOT NULL RETURNING id`,
};

export const START: Statement = {
  name: 'campaign_start',
  text: `
    WITH started AS (
      UPDATE campaigns SET revision = revision + 1, starts_at = $4, timezone = $5,
        status = CASE WHEN $4 > $6::timestamptz THEN 'scheduled' ELSE 'running' END,
        started_at = CASE WHEN $4 > $6::timestamptz THEN NULL ELSE $6::timestamptz END
      WHERE ${OWN} AND revision = $3 AND status = 'draft' AND verdict IS NOT NULL RETURNING *
    ), told AS (${tellCampaigns('started', '$6::timestamptz')}
    ), skipped AS (
      UPDATE campaign_recipients r SET state = 'skipped' FROM started
      WHERE r.campaign_id = started.id AND r.fault IS NOT NULL
    )
    SELECT id FROM started`,
};

export const PAUSE: Statement = {
  name: 'campaign_pause',
  text: `
    WITH paused AS (
      UPDATE campaigns SET status = 'paused', cause = NULL
      WHERE ${OWN} AND status IN ('scheduled', 'running') RETURNING *
    ), told AS (${tellCampaigns('paused', '$3::timestamptz')}
    )
    SELECT id FROM paused`,
};

export const RESUME: Statement = {
  name: 'campaign_resume',
  text: `
    WITH resumed AS (
      UPDATE campaigns SET cause = NULL, template_revision = $4, template_id = $5,
        verdict = verdict || jsonb_build_object('category', $6::text),
        status = CASE WHEN starts_at > $3::timestamptz THEN 'scheduled' ELSE 'running' END,
        started_at = CASE WHEN starts_at > $3::timestamptz THEN NULL ELSE coalesce(started_at, $3::timestamptz) END
      WHERE ${OWN} AND status = 'paused' RETURNING *
    ), told AS (${tellCampaigns('resumed', '$3::timestamptz')}
    )
    SELECT id FROM resumed`,
};

export const CANCEL: Statement = {
  name: 'campaign_cancel',
  text: `
    UPDATE campaigns SET status = 'canceled', cause = NULL, ended_at = $3
    WHERE ${OWN} AND status IN ('scheduled', 'running', 'paused') RETURNING id`,
};

export const DELETE: Statement = {
  name: 'campaign_delete',
  text: `DELETE FROM campaigns WHERE ${OWN} AND status = 'draft' RETURNING id`,
};

export const RUNNING: Statement = {
  name: 'campaign_running',
  text: `
    WITH started AS (
      UPDATE campaigns SET status = 'running', started_at = $1::timestamptz
      WHERE status = 'scheduled' AND starts_at <= $1::timestamptz RETURNING *
    ), told AS (${tellCampaigns('started', '$1::timestamptz')}
    )
    SELECT id FROM campaigns WHERE status = 'running' UNION SELECT id FROM started ORDER BY id`,
};

export const TAKE: Statement = {
  name: 'campaign_take',
  text: `SELECT ${COLUMNS} FROM ${FROM} WHERE c.id = $1 AND c.status = 'running' FOR UPDATE OF c SKIP LOCKED`,
};

export const STOP: Statement = {
  name: 'campaign_stop',
  text: `
    WITH paused AS (
      UPDATE campaigns SET status = 'paused', cause = $2 WHERE id = $1 AND status = 'running' RETURNING *
    ), told AS (${tellCampaigns('paused', '$3::timestamptz')}
    )
    SELECT id FROM paused`,
};

export const STOP_ALL: Statement = {
  name: 'campaign_stop_all',
  text: `
    WITH paused AS (
      UPDATE campaigns SET status = 'paused', cause = $2
      WHERE status = 'running' OR (status = 'scheduled' AND starts_at <= $1) RETURNING *
    ), told AS (${tellCampaigns('paused', '$3::timestamptz')}
    )
    SELECT id FROM paused`,
};

export const ADOPT: Statement = {
  name: 'campaign_adopt',
  text: `UPDATE campaigns SET template_id = $2, template_revision = $3 WHERE id = $1 AND status = 'running'`,
};

export const CONTENTS: Statement = {
  name: 'campaign_template_contents',
  text: `
    SELECT t.category, t.parameter_format, t.body_json
    FROM unnest($1::integer[], $2::integer[]) WITH ORDINALITY AS wanted (id, revision, place)
    JOIN templates t USING (id, revision) ORDER BY place`,
};

/**
 * Messages on their way are found by the index of messages to resolve, which holds nothing else, rather than by the
 * campaign, which may have 100,000 messages.
 */
export const FINISH: Statement = {
  name: 'campaign_finish',
  text: `
    WITH under_way AS MATERIALIZED (
      SELECT campaign_id FROM outbox WHERE resolve_at IS NOT NULL AND campaign_row IS NOT NULL
    ), finished AS (
      UPDATE campaigns SET status = 'finished', ended_at = $2::timestamptz WHERE id = $1 AND status = 'running'
        AND NOT EXISTS (SELECT FROM under_way WHERE campaign_id = $1) RETURNING *
    ), told AS (${tellCampaigns('finished', '$2::timestamptz')}
    )
    SELECT id FROM finished`,
};
