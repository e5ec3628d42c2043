import { Pool, type PoolClient } from 'pg';
import { EVENTS, INBOX, MESSAGES } from '../../src/scheduling/parted-tables.js';
import { RECOUNT } from '../../src/statistics/message-stats.sql.js';
import type { Deployment } from '../deployment.js';
import { SENT_TEMPLATE } from '../provider/templates.js';
import { COMPONENTS } from '../requests.js';
import { fillPart, nameOf, type Part, removeParts } from './parts.js';
import { OTHER_ROWS } from './rows.sql.js';

/** A stretch of messages, accepted evenly from `oldest` to `newest` days ago. */
export interface Stretch {
  messages: number;
  oldest: number;
  newest: number;
  /** Partitions of the log that it takes. */
  partitions: number;
  /** The share of its newest messages of which a quarter is still to be sent. */
  ahead: number;
}

/** Messages that were told of together, as they came close to each other. */
const GROUP = 5;

/** Entries in the stream, and deliveries, of each group. */
const ENTRIES = 4;
const DELIVERIES = 2;

/** Days for which events and deliveries are kept by default. */
const DAYS_OF_EVENTS = 30;

/** Connections that fill: more would only share the machine's cores. */
const CONNECTIONS = 3;

/** Days whose messages are counted in one go. */
const COUNTING = 10;
const HOUR = 3_600_000;

/** Seconds from which a part of the work is told of. */
const TOLD = 2;

/** Templates that messages have been sent with. */
const TEMPLATES = 50;

/**
 * How the server is set up while a database is filled. A crash would cost a run, not data, so nothing waits for the disk;
 * and the log of changes is so short that it is written over before it gets there.
 */
const SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  autovacuum: 'off',
  max_wal_size: '256MB',
};

const SESSION =
  '-c work_mem=128MB -c maintenance_work_mem=1GB -c max_parallel_maintenance_workers=0 -c statement_timeout=0';

/** A part of a table, or rows of a table without parts. */
interface Job {
  name: string;
  /** The largest are done first. */
  size: number;
  /** The table or part that it fills, which is vacuumed then. */
  fills?: string;
  run(client: PoolClient): Promise<unknown>;
}

interface Placed extends Stretch {
  /** The ids of its first and its last message. */
  first: number;
  last: number;
}

/**
 * Fills an empty database with what some stretches of messages have left behind, the oldest first: in all the tables that
 * grow, spread over partitions as the service makes them, with indexes that are made when the rows are there, and counted for
 * the overview. The last partition of each table is empty.
 * @returns seconds
 */
export async function fillHistory(deployment: Deployment, stretches: Stretch[]): Promise<number> {
  const { environment } = deployment;
  const start = performance.now();
  const elapsed = () => (performance.now() - start) / 1000;
  const pool = new Pool({ connectionString: deployment.databaseUrl, max: CONNECTIONS, options: SESSION });
  try {
    const placed = place(stretches);
    const facts = await factsOf(pool);
    await environment.configured(SETTINGS, async () => {
      for (const { name } of PARTED) await removeParts(pool, name);
      const crew = new Crew(pool, (line) => environment.say(`${Math.round(elapsed())} s: ${line}`));
      await crew.work(jobsOf(placed, facts));
      await pool.query(SEQUENCES, [placed.at(-1)?.last]);
      for (const { name } of PARTED) await pool.query(`ANALYZE ONLY ${name}`);
      await crew.work(countingOf(placed));
      await pool.query(COUNTED);
      await pool.query('VACUUM (FREEZE, ANALYZE) message_stats');
    });
  } finally {
    await pool.end();
  }
  return elapsed();
}

/** Connections that share jobs. */
class Crew {
  /** The moments at which the jobs under way have begun, counted in jobs. */
  private readonly begun = new Set<number>();
  private readonly unclean: { name: string; at: number }[] = [];
  private moment = 0;

  constructor(
    private readonly pool: Pool,
    private readonly say: (line: string) => void,
  ) {}

