import type { Statement } from '../../database/database.js';
import { COUNTS } from '../../statistics/message-stats.sql.js';

/** How many messages are counted while a page waits; with more, the figures are those of the last roll-up. */
export const LIVE_LIMIT = 20_000;

/**
 * When the passes over the messages were complete, and whether the tenant has any message. ORDER BY makes the planner
 * use an index: for EXISTS it scans the table, hoping to find a row soon, and reads all of it for a new tenant.
 */
export const STATE: Statement = {
  name: 'overview_state',
  text: `
    SELECT (SELECT counted_at FROM message_stats_passes WHERE name = 'newest') AS newest_at,
      (SELECT counted_at FROM message_stats_passes WHERE name = 'all') AS all_at,
      (SELECT id FROM message_logs WHERE tenant_id = $1 ORDER BY created_at DESC LIMIT 1) IS NOT NULL
        OR (SELECT hour FROM message_stats WHERE tenant_id = $1 ORDER BY hour DESC LIMIT 1) IS NOT NULL AS has_messages`,
};

/** Messages since $2, counted up to the limit. */
export const RECENT: Statement = {
  name: 'overview_recent',
  text: `
    SELECT count(*) AS messages FROM (
      SELECT FROM message_logs WHERE tenant_id = $1 AND created_at >= $2::timestamptz
      ORDER BY created_at LIMIT ${LIVE_LIMIT + 1}
    ) first`,
};

const SUMS = `
  coalesce(sum(accepted), 0)::integer AS accepted, coalesce(sum(sent), 0)::integer AS sent,
  coalesce(sum(delivered), 0)::integer AS delivered, coalesce(sum(read), 0)::integer AS read,
  coalesce(sum(failed), 0)::integer AS failed, coalesce(sum(opted_out), 0)::integer AS opted_out,
  coalesce(sum(capped), 0)::integer AS capped`;

/**
 * All figures of a period in one statement: from the roll-ups up to $4, and from the messages themselves after that.
 * $1 tenant, $2 begin of the period before, $3 its end, $4 see above, $5 begin of the period, $6 `hour` or `day`,
 * $7 zone of the days. An hour belongs to the day of its middle, for zones that are half an hour off. The statement has
 * no name, so that it is planned for the given times, which may span a day or half a year.
 */
export const FIGURES: Statement = {
  name: '',
  text: `
    WITH cell AS MATERIALIZED (
      SELECT hour, template_id, category, currency, accepted, sent, delivered, read, failed, opted_out, capped, cost
      FROM message_stats
      WHERE tenant_id = $1 AND hour >= $2::timestamptz AND hour < $4::timestamptz
      UNION ALL
      SELECT date_trunc('hour', m.created_at, 'UTC'), m.template_id, m.conversation_category, m.currency, ${COUNTS}
      FROM message_logs m
      WHERE m.tenant_id = $1 AND m.created_at >= greatest($2::timestamptz, $4::timestamptz)
      GROUP BY 1, 2, 3, 4
    ), present AS MATERIALIZED (
      SELECT *, CASE $6::text
        WHEN 'hour' THEN to_char(hour AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24":00:00Z"')
        ELSE to_char((hour + interval '30 minutes') AT TIME ZONE $7::text, 'YYYY-MM-DD') END AS point
      FROM cell WHERE hour >= $5::timestamptz
    ), series AS (
      SELECT point, ${SUMS} FROM present GROUP BY point
    ), template AS (
      SELECT p.*, t.name, t.language, t.category, t.status, t.quality_score AS quality
      FROM (SELECT template_id, ${SUMS} FROM present GROUP BY template_id) p JOIN templates t ON t.id = p.template_id
    ), cost AS (
      SELECT currency, point, category, sum(cost)::text AS amount FROM present
      GROUP BY currency, point, category HAVING sum(cost) > 0
    ), total_cost AS (
      SELECT currency, coalesce(sum(cost) FILTER (WHERE hour >= $5), 0)::numeric(18,6)::text AS amount,
        coalesce(sum(cost) FILTER (WHERE hour < $3::timestamptz), 0)::numeric(18,6)::text AS previous
      FROM cell GROUP BY currency HAVING sum(cost) > 0
    )
    SELECT
      (SELECT row_to_json(sums) FROM (SELECT ${SUMS} FROM present) sums) AS totals,
      (SELECT row_to_json(sums) FROM (SELECT ${SUMS} FROM cell WHERE hour < $3::timestamptz) sums) AS previous,
      (SELECT coalesce(json_agg(series), '[]') FROM series) AS series,
      (SELECT coalesce(json_agg(template ORDER BY sent DESC, name, language, template_id), '[]') FROM template) AS templates,
      (SELECT coalesce(json_agg(cost), '[]') FROM cost) AS costs,
      (SELECT coalesce(json_agg(total_cost ORDER BY currency), '[]') FROM total_cost) AS total_costs`,
};
