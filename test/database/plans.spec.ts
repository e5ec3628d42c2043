import { describe, expect, it } from '@jest/globals';
import { NUMBERS, WAITING_LIMIT } from '../../src/dashboard/numbers/numbers-queries.js';
import { LIVE_LIMIT, RECENT } from '../../src/dashboard/overview/overview-figures.sql.js';
import type { Statement } from '../../src/database/database.js';
import { NEWS } from '../../src/events/event-news.service.js';
import { READ_EVENTS } from '../../src/messages/events/event-stream.sql.js';
import {
  type MessageFilter,
  searchStatement,
  WINDOW,
  windowEndStatement,
} from '../../src/messages/lists/message-list.sql.js';
import { RECOUNT } from '../../src/statistics/message-stats.sql.js';
import * as cancel from '../../src/messages/cancel.sql.js';
import { CLAIMED } from '../../src/outbox/claimed.sql.js';
import * as outbox from '../../src/outbox/outbox.sql.js';
import * as outcomes from '../../src/delivery/outcomes.sql.js';
import { WARNING_FACTS } from '../../src/messages/warnings.sql.js';
import { EVENTS, FIND } from '../../src/messages/lists/message-queries.js';
import { LOCK_TOLD } from '../../src/messages/receipts/lock-told.sql.js';
import { APPLY_RECEIPTS } from '../../src/messages/receipts/receipts.sql.js';
import { BACKLOG_LIMIT } from '../../src/operations/backlog.service.js';
import { AMONG, DUE_BY } from '../../src/scheduling/due-numbers.store.js';
import { EXPIRE_EVENTS, EXPIRE_INBOX, EXPIRE_MESSAGES } from '../../src/scheduling/expiry.service.js';
import { TAKE_DUE } from '../../src/templates/regular-syncs.service.js';
import { DONE, TAKE } from '../../src/webhooks/inbox.processor.js';
import { CAMPAIGN_ROWS, grownTables, TENANT } from '../support/grown-tables.js';
import {
  explain,
  explainPrepared,
  type PlanMode,
  type PlanNode,
  rowsReadBy,
  unsafeLocks,
  useFilledDatabase,
} from '../support/query-plans.js';
import { TENANTS, valuesFor } from '../support/statement-values.js';
import { isMadeOf, statementsOn, usesOfEntity } from '../support/statements.js';

/** Tables that grow with every message. */
const GROWING = [
  'message_logs',
  'message_events',
  'message_stats',
  'ledger_entries',
  'idempotency_keys',
  'webhook_inbox',
  'webhook_digests',
  'campaign_recipients',
  'campaign_messages',
  'message_retries',
  'outbox',
  'late_sends',
  'opt_outs',
  'opt_out_lifts',
  'event_stream',
];

/** Tables with a row for what somebody has set up, or does by hand, or of which only minutes or a day are kept, as of changes of limits. */
const SMALL = [
  'alert_channels',
  'alert_notices',
  'alert_reads',
  'alerts',
  'api_keys',
  'audit_log',
  'business_accounts',
  'campaigns',
  'dashboard_logins',
  'dashboard_sessions',
  'dashboard_users',
  'holds',
  'installation',
  'message_stats_passes',
  'messaging_accounts',
  'migrations',
  'number_activity',
  'number_moves',
  'rate_cards',
  'restores',
  'second_factors',
  'shards',
  'spend_changes',
  'spend_limits',
  'template_changes',
  'template_drafts',
  'template_edits',
  'templates',
  'tenants',
  'typeorm_metadata',
  'webhook_endpoint_attempts',
  'webhook_endpoints',
  'webhook_hearing',
  'worker_leases',
];

const MESSAGES = 80_000;

const MODES: PlanMode[] = ['force_custom_plan', 'force_generic_plan'];

/** Rows of one table that a statement may look at. */
const MOST = 1_000;

/** Rows by which a sort sees that there is no more of the same moment: one for each row that it may have to give. */
const SAME_MOMENT = 101;

