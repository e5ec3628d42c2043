import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { getQueueToken } from '@nestjs/bull';
import { Logger } from '@nestjs/common';
import type { Queue } from 'bull';
import type { ServerResponse } from 'node:http';
import { AccountChangesService } from '../src/accounts/account-changes.service.js';
import { AccountsService } from '../src/accounts/accounts.service.js';
import { AppLogger } from '../src/common/logger.js';
import { Config } from '../src/config/config.js';
import { HOUSEKEEPING_QUEUE } from '../src/scheduling/housekeeping.processor.js';
import { type RunningService, startService } from '../src/app/start-service.js';
import { AT_ONCE, LEASE, RegularSyncsService, TAKE_DUE } from '../src/templates/regular-syncs.service.js';
import { TemplateSyncService } from '../src/templates/template-sync.service.js';
import { eventually } from './support/eventually.js';
import { closeAll, json, provider } from './support/provider-stubs.js';
import { startTestService, type TestService } from './support/service.js';

const MINUTE = 60_000;

/** How the provider answers when it is asked for the templates of a business account. */
type List = (response: ServerResponse) => void;

const empty: List = (response) => json(response, 200, { data: [] });
const refused: List = (response) => json(response, 400, { error: { code: 190, message: 'No' } });
/** The answers that wait until the test sends them. */
const held: ServerResponse[] = [];
const hold: List = (response) => void held.push(response);

let service: TestService;
let count = 0;
/** The lists by WABA; all others are empty. */
const lists = new Map<string, List>();
/** The WABAs whose lists were asked for, and those whose answers wait. */
const asked: string[] = [];
const waiting: string[] = [];
let mostAtOnce = 0;

beforeAll(async () => {
  const { url } = await provider(({ url: path }, response) => {
    const [, waba = ''] = /(\d+)\/message_templates/.exec(path) ?? [];
    asked.push(waba);
    waiting.push(waba);
    mostAtOnce = Math.max(mostAtOnce, waiting.length);
    response.on('close', () => waiting.splice(waiting.indexOf(waba), 1));
    (lists.get(waba) ?? empty)(response);
  });
  service = await startTestService({
    ROLE: 'api',
    PROVIDER_BASE_URL: url,
    PROVIDER_TIMEOUT: 120_000,
    TEMPLATE_SYNC_INTERVAL: 15,
  });
});
afterEach(async () => {
  jest.restoreAllMocks();
  lists.clear();
  for (const response of held.splice(0)) empty(response);
  await look();
  await run(`DELETE FROM business_accounts WHERE waba_id LIKE '9%'`);
  asked.splice(0);
  mostAtOnce = 0;
});
afterAll(async () => {
  await service.stop();
  await closeAll();
});

const run = (text: string, values: unknown[] = []) =>
  service.database.run<Record<string, unknown>>({ name: '', text }, values);

/** Adds business accounts that were never synced, with the provider's answer for each. @returns their WABAs */
async function addAccounts(...answers: List[]): Promise<string[]> {
  const accounts = service.app.get(AccountsService, { strict: false });
  const { tenantId } = service;
  const rest = { tenantId, appId: null, accessToken: 'token', appSecret: 'secret' };
  const wabas: string[] = [];
  for (const answer of answers) {
    const wabaId = String(900_000_000_000_000 + (count += 1));
    lists.set(wabaId, answer);
    await accounts.addBusinessAccount({ ...rest, wabaId });
    wabas.push(wabaId);
  }
  return wabas;
}

const several = (many: number, answer: List = empty) => Array.from({ length: many }, () => answer);

const look = ({ app }: Pick<RunningService, 'app'> = service) =>
  app.get(RegularSyncsService, { strict: false }).run();

const accountOf = async (waba: string) =>
  (await service.app.get(AccountsService, { strict: false }).secretsOfWaba(waba))!;

const timesAsked = (waba: string) => asked.filter((each) => each === waba).length;

/** Sends the answers that wait, also new ones, until the work has ended. */
async function answerUntilEnded(work: Promise<unknown>): Promise<void> {
  let isEnded = false;
  void work.finally(() => (isEnded = true));
  await eventually(() => {
    for (const response of held.splice(0)) empty(response);
    expect({ isEnded, asked: asked.length }).toMatchObject({ isEnded: true });
  });
  await work;
}

async function syncedWabas(): Promise<unknown[]> {
  const rows = await run('SELECT waba_id FROM business_accounts WHERE templates_synced_at IS NOT NULL');
  return rows.map((row) => row['waba_id']);
}

function startWorker(overrides: Partial<Config> = {}): Promise<RunningService> {
  const config = Object.assign(new Config(), service.config, { ROLE: 'worker' }, overrides);
  return startService(config, { clock: service.clock, logger: new AppLogger(config.LOG_LEVEL, false) });
}

