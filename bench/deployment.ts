import { Pool } from 'pg';
import { eventually } from '../test/support/eventually.js';
import { type Accounts, introduce, productionEnvironment } from './accounts.js';
import {
  BACKLOG,
  CLEAR,
  FILL_BACKLOG,
  FILL_SENT,
  INBOX_LEFT,
  LAST_EVENT,
  OPT_OUT,
  TELL_EVENTS,
  TEMPLATE_ID,
} from './deployment.sql.js';
import type { Environment } from './environment.js';
import { type BenchProcess, startService } from './processes.js';
import { COMPONENTS, nextRecipient } from './requests.js';

/** Processes of the service, such as `api` and `worker`, or `api-1` and `api-2`. */
export type Service = Record<string, BenchProcess>;

/** Milliseconds in which anything has to end. This is no measure of speed. */
const PATIENCE = 300_000;

/** Rows of one INSERT. */
const BATCH = 20_000;

/** The databases that the service is measured on, with Redis' beside each: empty, grown, or made
 * for one scenario; Bull's floor has Redis' third. */
const DATABASES = ['empty', 'grown', 'floors', 'idle', 'retention', 'many'] as const;

/** The service on a database of its own. */
export class Deployment {
  private second: Promise<Accounts> | undefined;

  private constructor(
    readonly environment: Environment,
    /** Whether its messages are removed before each scenario. */
    readonly isEmpty: boolean,
    readonly env: Record<string, string>,
    readonly accounts: Accounts,
    readonly database: Pool,
  ) {}

  get databaseUrl(): string {
    return this.env['DATABASE_URL'] ?? '';
  }

  static async create(environment: Environment, name: (typeof DATABASES)[number]): Promise<Deployment> {
    const postgres = await environment.createDatabase(`bench_${name}`);
    const redis = environment.redisUrl(DATABASES.indexOf(name));
    const env = productionEnvironment({ postgres, redis, provider: environment.provider.url });
    const accounts = await introduce(env);
    const database = new Pool({
      connectionString: postgres,
      max: 2,
      options: '-c enable_seqscan=off -c max_parallel_workers_per_gather=0',
    });
    environment.ending(() => database.end());
    return new Deployment(environment, name === 'empty', env, accounts, database);
  }

  get redisUrl(): string {
    return this.env['REDIS_URL'] ?? '';
  }

  /** A second tenant, which is made at the first call. */
  neighbour(): Promise<Accounts> {
    this.second ??= introduce(this.env, 1);
    return this.second;
  }

  /** Removes what earlier scenarios have left. */
  async prepare(): Promise<void> {
    await this.environment.provider.reset();
    if (this.isEmpty) await this.database.query(CLEAR);
    await this.environment.calm();
  }

  /** Runs `work` with so many processes of each role. */
  async running<Result>(
    roles: { api?: number; worker?: number },
    work: (service: Service) => Promise<Result>,
  ): Promise<Result> {
    const names = Object.entries(roles).flatMap(([role, count]) =>
      Array.from({ length: count }, (_, i) => [role, count > 1 ? `${role}-${i + 1}` : role] as const),
    );
    const service: Service = {};
    try {
      for (const [role, name] of names) service[name] = await this.start(role as 'api' | 'worker', name);
      return await work(service);
    } finally {
      await Promise.all(Object.values(service).map((process) => process.stop()));
    }
  }

  /** The number of messages that are due or under way. */
  async backlog(): Promise<number> {
    const { rows } = await this.database.query<{ count: number }>(BACKLOG, [
      this.accounts.messagingAccountIds,
    ]);
    return rows[0]?.count ?? 0;
  }

  /** Resolves when no message is due or under way. */
  async untilIdle(interval = 20): Promise<void> {
    await this.untilNone('messages wait', interval, () => this.backlog());
  }

  /** Resolves when every delivery in the inbox is applied; one that was put aside is not. */
  async untilInboxEmpty(interval = 20): Promise<void> {
    await this.untilNone('deliveries wait', interval, () => this.inboxLeft());
  }

  /** The number of deliveries that are not applied yet. */
  async inboxLeft(): Promise<number> {
    const { rows } = await this.database.query<{ count: number }>(INBOX_LEFT);
    return rows[0]?.count ?? 0;
  }

  /** Puts messages into log and outbox, due now, as acceptance does. */
  async fillBacklog(count: number): Promise<void> {
    await this.fill(FILL_BACKLOG, count);
  }

  /** Puts messages into the log as if the provider had taken them. @returns their ids */
  async fillSent(count: number): Promise<number[]> {
    return this.fill(FILL_SENT, count);
  }

  /** Puts the events of messages into the stream: that each was accepted and sent. */
  async tellOf(ids: number[]): Promise<void> {
    await this.database.query(TELL_EVENTS, [ids]);
    await this.database.query('ANALYZE event_stream');
  }

  /** Makes so many people opt out of the tenant's messages; prepare() brings them back. */
  async optOut(count: number): Promise<void> {
    await this.database.query(OPT_OUT, [this.accounts.messagingAccountIds[0], count]);
    await this.database.query('VACUUM (ANALYZE) opt_outs');
    await this.environment.calm();
  }

  /** The last entry of the stream; 0 for none. */
  async lastEvent(): Promise<number> {
    const { rows } = await this.database.query<{ id: number }>(LAST_EVENT);
    return rows[0]?.id ?? 0;
  }

  private async fill(statement: string, count: number): Promise<number[]> {
    const { rows } = await this.database.query<{ id: number }>(TEMPLATE_ID);
    const ids: number[] = [];
    for (let left = count; left > 0; left -= BATCH) {
      const phones = Array.from({ length: Math.min(left, BATCH) }, nextRecipient);
      const values = [this.accounts.messagingAccountIds, rows[0]?.id, JSON.stringify(COMPONENTS), phones];
      const { rows: filled } = await this.database.query<{ id: string }>(statement, values);
      for (const { id } of filled) ids.push(Number(id));
    }
    await this.database.query('ANALYZE message_logs, outbox');
    await this.environment.calm();
    return ids;
  }

  private async start(role: 'api' | 'worker', name: string): Promise<BenchProcess> {
    const { folder, program: file, profiles } = this.environment;
    const process = await startService({ file, folder, env: this.env, role, name, profiles });
    return this.environment.keep(process);
  }

  private async untilNone(what: string, interval: number, count: () => Promise<number>): Promise<void> {
    const check = async () => {
      const left = await count();
      if (left > 0) throw new Error(`${left} ${what}`);
    };
    await eventually(check, { patience: PATIENCE, interval });
  }
}
