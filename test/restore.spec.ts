import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCommand } from '../src/admin/run-command.js';
import { type RunningService, startService } from '../src/app/start-service.js';
import { AppLogger } from '../src/common/logger.js';
import { Database } from '../src/database/database.js';
import { DEMO, seedDemo, stockSandbox } from '../src/embedded/demo.js';
import { readTag } from '../src/messages/domain/message-tag.js';
import { type SandboxMessage, SandboxProvider } from '../src/sandbox/sandbox-provider.js';
import { Api } from './support/api.js';
import { ArchivedPostgres } from './support/archived-postgres.js';
import { CampaignsApi, recipientsCsv } from './support/campaigns.js';
import { signIn } from './support/dashboard-api.js';
import { eventually } from './support/eventually.js';
import { testRedisUrl } from './support/infrastructure.js';
import { KeepingProxy } from './support/keeping-proxy.js';
import { UNBALANCED } from './support/ledger.js';
import { MISPLACED } from './support/outbox.js';
import { SECRETS, testConfig } from './support/service.js';

/** The section of the page that says how to restore: its commands are run here as they stand there. */
const PAGE = readFileSync(new URL('../docs/operations.md', import.meta.url), 'utf8');
const SECTION = PAGE.slice(PAGE.indexOf('\n## Backups\n'));

/** The block of the section that has this in it. */
function blockWith(text: string): string {
  const blocks = [...SECTION.matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)].map(([, block = '']) => block);
  const block = blocks.find((one) => one.includes(text));
  if (block === undefined) throw new Error(`docs/operations.md, "Backups", has no block with ${text}`);
  return block.replaceAll(/^ {3}/gm, ''); // it stands in a list
}