  /** Does all of them, and vacuums what they have filled. */
  async work(jobs: Job[]): Promise<void> {
    const left = [...jobs];
    const one = async () => {
      const client = await this.pool.connect();
      try {
        for (let job = left.shift(); job; job = left.shift()) {
          await this.run(job, client);
          await this.clean(client);
        }
      } finally {
        client.release();
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, one));
    await this.cleanLast();
  }

  private async run({ name, fills, run }: Job, client: PoolClient): Promise<void> {
    const at = (this.moment += 1);
    const start = performance.now();
    this.begun.add(at);
    await run(client);
    this.begun.delete(at);
    if (fills) this.unclean.push({ name: fills, at: (this.moment += 1) });
    const seconds = (performance.now() - start) / 1000;
    if (seconds > TOLD) this.say(`${name}, in ${Math.round(seconds)} s`);
  }

  /** Vacuums what is full. Where a job has begun before, its transaction might still need to know how old rows are. */
  private async clean(client: PoolClient): Promise<void> {
    const oldest = Math.min(...this.begun);
    for (const one of this.unclean.filter(({ at }) => at < oldest)) {
      if (!this.unclean.includes(one)) continue; // another connection has taken it
      this.unclean.splice(this.unclean.indexOf(one), 1);
      const moment = (this.moment += 1);
      this.begun.add(moment);
      await client.query(`VACUUM (FREEZE, ANALYZE) ${one.name}`);
      this.begun.delete(moment);
    }
  }

  private async cleanLast(): Promise<void> {
    const client = await this.pool.connect();
    await this.clean(client).finally(() => client.release());
  }
}

const PARTED = [MESSAGES, ...MESSAGES.companions, EVENTS, INBOX];

function place(stretches: Stretch[]): Placed[] {
  let last = 0;
  return stretches.map((stretch) => {
    const first = last + 1;
    last += stretch.messages;
    return { ...stretch, first, last };
  });
}

/** What all rows have from the accounts that there are. */
async function factsOf(pool: Pool): Promise<object> {
  const { rows } = await pool.query<{ facts: object }>(FACTS, [SENT_TEMPLATE, TEMPLATES]);
  const now = new Date().toISOString();
  return { ...rows[0]?.facts, now, components: COMPONENTS, group_of: GROUP, days_of_events: DAYS_OF_EVENTS };
}

/** The parts of the tables in partitions, and the other tables; the largest first, so that all connections end together. */
function jobsOf(placed: Placed[], facts: object): Job[] {
  const newest = placed.at(-1) as Placed;
  const logs = placed.flatMap((stretch) => rangesOf(stretch, stretch === newest));
  const groups = Math.ceil(
    (newest.messages * Math.min(1, DAYS_OF_EVENTS / (newest.oldest - newest.newest))) / GROUP,
  );
  const parts: (Part & { stretch: Placed })[] = [
    ...[MESSAGES, ...MESSAGES.companions].flatMap((table) =>
      openEnded(logs).map((range) => ({ table, stretch: newest, ...range })),
    ),
    ...openEnded(evenly(ENTRIES, groups * ENTRIES, EVENTS.leastSpan)).map((range) => ({
      table: EVENTS,
      stretch: newest,
      ...range,
    })),
    ...openEnded(evenly(DELIVERIES, groups * DELIVERIES, INBOX.leastSpan)).map((range) => ({
      table: INBOX,
      stretch: newest,
      ...range,
    })),
  ];
  const ofParts = parts.map(({ stretch, ...part }): Job => ({
    name: `${part.table.name} from ${part.from ?? 0}`,
    size: part.rows ? part.rows[1] - part.rows[0] : 0,
    fills: nameOf(part),
    run: (client) => fillPart(client, part, fillOf(facts, stretch)),
  }));
  const others = placed.flatMap((stretch) =>
    Object.entries(OTHER_ROWS).map(([name, text]): Job => ({
      name: `${name} of ${stretch.messages} messages`,
      size: stretch.messages / 10,
      fills: name,
      run: (client) => client.query(text, [stretch.first, stretch.last, fillOf(facts, stretch)]),
    })),
  );
  return [...ofParts, ...others].toSorted((a, b) => b.size - a.size);
}

