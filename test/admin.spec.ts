import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { verify } from '@node-rs/argon2';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { AccountsService } from '../src/accounts/accounts.service.js';
import { SecretBox } from '../src/accounts/secret-box.js';
import { describeFault } from '../src/admin/fault.js';
import { adminProgram } from '../src/admin/program.js';
import { runCommand } from '../src/admin/run-command.js';
import { Config } from '../src/config/config.js';
import type { WireTemplate } from '../src/provider/wire.js';
import { Api } from './support/api.js';
import { dashboardApi, signIn } from './support/dashboard-api.js';
import { eventually } from './support/eventually.js';
import {
  createTestDatabase,
  databaseVariables,
  directUrlOf,
  type TestDatabase,
} from './support/infrastructure.js';
import { adminEnv } from './support/operator.js';
import { turnOn } from './support/second-factor.js';
import { SECRETS, startTestService, testConfig, type TestService } from './support/service.js';

/** Compiled by Jest's global setup. */
const MAIN = new URL('../dist/src/admin/main.js', import.meta.url).pathname;
const RATE_CARD = new URL('../src/pricing/sample-rate-card.csv', import.meta.url).pathname;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Nothing listens there. */
const NOWHERE = '127.0.0.1:1';
const KEY = Buffer.alloc(32, 1).toString('base64');
const NEWER_KEY = Buffer.alloc(32, 2).toString('base64');
const NO_ID = '11111111-2222-4333-8444-555555555555';
/** Each secret has a "hush" in it, by which tests find it where it is printed. This one has special characters too. */
const TOKEN = `-x=hush$+/"'&%token`;
const APP_SECRET = '--hush secret';
const PASSWORD = 'hush, little baby';
const WABA = '200000000000001';

type Env = Record<string, string>;
type Answer = Record<string, any>;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tms-spec-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs the command as its users do, in a folder without configuration and without a Redis. */
function run(args: string[], env: Env, input = '') {
  const variables = { PATH: process.env['PATH'], REDIS_URL: `redis://${NOWHERE}`, ...env };
  const line = ['--enable-source-maps', MAIN, ...args];
  return new Promise<{ exitCode: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(process.execPath, line, { cwd: folder, env: variables }, (error, stdout, stderr) =>
      resolve({ exitCode: error ? Number(error.code) : 0, stdout, stderr }),
    );
    child.stdin?.on('error', () => undefined).end(input);
  });
}

/** Said by a command that waits for another one's migration, on a slow machine. */
const WAITS = /^.*Another process migrates the database.*\n/gm;

/** The command's answer. It has to be one line of JSON, and nothing else may be printed or logged. */
async function admin(args: string[], env: Env, input = ''): Promise<{ exitCode: number; answer: Answer }> {
  const { exitCode, stdout, stderr } = await run(args, env, input);
  expect(stdout).toMatch(/^\{.*\}\n$/);
  expect(stdout).not.toMatch(/hush|node_modules|\.ts:/);
  expect(stderr.replaceAll(WAITS, '')).toBe('');
  return { exitCode, answer: JSON.parse(stdout) };
}

/** The fault of a command; it runs in this process, which is much faster. */
async function faultOf(args: string[], env: Env): Promise<Answer> {
  const fault = await runCommand(args, env).then(() => null, describeFault);
  expect(JSON.stringify(fault)).not.toMatch(/hush|node_modules|\.ts:/);
  return fault as Answer;
}

/** The words of a command line. */
const words = (line: string, ...more: string[]) => [...line.split(' '), ...more];

const boxOf = (key: string) => new SecretBox(Object.assign(new Config(), { ENCRYPTION_KEY: key }));