/** The options of this command as the section gives it, with its variables replaced. */
function argsOf(command: string, variables: Record<string, string> = {}): string[] {
  const lines = SECTION.split('\n').map((line) => line.trim());
  const line = lines.find((one) => one.startsWith(`npm run --silent admin -- ${command} `));
  if (line === undefined) throw new Error(`docs/operations.md, "Backups", does not run ${command}`);
  const words = line.replace(/ +#.*/, '').split(/ +/).slice(5);
  return words.map((word) => word.replace(/^"?\$(\w+)"?$/, (_, name: string) => variables[name] ?? ''));
}

/** Messages of the demo's slow number: 80 a second, so that some of them wait at any moment. */
const CAMPAIGN_ROWS = 600;

/** So many of them are accepted at once: five seconds' worth. */
const FED_AT_ONCE = 400;

/** Milliseconds between two groups of messages: load, but not all that the machine can do. */
const PACE = 40;

let postgres: ArchivedPostgres;
let redisUrl: string;
let sandbox: SandboxProvider;
let proxy: KeepingProxy;
let service: RunningService;
let folder: string;
let admin: (args: string[]) => Promise<Record<string, any>>;

beforeAll(async () => {
  [postgres, redisUrl, folder] = await Promise.all([
    ArchivedPostgres.start(),
    testRedisUrl(),
    mkdtemp(join(tmpdir(), 'tms-kept-')),
  ]);
  sandbox = new SandboxProvider({ receiptDelay: 5, webhookRetryDelay: 50 });
  proxy = new KeepingProxy(
    () => `${service.url}/webhooks/provider`,
    (payload) => isSilent(/"recipient_id":"(\d+)"/.exec(payload)?.[1] ?? ''),
  );
  const [{ url: providerUrl }, proxyUrl] = await Promise.all([sandbox.start(), proxy.start()]);
  admin = async (args) => {
    const { encryptionKey: ENCRYPTION_KEY } = SECRETS;
    const env = { DATABASE_URL: postgres.url, ENCRYPTION_KEY, PROVIDER_BASE_URL: providerUrl };
    return (await runCommand(args, env)) as Record<string, any>;
  };
  start = async () => {
    const config = testConfig({
      DATABASE_URL: postgres.url,
      REDIS_URL: redisUrl,
      PROVIDER_BASE_URL: providerUrl,
      THROTTLE_LIMIT: 1_000_000,
    });
    service = await startService(config, { logger: new AppLogger(config.LOG_LEVEL, false) });
  };
  await start();
  stockSandbox(sandbox, SECRETS, proxyUrl);
  await seedDemo(service.app, sandbox, SECRETS);
});
afterAll(async () => {
  await service?.stop();
  await Promise.all([sandbox?.stop(), proxy?.stop()]);
  await postgres?.remove();
  await rm(folder, { recursive: true, force: true });
});

let start: () => Promise<void>;

/** The receipts of every fifth recipient never come. */
const isSilent = (phone: string) => [...phone].reduce((sum, digit) => sum + Number(digit), 0) % 5 === 0;

const api = () => new Api(service.url, SECRETS.demoApiKey);

const sql = <Row = Record<string, any>>(text: string, values: unknown[] = []) =>
  service.app.get(Database, { strict: false }).run<Row>({ name: '', text }, values);

const idInTag = ({ biz_opaque_callback_data: tag }: SandboxMessage) => readTag(tag)!.messageLogId;

/** The ids of the messages that the provider has taken, once for each time. */
const taken = () => sandbox.messages().map(idInTag);

const sorted = (ids: Iterable<number>) => [...ids].toSorted((a, b) => a - b);

describe('A database that is restored to a moment under load', () => {
  /** Sends to the fast number all the time. */
  function load(): { stop(): Promise<void> } {
    let stopped = false;
    let sent = 0;
    const work = async () => {
      for (; !stopped; await delay(PACE)) {
        const phones = Array.from({ length: 4 }, () => `+49160${1_000 + (sent += 1)}0100`);
        const answers = await Promise.all(
          phones.map((phone) => api().send(phone, { messaging_account_id: DEMO.numbers[1].apiId })),
        );
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
      }
    };
    const done = work();
    return { stop: () => ((stopped = true), done) };
  }

  const campaigns = async () => new CampaignsApi(await signIn(service.url, DEMO.email, SECRETS.demoPassword));

  /** A moment at which the campaign has messages that wait, and rows without a message. */
  const momentWithinCampaign = () =>
    eventually(async () => {
      const [row] = await sql<{ accepted: number; moment: string }>(`
        SELECT accepted_count AS accepted, to_char(clock_timestamp() AT TIME ZONE 'UTC',
          'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') AS moment FROM campaigns`);
      expect(row!.accepted).toBeGreaterThan(FED_AT_ONCE);
      return row!.moment;
    });

  /** The messages that were accepted according to the stream, read to its end. */
  async function eventsAfter(after: string | null): Promise<{ accepted: number[]; cursor: string }> {
    const accepted: number[] = [];
    for (let cursor = after; ;) {
      const { body } = await api().get(
        `/api/v1/events?limit=1000${cursor === null ? '' : `&after=${cursor}`}`,
      );
      const events = body.data as unknown as { type: string; data: { message_log_id: number } }[];
      const of = events.filter(({ type }) => type === 'message.accepted');
      accepted.push(...of.map(({ data }) => data.message_log_id));
      cursor = body.next_cursor as string;
      if (events.length === 0) return { accepted, cursor };
    }
  }

  const idsOf = async (condition: string) =>
    new Set((await postgres.sql(condition)).map(({ id }) => Number(id)));

  it('goes on, and sends nothing twice that a replayed receipt tells of', async () => {
    const running = load();
    await postgres.takeBackup();
    const schedule = { scheduled_at: new Date(Date.now() + 3_600_000).toISOString(), timezone: 'UTC' };
    const later = await api().send('+4916099980100', schedule);
    const before = await campaigns();
    const changes = { messaging_account_id: DEMO.numbers[0].apiId };
    const campaign = await before.ready(recipientsCsv(CAMPAIGN_ROWS), changes);
    await before.start(campaign);
    const moment = await momentWithinCampaign();

    // After the moment all rows of the campaign are sent, and other messages are accepted and sent.
    await eventually(async () => expect(await before.get(campaign)).toMatchObject({ status: 'finished' }));
    await running.stop();
    const { cursor } = await eventsAfter(null);
    await service.stop();
    const sent = taken();
    expect(new Set(sent).size).toBe(sent.length);
    const ended = new Date().toISOString();
    const [fromInbox, fromProxy] = [join(folder, 'inbox.jsonl'), join(folder, 'proxy.jsonl')];
    const { exported } = await admin(argsOf('inbox:export', { MOMENT: moment, KEPT: fromInbox }));
    expect(exported).toBeGreaterThan(20);
    const kept = [...proxy.kept];
    await writeFile(fromProxy, kept.map((delivery) => `${JSON.stringify(delivery)}\n`).join(''));
    await postgres.archiveAll();

    await postgres.restoreBy(blockWith('recovery_target_time'), moment);
    const begun = await admin(argsOf('restore:begin', { MOMENT: moment, ENDED: ended }));
    expect(begun).toMatchObject({ campaigns_paused: 1 });
    const known = await idsOf('SELECT id FROM message_logs');
    const held = await idsOf('SELECT message_log_id AS id FROM outbox WHERE held_by IS NOT NULL');
    expect(held.size).toBe(begun['held']);
    expect(held.size).toBeGreaterThan(20);
    expect(held).not.toContain(later.body.data['message_log_id']);
    await start();

    // What is accepted now goes out at once, by an id that was never given out.
    const fresh = await api().send('+4916099990100', { messaging_account_id: DEMO.numbers[1].apiId });
    const freshId: number = fresh.body.data['message_log_id'];
    expect(freshId).toBeGreaterThan(Math.max(...sent) + 1_000_000);
    await eventually(() => expect(taken()).toContain(freshId));
    // Who had read events that are gone now reads on without a gap.
    const { accepted } = await eventsAfter(cursor);
    expect(accepted).toContain(freshId);

    // The receipts of the former inbox settle what they tell of. Those that the proxy has kept are the same.
    expect(await admin(argsOf('inbox:import', { KEPT: fromInbox }))).toMatchObject({ refused: 0 });
    const again = await admin(['inbox:import', '--file', fromProxy]);
    expect(again).toEqual({ imported: 0, repeated: kept.length, refused: 0 });

    // The report names those, and only those, that were due and of which no receipt tells.
    const told = new Set(
      sandbox
        .messages()
        .filter(({ to }) => !isSilent(to))
        .map(idInTag),
    );
    const doubtful = sorted([...held].filter((id) => !told.has(id)));
    const forgotten = sorted(sent.filter((id) => !known.has(id) && told.has(id)));
    expect(doubtful.length).toBeGreaterThan(5);
    expect(forgotten.length).toBeGreaterThan(20);
    const report = await eventually(async () => {
      const answer = await admin(argsOf('restore:report'));
      expect(answer['may_be_sent_twice']['messages'].map(idOf)).toEqual(doubtful);
      expect(answer['sent_and_forgotten']['messages'].map(idOf)).toEqual(forgotten);
      return answer;
    });
    const [{ rows_left: left, rows_sent: rowsSent }] = report['campaigns'];
    expect(rowsSent).toBeGreaterThan(0);

    // A person decides: some are sent again, the others fail.
    const [chosen, others] = [doubtful.slice(0, 3), doubtful.slice(3)];
    expect(await admin(['restore:settle', '--as', 'send', '--ids', chosen.join(',')])).toEqual({
      settled: 3,
      rows_refused: rowsSent,
    });
    expect(await admin(argsOf('restore:settle'))).toEqual({ settled: others.length, rows_refused: 0 });
    await (await campaigns()).act(campaign, 'resume');
    await eventually(async () => {
      expect(await sql('SELECT message_log_id AS id FROM outbox')).toEqual([
        { id: later.body.data['message_log_id'] },
      ]);
      expect(await sql('SELECT status FROM campaigns')).toEqual([{ status: 'finished' }]);
    });
    expect(sorted(repeatedIn(taken()))).toEqual(chosen);

    // Of the campaign, those rows alone went out twice of which no receipt tells.
    const ids = new Map<string, Set<number>>();
    for (const message of sandbox.messages())
      if (message.phone_number_id === DEMO.numbers[0].phoneNumberId)
        ids.set(message.to, (ids.get(message.to) ?? new Set()).add(idInTag(message)));
    expect(ids.size).toBe(CAMPAIGN_ROWS);
    const twice = [...ids].filter(([, messages]) => messages.size > 1).map(([to]) => to);
    expect(twice.filter((to) => !isSilent(to))).toEqual([]);
    expect(twice).toHaveLength(left - rowsSent);
    expect(await sql(MISPLACED)).toEqual([]);
    expect(await sql(UNBALANCED)).toEqual([]);
    expect(await admin(['hold:list'])).toEqual({ holds: [] });
  });

  it('is not taken for restored while the service runs on it', async () => {
    const now = new Date(Date.now() - 60_000).toISOString();
    await expect(admin(['restore:begin', '--moment', now])).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    });
  });
});

const idOf = ({ message_log_id: id }: { message_log_id: number }) => id;

/** Those that are there more than once. */
function repeatedIn(ids: number[]): Set<number> {
  const seen = new Set<number>();
  return new Set(ids.filter((id) => seen.size === seen.add(id).size));
}