/** Those that are made to look at more, at how many, and what for. */
const LOOKS_AT_MORE: Record<string, [rows: number, why: string]> = {
  'VERIFY of ledger/ledger.service.ts': [Infinity, 'an operator compares all messages with all entries'],
  'LATE_HOURS of statistics/message-stats.sql.ts': [
    Infinity,
    'once in six hours, in one process: hourly counts',
  ],
  'TAKE_TENANT of numbers/portfolio-use.sql.ts': [2_000, 'all business accounts of a tenant'],
  'FORGET_LATE of numbers/portfolio-use.sql.ts': [5_000, 'deletes by batches'],
  'STORE_RECIPIENTS of numbers/portfolio-use.sql.ts': [4_000, 'the same'],
  'RECENT of dashboard/overview/overview-figures.sql.ts': [LIVE_LIMIT + 1, 'counts up to a limit'],
  'NUMBERS of dashboard/numbers/numbers-queries.ts': [
    2 * WAITING_LIMIT,
    'counts up to a limit, for each number',
  ],
  'FIGURES of dashboard/overview/overview-figures.sql.ts': [10_000, 'the hourly counts of two periods'],
  'BACKLOG of operations/backlog.service.ts': [BACKLOG_LIMIT, 'counts up to a limit'],
  'WAITING_STRAYS of outbox/template-binding.sql.ts': [10_000, 'once for a move: all that waits of a number'],
  'EXPIRE_MESSAGES of scheduling/expiry.service.ts': [5_000, 'deletes by batches'],
  'EXPIRE_INBOX of scheduling/expiry.service.ts': [5_000, 'deletes by batches'],
  'EXPIRE_EVENTS of scheduling/expiry.service.ts': [5_000, 'deletes by batches'],
  'EXPIRE_KEYS of scheduling/expiry.service.ts': [5_000, 'deletes by batches'],
  'EXPIRE_DIGESTS of scheduling/expiry.service.ts': [5_000, 'deletes by batches'],
  'EXPIRE_LIFTS of scheduling/expiry.service.ts': [5_000, 'deletes by batches'],
  'EXPIRE of campaigns/campaign-expiry.service.ts': [CAMPAIGN_ROWS, 'deletes one campaign'],
  'COUNT of campaigns/campaign-progress.service.ts': [
    CAMPAIGN_ROWS,
    'counts a campaign, the seldomer the larger',
  ],
  'PENDING_TO of campaigns/recipients.store.ts': [CAMPAIGN_ROWS, 'once after a restore'],
  'CLEAR of campaigns/recipients.store.ts': [CAMPAIGN_ROWS, 'deletes the rows of a draft'],
  'NOTE_ACCEPTED of campaigns/recipients.store.ts': [
    CAMPAIGN_ROWS,
    'when somebody pauses or cancels a campaign',
  ],
};

const runner = useFilledDatabase(grownTables(MESSAGES));
const { statements, texts } = await statementsOn(GROWING);
const lists = everyFilter().flatMap((filter) => {
  const request = { tenantId: TENANT, filter, limit: 101, after: null, now: new Date() };
  return [searchStatement(request), windowEndStatement(request)];
});

/** Every set of filters that a list may have. */
function everyFilter(): MessageFilter[] {
  const choices: MessageFilter[][] = [
    [{}, { status: ['scheduled', 'queued'] }, { status: ['failed'] }, { status: ['sent'] }],
    [{}, { retry: 'retries' }, { retry: 'with_retry' }],
    [{}, { messagingAccountId: 3 }],
    [{}, { phone: '12025550100' }],
    [{}, { clientReference: 'order-60000' }],
    [{}, { template: 'none' }],
    [{}, { createdFrom: new Date(0), createdTo: new Date() }],
  ];
  return choices.reduce(
    (all, some) => all.flatMap((filter) => some.map((choice) => ({ ...filter, ...choice }))),
    [{}],
  );
}

const nameOf = ({ name, statement }: (typeof statements)[number]) =>
  statement.name || (name.split(' ')[0] as string);

/** What a plan looks at that costs more, the more there is. */
function faultsOf(nodes: PlanNode[], most: number): string[] {
  return nodes.flatMap((node) => {
    const { 'Node Type': type, 'Relation Name': table = '' } = node;
    if (type === 'ModifyTable') return [];
    // The next partition: empty, and small to the planner until it is analysed (src/scheduling/table-care.service.ts).
    if (node.Partition?.endsWith('_last')) return [];
    if (GROWING.includes(table) && type === 'Seq Scan') return [`reads ${table} from end to end`];
    const rows = rowsReadBy(node);
    return rows > most ? [`${type} of ${rows} rows${table && ` of ${table}`}`] : [];
  });
}

async function plan(statement: Statement, mode: PlanMode): Promise<PlanNode[]> {
  return explainPrepared(runner(), statement, mode, valuesFor(statement.name, TENANT));
}