async function query(url: string, text: string, values: unknown[] = []): Promise<any[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

const template = (name: string): Omit<WireTemplate, 'id'> => ({
  name,
  language: 'en',
  status: 'APPROVED',
  category: 'UTILITY',
  components: [{ type: 'BODY', text: 'Hello there.' }],
});

describe('The administration of a running service', () => {
  let service: TestService;
  let env: Env;
  const ids = { tenant: '', businessAccount: '', number: '' };

  beforeAll(async () => {
    service = await startTestService();
    env = adminEnv(service);
    const number = { displayPhoneNumber: '+971501230001', verifiedName: 'Books', messagesPerSecond: 80 };
    service.sandbox.addBusinessAccount({
      wabaId: WABA,
      appId: '300000000000001',
      accessToken: TOKEN,
      appSecret: APP_SECRET,
      numbers: [{ phoneNumberId: '400000000000001', ...number }],
    });
    service.sandbox.addTemplate(WABA, template('hello'));
  });
  afterAll(() => service.stop());

  const rows = (text: string, ...values: unknown[]) => query(directUrlOf(service.config), text, values);

  /** Runs the command in this process, which is much faster. */
  async function succeed(args: string[]): Promise<Answer> {
    const json = JSON.stringify(await runCommand(args, env));
    expect(json).not.toMatch(/hush/);
    return JSON.parse(json);
  }

  /** Runs the command as its users do. */
  async function printed(args: string[], input = ''): Promise<Answer> {
    const { exitCode, answer } = await admin(args, env, input);
    expect({ exitCode, answer }).toEqual({ exitCode: 0, answer: expect.anything() });
    return answer;
  }

  it('creates a tenant', async () => {
    const created = await printed(words('tenant:create --markup 12.5 --name', 'Büchér & Co'));
    expect(created).toEqual({ tenant_id: expect.stringMatching(UUID) });
    ids.tenant = created['tenant_id'];
    const [row] = await rows('SELECT name, markup_percent FROM tenants WHERE id = $1', ids.tenant);
    expect(row).toEqual({ name: 'Büchér & Co', markup_percent: '12.5000' });
  });

  it('adds a business account with its templates, and keeps its secrets encrypted', async () => {
    const args = words(
      `business-account:add --tenant ${ids.tenant} --waba-id ${WABA} --app-id 300000000000001`,
    );
    args.push(`--access-token=${TOKEN}`, '--app-secret', APP_SECRET);
    const added = await printed(args);
    expect(added).toEqual({
      business_account_id: expect.stringMatching(UUID),
      templates: { created: 1, updated: 0, removed: 0 },
    });
    ids.businessAccount = added['business_account_id'];
    const [row] = await rows('SELECT * FROM business_accounts WHERE id = $1', ids.businessAccount);
    const sealed = expect.stringMatching(/^v1\./);
    expect(row).toMatchObject({ access_token: sealed, app_secret: sealed, app_id: '300000000000001' });
    expect(await faultOf(args, env)).toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('adds a number', async () => {
    const owner = `--business-account ${ids.businessAccount} --phone-number-id 400000000000001`;
    const added = await succeed(words(`number:add ${owner} --name Books --phone`, '+971 50 123 0001'));
    expect(added).toEqual({ messaging_account_id: expect.stringMatching(/^acc_[A-Za-z0-9]{20}$/) });
    ids.number = added['messaging_account_id'];
    const [row] = await rows('SELECT * FROM messaging_accounts WHERE api_id = $1', ids.number);
    expect(row).toMatchObject({ phone: '971501230001', messages_per_second: 80, tenant_id: ids.tenant });
  });

  it('syncs templates by the id of the number or of the business account', async () => {
    service.sandbox.addTemplate(WABA, template('goodbye'));
    const synced = await succeed(words(`templates:sync --account ${ids.number}`));
    expect(synced).toEqual({ created: 1, updated: 0, removed: 0 });
    const again = await runCommand(words(`templates:sync --account ${ids.businessAccount}`), env);
    expect(again).toEqual({ created: 0, updated: 0, removed: 0 });
  });

  it('changes the secrets of a business account, and says whether the provider accepts the token', async () => {
    const update = words(`business-account:update --id ${ids.businessAccount}`);
    const secretsOf = () =>
      service.app.get(AccountsService, { strict: false }).secretsOf(ids.businessAccount);
    const changed = await printed([...update, '--access-token=hush-no-token', '--app-secret', '--hush new']);
    expect(changed).toEqual({
      business_account_id: ids.businessAccount,
      templates_error: expect.any(String),
    });
    expect(await faultOf(update, env)).toMatchObject({ code: 'VALIDATION_FAILED', details: [] });
    await eventually(async () =>
      expect(await secretsOf()).toMatchObject({ accessToken: 'hush-no-token', appSecret: '--hush new' }),
    );
    expect(await succeed([...update, `--access-token=${TOKEN}`])).toEqual({
      business_account_id: ids.businessAccount,
      templates: { created: 0, updated: 0, removed: 0 },
    });
    await eventually(async () =>
      expect(await secretsOf()).toMatchObject({ accessToken: TOKEN, appSecret: '--hush new' }),
    );
    const [row] = await rows('SELECT * FROM business_accounts WHERE id = $1', ids.businessAccount);
    expect([row.access_token, row.app_secret]).toEqual(Array(2).fill(expect.stringMatching(/^v1\./)));
  });

  it('sets and removes the starts of the international rate for codes, on the running service', async () => {
    const update = words(`business-account:update --id ${ids.businessAccount} --auth-international`);
    const startsOf = async () =>
      (await service.app.get(AccountsService, { strict: false }).find(ids.tenant, ids.number))
        .authInternational;
    expect(await startsOf()).toBeNull();
    const starts = { IN: '2026-07-01T00:00:00.000Z', '*': '2026-05-31T20:00:00.000Z' };
    expect(await printed([...update, 'IN=2026-07-01,*=2026-06-01T00:00:00+04:00'])).toEqual({
      business_account_id: ids.businessAccount,
      auth_international: starts,
    });
    await eventually(async () => expect(await startsOf()).toEqual(starts));
    expect(await succeed([...update, ''])).toMatchObject({ auth_international: null });
    await eventually(async () => expect(await startsOf()).toBeNull());
  });

  it("creates a tenant's key that works at once, and revokes it on the running service", async () => {
    const key = await printed(words(`api-key:create --tenant ${ids.tenant} --name Shop`));
    expect(key).toEqual({
      api_key_id: expect.stringMatching(UUID),
      api_key: expect.stringMatching(/^tms_[A-Za-z0-9]{40}$/),
    });
    const api = new Api(service.url, key['api_key']);
    const data = { name: 'hello', language_code: 'en' };
    const sent = await api.send('+971501112222', { messaging_account_id: ids.number, data });
    expect(sent.status).toBe(202);

    const revoked = await succeed(words(`api-key:revoke --id ${key['api_key_id']}`));
    expect(revoked).toEqual({ api_key_id: key['api_key_id'], revoked: true });
    await eventually(async () => expect((await api.get('/api/v1/messages')).status).toBe(401));
  });

  it('creates a platform key, which may have an end', async () => {
    const key = await succeed(words('api-key:create --platform --name Tests --expires-at 2999-01-01'));
    expect(key).toMatchObject({ expires_at: '2999-01-01T00:00:00.000Z' });
    const api = new Api(service.url, key['api_key'], { 'X-TENANT-ID': ids.tenant });
    expect((await api.get('/api/v1/messages')).status).toBe(200);
    const unnamed = await runCommand(words('api-key:create --platform'), env);
    expect(Object.keys(unnamed ?? {})).toEqual(['api_key_id', 'api_key']);
  });

  it('creates a key that may do only some things', async () => {
    const scopes = ['messages:read', 'templates:read'];
    const args = words(`api-key:create --tenant ${ids.tenant} --name Reader --scopes ${scopes.toReversed()}`);
    const key = await succeed(args);
    expect(key).toEqual({ api_key_id: expect.any(String), api_key: expect.any(String), scopes });
    const api = new Api(service.url, key['api_key']);
    expect((await api.get('/api/v1/messages')).status).toBe(200);
    expect((await api.send('+971501112222')).status).toBe(403);
  });

  it('creates a dashboard user with the password of standard input', async () => {
    const args = words(`user:create --tenant ${ids.tenant} --email Ann@Example.com --password-stdin`);
    const short = await admin(args, env, 'hush\n');
    expect(short.exitCode).toBe(1);
    expect(short.answer['error']).toMatchObject({ details: [{ field: '--password-stdin' }] });
    const common = await admin(args, env, 'Corvette2026\n');
    expect(common.exitCode).toBe(1);
    expect(common.answer['error']).toMatchObject({ details: [{ field: '--password-stdin' }] });
    expect(JSON.stringify(common.answer)).not.toContain('Corvette');

    const user = await printed(args, `${PASSWORD}\n`);
    expect(user).toEqual({ user_id: expect.stringMatching(UUID) });
    const [row] = await rows('SELECT * FROM dashboard_users WHERE id = $1', user['user_id']);
    expect(row.email).toBe('ann@example.com');
    expect(await verify(row.password_hash, PASSWORD)).toBe(true);
  });

  it('resets the second factor of a user who has lost it, and says so in the audit log', async () => {
    const owner = await dashboardApi(service);
    const { email, user_id } = (await owner.get('/dashboard/api/session')).body.data['user'];
    const reset = (by: string) => succeed(words(`user:reset-second-factor ${by}`));
    expect(await reset(`--email ${email}`)).toEqual({ user_id, reset: false });
    await turnOn(service, owner);
    await expect(signIn(service.url, email, SECRETS.demoPassword)).rejects.toThrow('SECOND_FACTOR_REQUIRED');
    expect(await reset(`--email ${email.toUpperCase()}`)).toEqual({ user_id, reset: true });
    await signIn(service.url, email, SECRETS.demoPassword);
    const { body } = await owner.get('/dashboard/api/audit-log?action=user.second_factor_reset');
    expect(body.data).toMatchObject([{ user_email: 'command line', details: { user_id, email } }]);
    await turnOn(service, owner);
    expect(await reset(`--id ${user_id}`)).toEqual({ user_id, reset: true });
  });

  it('loads a rate card, or lists its faults', async () => {
    const from = '--effective-from 2020-01-01T00:00:00+04:00';
    const loaded = await succeed(words(`rates:load ${from} --file`, RATE_CARD));
    expect(loaded).toEqual({ rates: expect.any(Number), effective_from: '2019-12-31T20:00:00.000Z' });
    expect(loaded['rates']).toBeGreaterThan(10);

    const file = join(folder, 'card.csv');
    await writeFile(file, 'Market,Currency,Marketing,Utility,Authentication\nIndia,USD,abc,0.1,0.1\n');
    expect(await faultOf(words(`rates:load ${from} --file`, file), env)).toMatchObject({
      code: 'RATE_CARD_INVALID',
      details: [{ line: 2, reason: expect.stringContaining('MARKETING') }],
    });
  });

  it('lists holds and lifts one', async () => {
    const [number] = await rows('SELECT id FROM messaging_accounts WHERE api_id = $1', ids.number);
    const error = { code: 131048, title: 'Spam', details: null };
    const [{ id }] = await rows(
      `INSERT INTO holds (tenant_id, scope, target_id, cause, error, created_at, next_probe_at)
       VALUES ($1, 'number', $2, 'spam', $3, '2026-01-01Z', '2026-01-01Z') RETURNING id`,
      ids.tenant,
      number.id,
      error,
    );
    const created_at = '2026-01-01T00:00:00.000Z';
    const target = { tenant_id: ids.tenant, scope: 'number', target_id: ids.number };
    expect(await succeed(['hold:list'])).toEqual({
      holds: [{ id, ...target, cause: 'spam', error, created_at }],
    });
    const lift = words(`hold:lift --id ${id}`);
    expect(await succeed(lift)).toEqual({ id, lifted: true });
    expect(await faultOf(lift, env)).toMatchObject({ code: 'NOT_FOUND', details: [{ field: '--id' }] });
    expect(await runCommand(['hold:list'], env)).toEqual({ holds: [] });
  });

  it.each([
    ['NOT_FOUND', '--tenant', `api-key:create --tenant ${NO_ID} --name x`],
    ['NOT_FOUND', '--email', 'user:reset-second-factor --email nobody@example.com'],
    ['NOT_FOUND', '--id', `user:reset-second-factor --id ${NO_ID}`],
    ['NOT_FOUND', '--tenant', `user:create --tenant ${NO_ID} --email a@b.org --password-stdin`],
    ['NOT_FOUND', '--id', `api-key:revoke --id ${NO_ID}`],
    [
      'NOT_FOUND',
      '--business-account',
      `number:add --business-account ${NO_ID} --phone-number-id 1 --phone +971501112222 --name x`,
    ],
    ['ACCOUNT_NOT_FOUND', '--account', `templates:sync --account acc_${'x'.repeat(20)}`],
    ['ACCOUNT_NOT_FOUND', '--account', `templates:sync --account ${NO_ID}`],
    ['NOT_FOUND', '--id', `business-account:update --id ${NO_ID} --app-secret x`],
    ['VALIDATION_FAILED', '--file', 'rates:load --file /none.csv --effective-from 2026-01-01'],
    ['VALIDATION_FAILED', '--expires-at', 'api-key:create --platform --expires-at 2020-01-01'],
  ])('answers %s for %s in %s', async (code, field, line) => {
    expect(await faultOf(words(line), env)).toMatchObject({ code, details: [{ field }] });
  });
});

describe('The administration of an empty database', () => {
  let database: TestDatabase;
  let env: Env;

  beforeAll(async () => {
    database = await createTestDatabase();
    const reached = testConfig({ DATABASE_URL: database.serviceUrl });
    env = { ...databaseVariables(reached), ENCRYPTION_KEY: KEY, PROVIDER_BASE_URL: `http://${NOWHERE}` };
  });
  afterAll(() => database.drop());

  it('migrates the database, also when two commands start together', async () => {
    const both = await Promise.all([admin(['hold:list'], env), admin(['hold:list'], env)]);
    const empty = { exitCode: 0, answer: { holds: [] } };
    expect(both).toEqual([empty, empty]);
  });

  it('migrates the database and does nothing else, with its address alone', async () => {
    const other = await createTestDatabase();
    try {
      const alone = { NODE_ENV: 'production', DATABASE_URL: other.url };
      const { exitCode, answer } = await admin(['database:migrate'], alone);
      expect(exitCode).toBe(0);
      expect(answer['migrations']).toContain('InitialSchema1763700000000');
      expect(await admin(['database:migrate'], alone)).toEqual({ exitCode: 0, answer: { migrations: [] } });
    } finally {
      await other.drop();
    }
  });

  it('adds an account while the provider cannot be reached, and encrypts its secrets anew with a newer key', async () => {
    const tenant = (await runCommand(words('tenant:create --name Shop'), env)) as Answer;
    const secrets = ['--access-token', TOKEN, `--app-secret=${APP_SECRET}`];
    const add = words(`business-account:add --tenant ${tenant['tenant_id']} --waba-id 1`, ...secrets);
    const { exitCode, answer } = await admin(add, env);
    expect({ exitCode, answer }).toEqual({
      exitCode: 0,
      answer: {
        business_account_id: expect.stringMatching(UUID),
        templates_error: expect.stringContaining('provider'),
      },
    });
    const sync = words(`templates:sync --account ${answer['business_account_id']}`);
    expect(await faultOf(sync, env)).toMatchObject({ code: 'PROVIDER_ERROR' });

    await query(
      database.url,
      `WITH u AS (INSERT INTO dashboard_users (tenant_id, email, password_hash)
         VALUES ($1, 'ann@example.com', '') RETURNING id)
       INSERT INTO second_factors (user_id, secret) SELECT id, $2 FROM u`,
      [tenant['tenant_id'], boxOf(KEY).seal('hush, of an app')],
    );
    await query(
      database.url,
      `INSERT INTO webhook_endpoints (tenant_id, url, secret, former_secrets, after_entry, after_ordinal, next_try_at)
       VALUES ($1, 'https://example.com', $2, jsonb_build_array(jsonb_build_object('secret', $3::text, 'until', now())), 0, 0, now())`,
      [tenant['tenant_id'], boxOf(KEY).seal('hush, of an endpoint'), boxOf(KEY).seal('hush, before')],
    );

    const without = { ...env, ENCRYPTION_KEY: NEWER_KEY };
    expect(await faultOf(['secrets:rotate'], without)).toMatchObject({ code: 'CONFIGURATION_INVALID' });
    const rotated = await admin(['secrets:rotate'], { ...env, ENCRYPTION_KEY: `${NEWER_KEY},${KEY}` });
    expect(rotated).toEqual({ exitCode: 0, answer: { rotated: 5 } });
    expect(await runCommand(['secrets:rotate'], without)).toEqual({ rotated: 0 });
    const [factor] = await query(database.url, 'SELECT secret FROM second_factors');
    expect(boxOf(NEWER_KEY).open(factor.secret)).toBe('hush, of an app');
    const [endpoint] = await query(database.url, 'SELECT secret, former_secrets FROM webhook_endpoints');
    const [former] = endpoint.former_secrets;
    expect([endpoint.secret, former.secret].map((one) => boxOf(NEWER_KEY).open(one))).toEqual([
      'hush, of an endpoint',
      'hush, before',
    ]);
    expect(former.until).toMatch(/^20/);
  });

  it('sets, shows and removes spending limits', async () => {
    const limit = (...args: string[]) => admin(['spend:limit', '--tenant', owner, ...args], env);
    const { tenant_id: owner } = (await runCommand(words('tenant:create --name Limited'), env)) as Answer;
    const key = (await runCommand(['api-key:create', '--tenant', owner, '--name', 'Shop'], env)) as Answer;
    expect(await limit()).toEqual({ exitCode: 0, answer: { limits: [] } });
    expect(await faultOf(['spend:limit', '--tenant', owner, '--day', '5'], env)).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ field: '--currency' }],
    });
    await limit('--day', '5', '--month', '99.5', '--currency', 'EUR');
    const { answer } = await limit('--key', key['api_key_id'], '--day', '7', '--currency', 'USD');
    const of = { name: null, spent: '0.000000', in_force: true, reached: false };
    const anew = { spend_limit_id: expect.any(Number), begins_anew_at: expect.any(String) };
    const all = { ...of, ...anew, limit: 'tenant', messaging_account_id: null, api_key_id: null };
    expect(answer.limits).toEqual([
      { ...all, period: 'day', currency: 'EUR', amount: '5.000000' },
      { ...all, period: 'month', currency: 'EUR', amount: '99.500000' },
      {
        ...all,
        limit: 'api_key',
        api_key_id: key['api_key_id'],
        name: 'Shop',
        period: 'day',
        currency: 'USD',
        amount: '7.000000',
      },
    ]);
    const large = await limit('--month', '250000000000.5', '--currency', 'IDR');
    expect(large.answer.limits).toContainEqual({
      ...all,
      period: 'month',
      currency: 'IDR',
      amount: '250000000000.500000',
    });
    await limit('--month', 'none', '--currency', 'IDR');
    const left = await limit('--day', 'none', '--currency', 'EUR');
    expect(left.answer.limits.map((one: Answer) => one['period'])).toEqual(['month', 'day']);
    const again = ['spend:limit', '--tenant', owner, '--day', 'none', '--currency', 'EUR'];
    expect(await faultOf(again, env)).toMatchObject({ code: 'NOT_FOUND', details: [{ field: '--day' }] });
    const unknown = ['spend:limit', '--tenant', owner, '--key', NO_ID, '--day', '1', '--currency', 'EUR'];
    expect(await faultOf(unknown, env)).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('verifies the ledger, and exits 1 when it does not balance', async () => {
    const empty = { tenants: 0, messages: 0, currencies: [], differences: [] };
    expect(await admin(['ledger:verify'], env)).toEqual({
      exitCode: 0,
      answer: { balanced: true, ...empty },
    });
    await query(
      database.url,
      `INSERT INTO ledger_entries (tenant_id, message_log_id, kind, amount, currency, created_at)
       VALUES ($1, 7, 'charge', 1, 'USD', now())`,
      [NO_ID],
    );
    const { exitCode, answer } = await admin(['ledger:verify'], env);
    expect(exitCode).toBe(1);
    expect(answer).toMatchObject({ balanced: false, differences: [{ message_log_id: 7, status: null }] });
  });

  it('uses the embedded database of the folder when none is configured, except in production', async () => {
    const facts = { database_url: database.url, provider_url: `http://${NOWHERE}` };
    await writeFile(join(folder, 'sandbox.json'), JSON.stringify(facts));
    await writeFile(join(folder, 'secrets.json'), JSON.stringify({ encryptionKey: KEY }));
    const beside = await admin(['hold:list'], { DATA_DIR: folder });
    expect(beside).toEqual({ exitCode: 0, answer: { holds: [] } });

    const production = await faultOf(['hold:list'], { DATA_DIR: folder, NODE_ENV: 'production' });
    expect(production).toMatchObject({ code: 'CONFIGURATION_INVALID' });
    const faults = ['DATABASE_URL', 'ENCRYPTION_KEY'].map((name) => expect.stringContaining(name));
    expect(production['details'].map(({ reason }: Answer) => reason)).toEqual(faults);
  });
});

describe('A command that cannot run', () => {
  const out = {
    DATABASE_URL: `postgres://user:hush@${NOWHERE}/db`,
    ENCRYPTION_KEY: KEY,
    PROVIDER_BASE_URL: `http://${NOWHERE}`,
  };

  it('prints what is wrong and what to do, and exits 1', async () => {
    const [nothing, unreachable, unknown] = await Promise.all([
      admin(['hold:list'], {}),
      admin(['hold:list'], out),
      admin(words('tenant:create --name x --api=hush'), out),
    ]);
    expect(nothing).toEqual({
      exitCode: 1,
      answer: {
        success: false,
        error: {
          code: 'CONFIGURATION_INVALID',
          message: expect.any(String),
          details: [{ reason: expect.stringContaining('npm start') }],
        },
      },
    });
    expect(unreachable).toMatchObject({ exitCode: 1, answer: { error: { code: 'SERVICE_UNAVAILABLE' } } });
    expect(unknown).toMatchObject({ exitCode: 1, answer: { error: { details: [{ field: '--api' }] } } });
  });

  it.each([
    ['', []],
    ['tenant:destroy', []],
    ['hold:list hush', []],
    ['tenant:create', ['--name']],
    ['tenant:create --name= --markup=hush', ['--markup', '--name']],
    [
      `business-account:add --tenant x --waba-id /1 --app-secret= --access-token=ä`,
      ['--access-token', '--app-secret', '--tenant', '--waba-id'],
    ],
    ['api-key:create --name x', ['--tenant']],
    ['api-key:create --name x --tenant hush', ['--tenant']],
    [`api-key:create --tenant ${NO_ID}`, ['--name']],
    [`api-key:create --platform --tenant ${NO_ID}`, ['--platform']],
    ['api-key:create --platform --expires-at soon', ['--expires-at']],
    ['api-key:create --platform --scopes messages:send,all', ['--scopes']],
    ['api-key:create --platform --scopes=', ['--scopes']],
    ['api-key:create --platform --expires-at 2999-01-01T00:00', ['--expires-at']],
    [`number:add --business-account ${NO_ID} --phone-number-id 1 --name x --phone 12`, ['--phone']],
    [
      `number:add --business-account x --phone-number-id 1 --name x --phone +971501112222 --mps 1001`,
      ['--business-account', '--mps'],
    ],
    [`user:create --tenant ${NO_ID} --email hush --password-stdin`, ['--email']],
    [`user:create --tenant ${NO_ID} --email a@b.org`, ['--password-stdin']],
    ['user:reset-second-factor', ['--email']],
    ['user:reset-second-factor --id hush', ['--id']],
    ['templates:sync --account hush', ['--account']],
    ['business-account:update', ['--id']],
    [
      'business-account:update --id x --access-token=ä --app-secret= --auth-international=hush',
      ['--access-token', '--app-secret', '--auth-international', '--id'],
    ],
    ...['IN', 'IN=', 'IN=soon', 'UK=2026-01-01', 'IN=2026-01-01,IN=2026-01-02', 'IN=2026-01-01=', ','].map(
      (starts): [string, string[]] => [
        `business-account:update --id ${NO_ID} --auth-international ${starts}`,
        ['--auth-international'],
      ],
    ),
    ['rates:load --file= --effective-from 2026-02-30', ['--effective-from', '--file']],
    ['hold:lift --id hush', ['--id']],
  ])('says what is wrong with "%s"', async (line, fields) => {
    const { code, details } = await faultOf(line === '' ? [] : words(line), out);
    expect(code).toBe('VALIDATION_FAILED');
    expect(details.map((detail: { field: string }) => detail.field).toSorted()).toEqual(fields);
  });
});

describe('Help', () => {
  it.each([
    ['--help', 'COMMAND'],
    ['number:add --help', '[--mps 80]'],
    ['business-account:update --help', '[--auth-international COUNTRY=START,…]'],
  ])('is plain text: %s', async (line, text) => {
    const { exitCode, stdout, stderr } = await run(words(line), {});
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: npm run --silent admin -- /);
    expect(stdout).toContain(text);
  });

  it('names every required option in the usage of each command', () => {
    const { commands } = adminProgram(
      () => async () => undefined,
      async () => undefined,
    );
    expect(commands).toHaveLength(24);
    for (const command of commands) {
      const required = command.options
        .filter((option) => option.mandatory)
        .map((option) => option.long ?? '');
      for (const option of required) expect(command.usage()).toContain(option);
    }
  });
});