describe('Regular syncs of many accounts', () => {
  it('do not wait for an account whose list does not come, nor does the next look', async () => {
    const [slow, ...others] = await addAccounts(hold, ...several(12));
    const first = look();
    await eventually(async () => expect(await syncedWabas()).toEqual(expect.arrayContaining(others)));
    const [later] = await addAccounts(empty);
    await look();
    expect(await syncedWabas()).toContain(later);
    expect(waiting).toEqual([slow]);
    await answerUntilEnded(first);
    expect(await syncedWabas()).toContain(slow);
  });

  it('run a few at a time', async () => {
    const wabas = await addAccounts(...several(10, hold));
    const looked = look();
    await eventually(() => expect(waiting).toHaveLength(AT_ONCE));
    await look();
    await answerUntilEnded(looked);
    expect(asked.toSorted()).toEqual(wabas.toSorted());
    expect(mostAtOnce).toBe(AT_ONCE);
  });

  it('are begun by a housekeeping job, which does not wait for them', async () => {
    const [slow] = await addAccounts(hold);
    const worker = await startWorker();
    try {
      const queue = worker.app.get<Queue>(getQueueToken(HOUSEKEEPING_QUEUE), { strict: false });
      const job = await queue.add('sync-templates', {});
      await job.finished();
      await eventually(() => expect(waiting).toEqual([slow]));
    } finally {
      await worker.stop();
    }
  });

  it('are done once, although several workers look at the same time', async () => {
    const wabas = await addAccounts(...several(20));
    const worker = await startWorker();
    try {
      await Promise.all([look(), look(worker), look(), look(worker)]);
      expect(asked.toSorted()).toEqual(wabas.toSorted());
    } finally {
      await worker.stop();
    }
  });
});

describe('An account whose sync fails', () => {
  it('is synced after all others, and tried again after 1, 2, 4 … minutes', async () => {
    const [failing] = await addAccounts(refused);
    await look();
    expect(timesAsked(failing!)).toBe(1);
    for (const minutes of [1, 2, 4, 8]) {
      const before = timesAsked(failing!);
      service.clock.forward((minutes * MINUTE) / 2);
      await look();
      expect(timesAsked(failing!)).toBe(before);
      const others = await addAccounts(...several(8));
      service.clock.forward((minutes * MINUTE) / 2);
      asked.splice(0, asked.length, ...asked.filter((waba) => waba === failing));
      await look();
      expect(timesAsked(failing!)).toBe(before + 1);
      // It is taken last, but accounts that were taken just before may send their requests after it.
      const earlier = asked.slice(0, asked.lastIndexOf(failing!)).filter((waba) => others.includes(waba));
      expect(earlier.length).toBeGreaterThan(others.length - AT_ONCE);
    }
  });

  it('is treated like any other again after a sync that succeeds, whoever asked for it', async () => {
    const [failing] = await addAccounts(refused);
    await look();
    service.clock.forward(MINUTE);
    await look(); // the next try is in two minutes
    lists.set(failing!, empty);
    const { id } = await accountOf(failing!);
    await service.app.get(TemplateSyncService, { strict: false }).sync(id);
    lists.set(failing!, refused);
    const asks = timesAsked(failing!);
    service.clock.forward(service.config.TEMPLATE_SYNC_INTERVAL * MINUTE);
    await look();
    expect(timesAsked(failing!)).toBe(asks + 1);
    service.clock.forward(MINUTE);
    await look();
    expect(timesAsked(failing!)).toBe(asks + 2);
  });

  it('is tried at once when it gets another token', async () => {
    const [failing] = await addAccounts(refused);
    await look();
    lists.set(failing!, empty);
    const changes = service.app.get(AccountChangesService, { strict: false });
    await changes.changeBusinessAccount(await accountOf(failing!), { accessToken: 'another' });
    await look();
    expect(await syncedWabas()).toContain(failing);
  });

  it('is logged once, with its id, and counted each time', async () => {
    const failures = async () => {
      const metrics = (await service.api.get('/metrics')).text;
      return Number(/^tms_template_syncs_total\{outcome="failed"\} (\d+)$/m.exec(metrics)?.[1] ?? 0);
    };
    const before = await failures();
    const warn = jest.spyOn(Logger.prototype, 'warn');
    const [failing] = await addAccounts(refused);
    for (const minutes of [0, 1, 2]) {
      service.clock.forward(minutes * MINUTE);
      await look();
    }
    const { id } = await accountOf(failing!);
    const told = warn.mock.calls.filter(([entry]) => JSON.stringify(entry).includes(id));
    expect(told).toEqual([[expect.objectContaining({ businessAccountId: id })]]);
    expect(await failures()).toBe(before + 3);
  });
});

describe('A worker', () => {
  it('that has died leaves its account to the others when its lease has ended', async () => {
    const [waba] = await addAccounts(empty);
    const now = service.clock.now();
    await service.database.run(TAKE_DUE, [now, new Date(now.getTime() + LEASE)]); // like a worker that dies after this
    service.clock.forward(LEASE / 2);
    await look();
    expect(timesAsked(waba!)).toBe(0);
    service.clock.forward(LEASE / 2);
    await look();
    expect(timesAsked(waba!)).toBe(1);
  });

  it('that is stopped does not wait for lists, and leaves its accounts to the others at once', async () => {
    const wabas = await addAccounts(...several(AT_ONCE + 2, hold));
    const worker = await startWorker({ PROVIDER_TIMEOUT: 600_000, SHUTDOWN_GRACE: 600 });
    const looked = look(worker);
    await eventually(() => expect(waiting).toHaveLength(AT_ONCE));
    await worker.stop();
    await looked;
    await eventually(() => expect(waiting).toEqual([]));
    for (const waba of wabas) lists.set(waba, empty);
    await look();
    expect(await syncedWabas()).toEqual(expect.arrayContaining(wabas));
  });
});
