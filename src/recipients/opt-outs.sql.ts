import type { Statement } from '../database/database.js';
import { tellRecipients } from '../events/tell.sql.js';

/*
 * The table of opt-outs: one row for each recipient of a tenant. All changes are here; what other statements need of it
 * are fragments, so that a message and what keeps it back are judged in one moment. Each change is told in the stream.
 *
 * What recipients wish comes repeatedly, out of order, and at the same moment: opt_out_lifts remembers for some days when
 * each opt-out was lifted, so that an older wish does not bring it back. Its row is locked before that of the opt-out.
 */

/**
 * A phone number in the spelling by which opt-outs are kept. The provider writes the mobile numbers of some countries with
 * another digit than callers may: Mexico with a 1, Argentina with a 9, Brazil without one. All spellings are one person.
 * @param phone SQL of a number's digits
 */
export const recipientSql = (phone: string) => `CASE
        WHEN ${phone} LIKE '521%' AND length(${phone}) = 13 THEN '52' || substr(${phone}, 4)
        WHEN ${phone} LIKE '54%' AND length(${phone}) = 12 THEN '549' || substr(${phone}, 3)
        WHEN ${phone} LIKE '55%' AND length(${phone}) = 12 AND substr(${phone}, 5, 1) >= '6'
          THEN substr(${phone}, 1, 4) || '9' || substr(${phone}, 5)
        ELSE ${phone} END`;

/**
 * The scope of the recipient's opt-out, found by its key; null where there is none.
 * @param message a table with `tenant_id` and `phone`
 * @param category SQL of the message's category: only the scope of an opt-out that keeps the message back
 */
export const optOutScopeSql = (message: string, category?: string) => `(
        SELECT o.scope FROM opt_outs o
        WHERE o.tenant_id = ${message}.tenant_id AND o.phone = ${recipientSql(`${message}.phone`)}
          ${category ? `AND (o.scope = 'all' OR ${category} = 'MARKETING')` : ''})`;

/** What recipients say themselves; the others are explicit choices of the tenant, and always count. */
const OF_RECIPIENTS = "('provider', 'keyword')";

/**
 * CTEs that keep opt-outs which were told by something else than a person's explicit choice, and tell of them: they
 * never narrow one. What comes from the provider leaves all others as they are, and others take over what came from the
 * provider, so that it cannot lift them. What recipients wished before their opt-out was lifted counts no more. Rows are
 * locked in the order of their keys. `$1` is the service's time.
 * @param told a table with `tenant_id, phone, scope, source, reason, created_at`, which may name a recipient repeatedly
 */
export const keepOptOuts = (told: string) => `wished AS MATERIALIZED (
      SELECT *, ${recipientSql('phone')} AS recipient FROM ${told}
    ), lifts AS (
      -- By an upsert, which waits for a lift that is under way and returns what that has left, unlike a look.
      INSERT INTO opt_out_lifts AS l (tenant_id, phone, noted_at)
      SELECT DISTINCT tenant_id, recipient, $1::timestamptz FROM wished WHERE source IN ${OF_RECIPIENTS} ORDER BY 1, 2
      ON CONFLICT (tenant_id, phone) DO UPDATE SET noted_at = excluded.noted_at
      RETURNING tenant_id, phone, lifted_at, resumed_at
    ), judged AS (
      -- By a window: of so few rows as it expects, the planner would join each with all.
      SELECT *, max(lifted_at) OVER recipients AS known_lift, max(resumed_at) OVER recipients AS known_resume
      FROM (
        SELECT tenant_id, recipient, scope, source, reason, created_at, NULL::timestamptz AS lifted_at,
          NULL::timestamptz AS resumed_at FROM wished
        UNION ALL SELECT tenant_id, phone, NULL, NULL, NULL, NULL, lifted_at, resumed_at FROM lifts
      ) known WINDOW recipients AS (PARTITION BY tenant_id, recipient)
    ), opted_out AS (
      INSERT INTO opt_outs AS o (tenant_id, phone, scope, source, reason, created_at)
      SELECT DISTINCT ON (tenant_id, recipient) tenant_id, recipient, scope, source, reason, created_at
      FROM judged WHERE source IS NOT NULL AND (created_at <= CASE source
        WHEN 'provider' THEN greatest(known_lift, known_resume) WHEN 'keyword' THEN known_lift END) IS NOT TRUE
      ORDER BY tenant_id, recipient, scope, source = 'provider', created_at DESC
      ON CONFLICT (tenant_id, phone) DO UPDATE SET scope = least(o.scope, excluded.scope), source = excluded.source,
        reason = excluded.reason, created_at = excluded.created_at
      WHERE excluded.scope < o.scope OR (o.source = 'provider'
        AND (excluded.source <> 'provider' OR excluded.created_at > o.created_at))
      RETURNING o.*
    ), opted_out_told AS (${tellRecipients('recipient.opted_out', 'opted_out')}
    )`;

const COLUMNS = 'phone, scope, source, reason, created_at';

/** Sets an opt-out exactly as somebody wants it. Repeated, it changes nothing. */
export const SET: Statement = {
  name: 'opt_out_set',
  text: `
    WITH changed AS (
      INSERT INTO opt_outs AS o (tenant_id, phone, scope, source, reason, created_at)
      VALUES ($2, ${recipientSql('$3::text')}, $4, $5, $6, $1::timestamptz)
      ON CONFLICT (tenant_id, phone) DO UPDATE SET scope = excluded.scope, source = excluded.source, reason = excluded.reason,
        created_at = CASE
          WHEN (o.scope, o.source, o.reason) IS NOT DISTINCT FROM (excluded.scope, excluded.source, excluded.reason)
          THEN o.created_at ELSE excluded.created_at END
      RETURNING o.*
    ), told AS (${tellRecipients('recipient.opted_out', 'changed WHERE created_at = $1::timestamptz')}
    )
    SELECT ${COLUMNS} FROM changed`,
};