describe('A statement', () => {
  it('cannot be forgotten: every table is listed as growing or as small', async () => {
    const tables = await runner().query(
      `SELECT relname AS tablename FROM pg_class
        WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
    );
    const names = tables.map(({ tablename }: { tablename: string }) => tablename);
    expect(names.toSorted()).toEqual([...GROWING, ...SMALL].toSorted());
  });

  it('cannot be forgotten: all SQL that names a growing table is part of an exported statement or of a list', () => {
    const known = [...statements, ...lists].map(({ statement }) => statement);
    const hidden = texts.filter((text) => !known.some((statement) => isMadeOf(statement, text)));
    expect(hidden).toEqual([]);
  });

  it('cannot be forgotten: no growing table has a repository', () => {
    for (const table of GROWING) expect(usesOfEntity(table)).toEqual([]);
  });

  it.each(statements.map((found) => [found.name, found] as const))(
    '%s looks at some rows of a large table only',
    async (name, found) => {
      const [most] = LOOKS_AT_MORE[name] ?? [MOST];
      // Without a name it is planned for its values each time.
      const modes = found.statement.name ? MODES : MODES.slice(0, 1);
      for (const [tenant, id] of Object.entries(TENANTS))
        for (const mode of modes) {
          const values = valuesFor(nameOf(found), id);
          const nodes = await explainPrepared(runner(), found.statement, mode, values, { analyze: true });
          const faults = most === Infinity ? [] : faultsOf(nodes, most);
          expect({ tenant, mode, faults }).toEqual({ tenant, mode, faults: [] });
        }
    },
  );

  it('locks and changes rows without a choice of partitions that was made for another row', async () => {
    const unsafe: string[] = [];
    // LOCK_TOLD has locked the messages of receipts before.
    for (const found of statements.filter(({ statement }) => statement !== APPLY_RECEIPTS))
      for (const mode of found.statement.name ? MODES : MODES.slice(0, 1)) {
        const nodes = await explainPrepared(
          runner(),
          found.statement,
          mode,
          valuesFor(nameOf(found), TENANT),
        );
        unsafe.push(...unsafeLocks(nodes).map((node) => `${found.name}: ${node}`));
      }
    expect(unsafe).toEqual([]);
  });

  it('of a list reads one window of messages at most, whatever the filters are', async () => {
    for (const { statement, values } of lists) {
      const nodes = await explain(runner(), `EXPLAIN (ANALYZE, FORMAT JSON) ${statement.text}`, values);
      const { text } = statement;
      // Some more tell a sort of what was accepted at the same moment that there is no more of it.
      expect({ text, faults: faultsOf(nodes, WINDOW + SAME_MOMENT) }).toEqual({ text, faults: [] });
    }
  });

  it('exists when it is excepted from the limit', () => {
    const names = statements.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(LOOKS_AT_MORE)));
  });
});

describe.each(MODES)('With %s', (mode) => {
  it.each([
    ['claiming', outbox.CLAIM, ['outbox_urgent_idx', 'outbox_due_idx', 'outbox_pkey']],
    ['reading what was claimed', CLAIMED, ['message_logs_pkey']],
    ['claiming a probe', outbox.CLAIM_PROBE, ['outbox_due_idx', 'outbox_pkey']],
    ['releasing', outcomes.RELEASE, ['outbox_pkey']],
    ['recording an answer', outcomes.RECORD_SENT, ['outbox_pkey', 'message_logs_pkey']],
    ['recording another try', outcomes.RECORD_RETRY, ['outbox_pkey']],
    ['recording an unknown outcome', outcomes.RECORD_UNKNOWN, ['outbox_pkey']],
    ['recording a failure', outcomes.RECORD_FAILED, ['outbox_pkey', 'message_logs_pkey']],
    ['deciding unknown outcomes', outcomes.RESOLVE_UNKNOWN, ['outbox_resolve_idx']],
    ['releasing what was held', outbox.RELEASE_HELD, ['outbox_held_idx']],
    ['expiring', outbox.EXPIRE, ['outbox_codes_idx', 'outbox_valid_idx']],
    ['canceling', cancel.CANCEL, ['outbox_pkey', 'message_logs_pkey']],
    ['canceling a campaign', cancel.CANCEL_OF_CAMPAIGN, ['outbox_campaign_idx', 'message_logs_pkey']],
    ['applying receipts', APPLY_RECEIPTS, ['outbox_pkey', 'message_logs_pkey']],
    ['taking from the inbox', TAKE, ['webhook_inbox_pending_idx']],
    ['marking as applied', DONE, ['webhook_inbox_pkey']],
    ['counting what is due', AMONG, ['outbox_due_idx']],
    ['finding numbers that wait', DUE_BY, ['outbox_due_idx']],
    ['counting what waits for the dashboard', NUMBERS, ['outbox_due_idx']],
    ['counting the newest messages', RECENT, ['message_logs_tenant_idx']],
    [
      'taking an account to sync',
      TAKE_DUE,
      ['business_accounts_template_sync_idx', 'business_accounts_pkey'],
    ],
    ['expiring messages', EXPIRE_MESSAGES, ['message_logs_pkey']],
    ['expiring the inbox', EXPIRE_INBOX, ['webhook_inbox_pkey']],
    ['expiring events', EXPIRE_EVENTS, ['event_stream_pkey']],
    ['reading events', READ_EVENTS, ['event_stream_tenant_idx', 'event_stream_pkey', 'message_logs_pkey']],
    ['warning of failures', WARNING_FACTS, ['message_logs_phone_idx']],
    ['looking for news', NEWS, ['event_stream_pkey']],
  ])('%s reads its own index', async (_what, statement, index) => {
    const nodes = await plan(statement, mode);
    expect(nodes.map((node) => node['Index Name'])).toEqual(expect.arrayContaining(index));
  });

  it('receipts are found and folded by hash, never each compared with all others', async () => {
    const nodes = await plan(APPLY_RECEIPTS, mode);
    const loops = nodes.filter((node) => node['Node Type'] === 'Nested Loop');
    expect(loops.length).toBeGreaterThan(0); // into the tables, by their indexes
    const inner = loops
      .flatMap((node) => node.Plans ?? [])
      .filter((node) => node['Parent Relationship'] === 'Inner');
    expect(inner.map((node) => node['Node Type'])).not.toContain('CTE Scan');
  });
});

const PARTED = ['message_logs', 'message_events', 'ledger_entries', 'webhook_inbox'];

it.each(
  MODES.flatMap((mode) =>
    [
      outbox.CLAIM,
      CLAIMED,
      outcomes.RECORD_SENT,
      outcomes.RECORD_RETRY,
      outcomes.RECORD_FAILED,
      cancel.CANCEL,
      LOCK_TOLD,
      APPLY_RECEIPTS,
      FIND,
      EVENTS,
      DONE,
    ].map((statement) => [statement.name, mode, statement] as const),
  ),
)('%s, which knows the ids, reads one partition of each table with %s', async (name, mode, statement) => {
  const nodes = await explainPrepared(runner(), statement, mode, valuesFor(name, TENANT), { analyze: true });
  const read = nodes.filter(
    (node) =>
      PARTED.includes(node['Relation Name'] ?? '') &&
      (node['Actual Loops'] ?? 0) > 0 &&
      /Scan/.test(node['Node Type']),
  );
  for (const table of PARTED) {
    const partitions = read.filter((node) => node['Relation Name'] === table).map((node) => node.Partition);
    expect(new Set(partitions).size).toBeLessThanOrEqual(1);
  }
});

it('Counting the messages of some hours, planned for them, reads no more than these', async () => {
  const nodes = await explainPrepared(runner(), RECOUNT, 'force_custom_plan', valuesFor('RECOUNT', TENANT));
  expect(nodes.map((node) => node['Index Name'])).toContain('message_logs_tenant_idx');
});

it('A claim reads its own index also when the statistics are of a time at which nothing waited', async () => {
  await runner().startTransaction();
  await runner().query('DELETE FROM outbox');
  await runner().query('ANALYZE outbox');
  const nodes = await plan(outbox.CLAIM, 'force_generic_plan');
  await runner().rollbackTransaction();
  await runner().query('ANALYZE outbox'); // what it has noted is not undone
  const indexes = nodes.map((node) => node['Index Name']).filter((name) => name?.startsWith('outbox_'));
  // One of the number's, or that of all codes: for so few rows the planner finds them alike (src/scheduling/table-care.service.ts).
  const own = ['outbox_urgent_idx', 'outbox_due_idx', 'outbox_codes_idx', 'outbox_pkey'];
  expect(own).toEqual(expect.arrayContaining(indexes));
  expect(indexes).toContain('outbox_pkey');
  const whole = nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name']);
  expect(whole.filter((table) => GROWING.includes(table as string))).toEqual([]);
});

it('Taking an account to sync looks at one that does not fail, and at the failing ones only where there is none', async () => {
  const values = valuesFor(TAKE_DUE.name, TENANT);
  const nodes = await explainPrepared(runner(), TAKE_DUE, 'force_generic_plan', values, { analyze: true });
  const read = nodes.filter((node) => node['Index Name'] === 'business_accounts_template_sync_idx');
  expect(read.map((node) => rowsReadBy(node))).toEqual([1, 0]);
});

it('A claim and the search for numbers read in the order of the index, with nothing to sort', async () => {
  for (const statement of [outbox.CLAIM, AMONG, DUE_BY]) {
    const nodes = await plan(statement, 'force_generic_plan');
    expect(nodes.map((node) => node['Node Type'])).not.toContain('Sort');
  }
});