/** The full hour, so many days ago. */
const hour = (days: number) => new Date(Math.floor(Date.now() / HOUR - days * 24) * HOUR);

/** The overview's counts, as the service makes them, ten days at a time. */
function countingOf(placed: Placed[]): Job[] {
  const ends = placed.flatMap(({ oldest, newest }) =>
    Array.from({ length: Math.ceil((oldest - newest) / COUNTING) }, (_, i) => newest + i * COUNTING),
  );
  return ends.map((days) => ({
    name: `counts of the days before day ${Math.round(days)}`,
    size: 0,
    run: (client) => client.query(RECOUNT.text, [hour(days + COUNTING), hour(days - (days === 0 ? 1 : 0))]),
  }));
}

/** The parameter `$3` of all statements that make rows. */
function fillOf(facts: object, stretch: Placed): string {
  const ahead_from = stretch.last + 1 - Math.floor(stretch.messages * stretch.ahead);
  return JSON.stringify({ ...facts, ...stretch, ahead_from });
}

interface Range {
  from: number | null;
  to: number | null;
  rows: [first: number, last: number] | null;
  stretch?: Placed;
}

/** The partitions of a stretch: full ones, but for the newest of all, which is half full. */
function rangesOf(stretch: Placed, isNewest: boolean): Range[] {
  const { first, last, messages, partitions } = stretch;
  const span = Math.ceil(messages / (partitions - (isNewest ? 0.5 : 0)));
  return Array.from({ length: partitions }, (_, i) => {
    const from = first + i * span;
    const to = isNewest || i < partitions - 1 ? from + span : last + 1;
    return { from, to, rows: [from, Math.min(to - 1, last)], stretch };
  });
}

/** Partitions of so many ids each, with so many rows from `first` on. */
function evenly(first: number, count: number, span: number): Range[] {
  const last = first + count - 1;
  return Array.from({ length: Math.ceil((last + 1) / span) }, (_, i) => ({
    from: i * span,
    to: (i + 1) * span,
    rows: [Math.max(first, i * span), Math.min((i + 1) * span - 1, last)],
  }));
}

/** The first takes all ids from below, and an empty one follows that takes all that come. */
function openEnded(ranges: Range[]): Range[] {
  const [first, ...others] = ranges;
  const last = ranges.at(-1)?.to ?? null;
  return [...(first ? [{ ...first, from: null }] : []), ...others, { from: last, to: null, rows: null }];
}

const COUNTED = `
  INSERT INTO message_stats_passes (name, due_at, counted_at) VALUES ('all', now() + interval '6 hours', now())
  ON CONFLICT (name) DO UPDATE SET counted_at = now()`;

/** $1: the name of the template that is sent; $2: how many templates have been used. */
const FACTS = `
  SELECT jsonb_build_object('tenant_id', n.tenant_id, 'business_account', b.waba_id, 'phone_number', n.phone_number_id,
    'category', t.category, 'price', 0.0157, 'version', md5(t.name)::uuid,
    'numbers', (SELECT jsonb_agg(id ORDER BY id) FROM messaging_accounts WHERE tenant_id = n.tenant_id),
    'templates', (SELECT jsonb_agg(id ORDER BY length(name), name) FROM (
      SELECT id, name FROM templates WHERE business_account_id = b.id AND removed_at IS NULL
      ORDER BY length(name), name LIMIT $2) used)) AS facts
  FROM messaging_accounts n JOIN business_accounts b ON b.id = n.business_account_id
    JOIN templates t ON t.business_account_id = b.id AND t.name = $1 AND t.removed_at IS NULL
  ORDER BY n.id LIMIT 1`;

/** Ids go on behind those of the rows; $1: of the last message. */
const SEQUENCES = `
  SELECT setval('message_logs_id_seq', $1), setval(pg_get_serial_sequence('message_events', 'id'), 3 * $1 + 3),
    setval(pg_get_serial_sequence('ledger_entries', 'id'), 2 * $1 + 2),
    setval('event_stream_id_seq', (SELECT max(id) FROM event_stream)),
    setval('webhook_inbox_id_seq', (SELECT max(id) FROM webhook_inbox))`;
