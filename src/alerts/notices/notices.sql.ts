import type { Statement } from '../../database/database.js';
import { OVERTAKEN } from '../alerts.service.js';

/** Alerts that one mail or one post tells of at most. */
export const MOST_AT_ONCE = 50;

/**
 * Alerts `a` that channel `c` has yet to tell, up to $2 of raising, those given up left out, and those of which a graver one
 * tells.
 */
const UNTOLD = `
      a.raised_at >= c.since AND a.raised_at >= $2::timestamptz AND a.ended_by IS DISTINCT FROM '${OVERTAKEN}'
      AND NOT EXISTS (SELECT FROM alert_notices n WHERE n.alert_id = a.id AND n.channel = c.name)`;

/** Makes a channel ($1) known: it tells of what is raised from now ($2) on. */
export const OPEN_CHANNEL: Statement = {
  name: 'alert_channel_open',
  text: `
    INSERT INTO alert_channels (name, since, next_try_at) VALUES ($1, $2, $2) ON CONFLICT (name) DO NOTHING`,
};

/**
 * Takes a channel ($1) whose time has come by $3 and that has something to tell, with a lease until $4: one worker at a time
 * tells by it.
 */
export const TAKE_CHANNEL: Statement = {
  name: 'alert_channel_take',
  text: `
    UPDATE alert_channels c SET next_try_at = $4
    WHERE name = $1 AND next_try_at <= $3 AND EXISTS (SELECT FROM alerts a WHERE ${UNTOLD})
    RETURNING failures`,
};

/** What channel $1 has yet to tell, oldest first, with how many there are in all. */
export const READ_UNTOLD: Statement = {
  name: 'alert_notices_untold',
  text: `
    SELECT a.id AS alert_id, a.kind, a.severity, a.text, t.name AS tenant, b.waba_id, a.raised_at, a.ended_at,
      count(*) OVER () AS total
    FROM alert_channels c CROSS JOIN alerts a
    LEFT JOIN tenants t ON t.id = a.tenant_id
    LEFT JOIN business_accounts b ON b.id = a.business_account_id
    WHERE c.name = $1 AND ${UNTOLD}
    ORDER BY a.raised_at, a.id LIMIT ${MOST_AT_ONCE}`,
};

/** Notes that channel $1 has told of the alerts $2 by $3, and may tell of others from $5 on, if the lease until $4 is still ours. */
export const NOTE_TOLD: Statement = {
  name: 'alert_notices_note_told',
  text: `
    WITH channel AS (
      UPDATE alert_channels SET next_try_at = $5, failures = 0 WHERE name = $1 AND next_try_at = $4
    )
    INSERT INTO alert_notices (alert_id, channel, told_at)
    SELECT a.id, $1, $3 FROM alerts a WHERE a.id = ANY($2::integer[]) FOR KEY SHARE
    ON CONFLICT (alert_id, channel) DO NOTHING`,
};

/** Notes that channel $1 has failed, and is tried again at $3, if the lease until $2 is still ours. */
export const NOTE_FAILED: Statement = {
  name: 'alert_channel_note_failed',
  text: `
    UPDATE alert_channels SET next_try_at = $3, failures = failures + 1
    WHERE name = $1 AND next_try_at = $2`,
};

/** Gives up what channel $1 could not tell of by $2, of what was raised since $3. */
export const GIVE_UP_UNTOLD: Statement = {
  name: 'alert_notices_give_up',
  text: `
    INSERT INTO alert_notices (alert_id, channel)
    SELECT a.id, c.name FROM alert_channels c CROSS JOIN alerts a
    WHERE c.name = $1 AND a.raised_at >= c.since AND a.raised_at < $2::timestamptz AND a.raised_at >= $3::timestamptz
      AND a.ended_by IS DISTINCT FROM '${OVERTAKEN}'
      AND NOT EXISTS (SELECT FROM alert_notices n WHERE n.alert_id = a.id AND n.channel = c.name)
    FOR KEY SHARE OF a
    ON CONFLICT (alert_id, channel) DO NOTHING RETURNING alert_id`,
};