/** Keeps many ($2), as {@link keepOptOuts} says. @returns a row for each that is new or has changed */
export const KEEP: Statement = {
  name: 'opt_out_keep',
  text: `
    WITH told AS MATERIALIZED (
      SELECT * FROM json_to_recordset($2)
        AS t(tenant_id uuid, phone text, scope text, source text, reason text, created_at timestamptz)
    ), ${keepOptOuts('told')}
    SELECT phone FROM opted_out`,
};

/**
 * Locks what is known of lifts of these recipients ($2), and notes when they resumed at the provider, where they did. Comes
 * in a transaction before LIFT and LIFT_PROVIDERS: these see then what was kept meanwhile.
 */
export const BEGIN_LIFT: Statement = {
  name: 'opt_out_begin_lift',
  text: `
    INSERT INTO opt_out_lifts AS l (tenant_id, phone, resumed_at, noted_at)
    SELECT t.tenant_id, ${recipientSql('t.phone')}, max(t.resumed_at), $1::timestamptz
    FROM json_to_recordset($2) AS t(tenant_id uuid, phone text, resumed_at timestamptz) GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (tenant_id, phone) DO UPDATE SET resumed_at = greatest(l.resumed_at, excluded.resumed_at),
      noted_at = excluded.noted_at`,
};

/**
 * Lifts an opt-out, whoever has set it, after BEGIN_LIFT; $4 is who lifts it. The provider's times have whole seconds: a
 * wish of this very second may be a newer one and counts, unless it is that which is lifted.
 */
export const LIFT: Statement = {
  name: 'opt_out_lift',
  text: `
    WITH lifted AS (
      DELETE FROM opt_outs WHERE tenant_id = $2 AND phone = ${recipientSql('$3::text')} RETURNING *
    ), noted AS (
      UPDATE opt_out_lifts n SET lifted_at = greatest(n.lifted_at,
        date_trunc('second', $1::timestamptz) - interval '1 microsecond',
        CASE WHEN l.source IN ${OF_RECIPIENTS} THEN l.created_at END)
      FROM lifted l WHERE n.tenant_id = $2 AND n.phone = ${recipientSql('$3::text')}
    ), told AS (${tellRecipients(
      'recipient.opted_in',
      `(SELECT tenant_id, phone, scope, $4::text AS source, NULL AS reason, $1::timestamptz AS created_at FROM lifted) l`,
    )}
    )
    SELECT ${COLUMNS} FROM lifted`,
};

/** Lifts those ($2) that the provider has set, and not after the moment at which they are lifted; after BEGIN_LIFT. */
export const LIFT_PROVIDERS: Statement = {
  name: 'opt_out_lift_providers',
  text: `
    WITH told AS MATERIALIZED (
      SELECT t.tenant_id, ${recipientSql('t.phone')} AS phone, max(t.resumed_at) AS resumed_at
      FROM json_to_recordset($2) AS t(tenant_id uuid, phone text, resumed_at timestamptz) GROUP BY 1, 2 ORDER BY 1, 2
    ), locked AS MATERIALIZED (
      SELECT o.tenant_id, o.phone, t.resumed_at FROM told t CROSS JOIN LATERAL (
        SELECT tenant_id, phone FROM opt_outs
        WHERE tenant_id = t.tenant_id AND phone = t.phone AND source = 'provider' AND created_at <= t.resumed_at
        LIMIT 1 FOR UPDATE) o
    ), lifted AS (
      DELETE FROM opt_outs o USING locked l WHERE o.tenant_id = l.tenant_id AND o.phone = l.phone
      RETURNING o.tenant_id, o.phone, o.scope, o.source, NULL AS reason, l.resumed_at AS created_at
    ), lifted_told AS (${tellRecipients('recipient.opted_in', 'lifted')}
    )
    SELECT phone FROM lifted`,
};

/** Which of these phones ($2) may not get messages of a category ($3; null: of an unknown one). */
export const AMONG: Statement = {
  name: 'opt_out_among',
  text: `
    SELECT p.phone, o.scope FROM unnest($2::text[]) AS p(phone) CROSS JOIN LATERAL (
      SELECT scope FROM opt_outs WHERE tenant_id = $1 AND phone = ${recipientSql('p.phone')} LIMIT 1) o
    WHERE o.scope = 'all' OR $3::text = 'MARKETING'`,
};

export const FIND: Statement = {
  name: 'opt_out_find',
  text: `
    SELECT ${COLUMNS} FROM opt_outs
    WHERE tenant_id = $1 AND phone = ${recipientSql('$2::text')} AND source = coalesce($3, source)`,
};

/** Newest first, after a position ($2, $3). */
export const LIST: Statement = {
  name: 'opt_out_list',
  text: `
    SELECT ${COLUMNS} FROM opt_outs WHERE tenant_id = $1 AND (created_at, phone) < ($2::timestamptz, $3::text)
    ORDER BY created_at DESC, phone DESC LIMIT $4`,
};

/** The same for one source ($5). */
export const LIST_OF_SOURCE: Statement = {
  name: 'opt_out_list_of_source',
  text: `
    SELECT ${COLUMNS} FROM opt_outs
    WHERE tenant_id = $1 AND source = $5 AND (created_at, phone) < ($2::timestamptz, $3::text)
    ORDER BY created_at DESC, phone DESC LIMIT $4`,
};
