import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { AppLogger } from '../../src/common/logger.js';
import { DEMO } from '../../src/embedded/demo.js';
import { Api } from '../support/api.js';
import { signIn } from '../support/dashboard-api.js';
import { runSql } from '../support/operator.js';
import { SECOND_FACTOR, turnOn } from '../support/second-factor.js';
import { SECRETS, startTestService, type TestService } from '../support/service.js';

const LEVELS = ['log', 'warn', 'error', 'fatal', 'debug', 'verbose'] as const;

const NEW_PASSWORD = 'a secret that a new user has chosen';

let service: TestService;
/** All that was passed to the logger, at any level, before the logger leaves anything out. */
let logged: unknown[];
/** The secrets that the service gave to callers or got from them. */
let secrets: Record<string, string>;

beforeAll(async () => {
  logged = [];
  for (const level of LEVELS)
    jest.spyOn(AppLogger.prototype, level).mockImplementation((...said: unknown[]) => void logged.push(said));
  service = await startTestService();
  secrets = await useSecrets();
});
afterAll(async () => {
  await service.stop();
  jest.restoreAllMocks();
});

/** Uses every kind of secret, in right and in wrong ways. @returns these secrets */
async function useSecrets(): Promise<Record<string, string>> {
  const owner = await signIn(service.url, DEMO.email, SECRETS.demoPassword);
  const anonymous = new Api(service.url, null);
  const credentials = { email: DEMO.email, password: SECRETS.demoPassword };
  await anonymous.post('/dashboard/api/session', { ...credentials, password: `${NEW_PASSWORD}?` });
  await anonymous.post('/dashboard/api/session', { ...credentials, unknown: SECRETS.demoPassword });
  await owner.post('/dashboard/api/users', {
    email: 'x@example.com',
    role: 'viewer',
    password: NEW_PASSWORD,
  });
  const key = (await owner.post('/dashboard/api/api-keys', { name: 'Shop' })).body.data['api_key'] as string;
  await new Api(service.url, key).get('/api/v1/messages');
  await new Api(service.url, `${key}x`).get('/api/v1/messages');
  await service.api.send('+12025550100');
  const { app, recoveryCodes } = await turnOn(service, owner);
  await anonymous.post('/dashboard/api/session', { ...credentials, code: recoveryCodes[0] });
  await owner.request(
    'DELETE',
    SECOND_FACTOR,
    JSON.stringify({ password: SECRETS.demoPassword, code: 'not a code' }),
    { 'Content-Type': 'application/json' },
  );
  return {
    'an API key': key,
    'the API key of the demo': SECRETS.demoApiKey,
    'a password': SECRETS.demoPassword,
    'a new password': NEW_PASSWORD,
    'a session': (owner.headers['Cookie'] as string).split('=')[1] as string,
    'a CSRF token': owner.headers['X-CSRF-Token'] as string,
    'the secret of a second factor': app.secret,
    'a recovery code': recoveryCodes[1] as string,
    'a recovery code without its dashes': (recoveryCodes[1] as string).replaceAll('-', ''),
    'the provider’s token': SECRETS.sandboxAccessToken,
    'an app secret': SECRETS.sandboxAppSecret,
    'the verify token': SECRETS.webhookVerifyToken,
    'the encryption key': SECRETS.encryptionKey,
    'the session secret': SECRETS.dashboardSessionSecret,
  };
}

/** The names of the secrets that a text contains. */
const secretsIn = (text: string) =>
  Object.keys(secrets).filter((name) => text.includes(secrets[name] as string));

it('No secret is in the log', () => {
  expect(logged.length).toBeGreaterThan(0);
  expect(secretsIn(inspect(logged, { depth: 20, maxArrayLength: null, maxStringLength: null }))).toEqual([]);
});

it('No secret is in the database in plain text', async () => {
  const tables = await runSql(
    service,
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()`,
  );
  expect(tables.length).toBeGreaterThan(20);
  for (const { name } of tables) {
    const [rows] = await runSql(
      service,
      `SELECT '${name}' AS name, coalesce(string_agg(t::text, ' '), '') AS text FROM "${name}" t`,
    );
    expect([name, secretsIn(rows?.['text'])]).toEqual([name, []]);
  }
});
