import { NEW_TENANT, TENANT } from './grown-tables.js';

/** One row for all statements that take rows as JSON: each reads the fields that it knows. */
const ROW = {
  ordinal: 0,
  id: 60_000,
  attempt: 1,
  message_log_id: 60_000,
  template_version: null,
  provider_message_id: 'wamid.60000',
  business_account_id: TENANT,
  status: 'read',
  occurred_at: new Date(),
  due_at: new Date(),
  error: null,
  details: {},
  event: 'retry',
  next_try_at: null,
  row: 20,
  row_number: 20,
  cells: [],
  phone: '12025550100',
  fault: null,
  state: 'accepted',
  tenant_id: TENANT,
  messaging_account_id: 1,
  template_id: 1,
  template_revision: 1,
  template_name: 'template_1',
  language: 'en_US',
  components: [],
  auto_retry: false,
  category: 'UTILITY',
  cost: 1,
  currency: 'USD',
  scope: 'marketing',
  source: 'provider',
  created_at: new Date(),
  resumed_at: new Date(),
};

/** SQL of a value for each type of parameter. */
const BY_TYPE: Record<string, string> = {
  'timestamp with time zone': 'now()',
  'integer[]': `'{1,2}'`,
  integer: '1', // mostly the id of a campaign or number
  boolean: 'false',
  bigint: '50',
  jsonb: `'{}'`,
  json: `'${JSON.stringify([ROW])}'`,
  text: `'retry'`,
  'bigint[]': `'{}'`,
  'double precision': '1',
  numeric: '1',
  smallint: '50',
  uuid: `'${TENANT}'`,
  'uuid[]': `'{${TENANT}}'`,
  'text[]': `'{retry}'`,
  'boolean[]': `'{false}'`,
};

/** Values that the types do not tell, by the name of the statement or, if it has none, of its constant. */
const BY_NAME: Record<string, string[]> = {
  campaign_pending: ['1', '200'],
  campaign_rest: ['1', '0', '1000'],
  campaign_rows: ['1', '5000', '100', 'NULL', 'now()'],
  campaign_faulty_rows: ['2', '5000', '100', 'NULL', 'now()'],
  campaign_waiting: ['3', '1000'],
  idempotency_expire: [`now() - interval '48 hours'`, '5000'],
  webhook_digests_expire: [`now() - interval '10 days'`, '5000'],
  campaign_expire: [`now()`],
  inbox_parked: ['20'],
  inbox_take: ['now()', '500', '2000000'],
  message_lock_told: [`'{59999,60000}'`, '59999', '60000', `'{${TENANT}}'`],
  message_claimed: [`'{59999,60000}'`],
  message_find: [`'${TENANT}'`, '60000', 'now()'],
  message_events_find: ['60000'],
  messages_expire: ['now()', '50', '70000'],
  inbox_expire: ['now()', '50', '70000'],
  opt_out_set: ['now()', `'${TENANT}'`, `'12020000050'`, `'all'`, `'api'`, 'NULL'],
  opt_out_lift: ['now()', `'${TENANT}'`, `'12020000050'`, `'api'`],
  opt_out_lifts_expire: [`now() - interval '10 days'`, '5000'],
  opt_out_list_of_source: [`'${TENANT}'`, `'infinity'`, `''`, '51', `'import'`],
  opt_out_among: [`'${TENANT}'`, `'{12020000050,12020000051}'`, `'MARKETING'`],
  events_expire: ['now()', '50', '70000'],
  events_read: [`'${TENANT}'`, '60000', '1', '79000', '100', '500', 'NULL'],
  events_news: ['60000', '79000'],
  message_claim: ['now()', `'{1,2}'`, `'{50,1}'`, 'now()', 'now()'],
  message_claim_probe: ['now()', `'{1}'`, `'{1}'`, 'now()', 'now()'],
  message_stats_late_hours: [`now() - interval '35 days'`, `'-infinity'`],
  message_warning_facts: [`'${TENANT}'`, '1', '1', `'12025550100'`, `now() - interval '1 day'`],
  numbers_due: ['now()', `'{1,2}'`, '1000'],
  overview_recent: [`'${TENANT}'`, `'-infinity'`],
  spend_limit_set: [`'${TENANT}'`, `'tenant'`, `'${TENANT}'`, `'day'`, `'EUR'`, '1', 'now()'],
  spend_limit_spent_before: [
    '1',
    `'${TENANT}'`,
    `now() - interval '1 day'`,
    'now()',
    '60000',
    `'USD'`,
    'NULL',
    'NULL',
  ],
  spend_limit_finish: [
    '1',
    `'${TENANT}'`,
    `now() - interval '1 day'`,
    'now()',
    '60000',
    `'USD'`,
    '1',
    'NULL',
    '7.5',
    `'{1}'`,
  ],
  FIGURES: [
    `'${TENANT}'`,
    `now() - interval '14 days'`,
    `now() - interval '7 days'`,
    `now() - interval '1 hour'`,
    `now() - interval '7 days'`,
    `'hour'`,
    `'UTC'`,
  ],
  RECOUNT: [`now() - interval '1 day'`, 'now()'],
};

/** The tenants for which a statement is planned and run: one that has nearly all rows, and a new one. */
export const TENANTS = { 'a large tenant': TENANT, 'a new tenant': NEW_TENANT };

/** @param name of the statement or, if it has none, of its constant; @returns SQL of the value of a parameter */
export function valuesFor(name: string, tenant: string): (place: number, type: string) => string {
  return (place, type) => {
    const value = BY_NAME[name]?.[place] ?? BY_TYPE[type];
    if (value === undefined) throw new Error(`test/support/statement-values.ts has no value of ${type}`);
    return value.replaceAll(TENANT, tenant);
  };
}
