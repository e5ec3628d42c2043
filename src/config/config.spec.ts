import { describe, expect, it } from '@jest/globals';
import { ConfigError, loadConfig, readEnvironment } from './config.js';

const COMPLETE = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://user:secret@localhost:5432/db',
  REDIS_URL: 'redis://localhost:6379',
  WEBHOOK_VERIFY_TOKEN: 'a-verify-token',
  ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
  DASHBOARD_SESSION_SECRET: 'a session secret of some length',
};

const faultsOf = (env: NodeJS.ProcessEnv): string[] => {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    return (error as ConfigError).faults;
  }
};

describe('The configuration', () => {
  it('uses defaults where nothing is set', () => {
    expect(loadConfig(COMPLETE)).toMatchObject({
      PORT: 3000,
      HOST: '0.0.0.0',
      ROLE: 'all',
      PROVIDER_BASE_URL: 'https://graph.facebook.com',
      PROVIDER_API_VERSION: 'v25.0',
      THROTTLE_LIMIT: 60_000,
      THROTTLE_FAILURES: 60,
      UNKNOWN_OUTCOME_WINDOW: 120,
      SHUTDOWN_GRACE: 25,
    });
  });

  it('takes hosts with an underscore, as the services of Compose may be named', () => {
    const urls = {
      DATABASE_URL: 'postgres://user:secret@my_db:5432/db',
      REDIS_URL: 'redis://my_redis:6379',
      PROVIDER_BASE_URL: 'http://provider_stub:8080',
    };
    expect(loadConfig({ ...COMPLETE, ...urls })).toMatchObject(urls);
  });

  it.each([
    ['PORT', '70000'],
    ['PORT', 'http'],
    ['PORT', '3000.5'],
    ['METRICS_PORT', 'metrics'],
    ['ROLE', 'both'],
    ['LOG_LEVEL', 'loud'],
    ['DATABASE_URL', 'mysql://localhost/db'],
    ['DATABASE_URL', 'postgres://user:secret@first:5432,second:port/db'],
    ['DATABASE_DIRECT_URL', 'localhost:5432'],
    ['DATABASE_DIRECT_URL', 'postgres://first,second/db?target_session_attrs=standby'],
    ['DATABASE_PREPARED_STATEMENTS', 'maybe'],
    ['REDIS_URL', 'localhost:6379'],
    ['REDIS_URL', 'rediss://localhost:6379?tls='],
    ['PROVIDER_BASE_URL', 'ftp://localhost'],
    ['PROVIDER_API_VERSION', '23'],
    ['ENCRYPTION_KEY', 'c2hvcnQ='],
    ['WEBHOOK_VERIFY_TOKEN', 'short'],
    ['THROTTLE_LIMIT', '-1'],
    ['UNKNOWN_OUTCOME_WINDOW', '0'],
    ['ALERT_SMTP_URL', 'https://localhost'],
    ['ALERT_MAIL_FROM', 'nobody'],
    ['ALERT_MAIL_TO', 'one@example.com,two'],
    ['ALERT_WEBHOOK_URL', 'hooks.example.com'],
  ])('refuses %s=%s, naming the variable and not the value', (name, value) => {
    const faults = faultsOf({ ...COMPLETE, [name]: value });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(name);
    expect(faults[0]?.split(/[ =]/)).not.toContain(value);
  });

  it('accepts a mail server with a password, and several addresses', () => {
    const mail = {
      ALERT_SMTP_URL: 'smtp://user:p%40ss@127.0.0.1:2525',
      ALERT_MAIL_FROM: 'Messaging <alerts@example.com>',
      ALERT_MAIL_TO: 'one@example.com, two@example.com',
    };
    expect(loadConfig({ ...COMPLETE, ...mail })).toMatchObject(mail);
  });

  it('refuses a mail server without addresses', () => {
    const [fault, ...others] = faultsOf({ ...COMPLETE, ALERT_SMTP_URL: 'smtps://mail.example.com' });
    expect(fault).toMatch(/ALERT_MAIL_FROM and ALERT_MAIL_TO go together/);
    expect(others).toEqual([]);
  });

  it('accepts several hosts of one database', () => {
    const DATABASE_URL = 'postgres://user:secret@first:5432,[::1]:5433/db?target_session_attrs=read-write';
    expect(loadConfig({ ...COMPLETE, DATABASE_URL }).DATABASE_URL).toBe(DATABASE_URL);
  });

  it.each(['worker', 'all'])(
    'refuses fewer connections than the role %s uses at once, and says what to do',
    (role) => {
      const [fault, ...others] = faultsOf({ ...COMPLETE, ROLE: role, DATABASE_POOL: '3' });
      expect(fault).toMatch(/^DATABASE_POOL must be at least 4 .*set more, or leave it out$/);
      expect(others).toEqual([]);
      expect(faultsOf({ ...COMPLETE, ROLE: role, DATABASE_POOL: '4' })).toEqual([]);
    },
  );

  it('accepts fewer connections for an API process, whose transactions need no second one', () => {
    expect(faultsOf({ ...COMPLETE, ROLE: 'api', DATABASE_POOL: '2' })).toEqual([]);
  });

  it('refuses an address past the pooler without that of the pooler', () => {
    const faults = faultsOf({
      ...COMPLETE,
      NODE_ENV: 'development',
      DATABASE_URL: '',
      DATABASE_DIRECT_URL: COMPLETE.DATABASE_URL,
      PROVIDER_BASE_URL: 'http://localhost',
    });
    expect(faults[0]).toMatch(/^DATABASE_DIRECT_URL is for .* set DATABASE_URL as well$/);
  });

  it('refuses one port for both, and takes a free one for each', () => {
    const [fault, ...others] = faultsOf({ ...COMPLETE, PORT: '3000', METRICS_PORT: '3000' });
    expect(fault).toMatch(/^METRICS_PORT must be another than PORT; /);
    expect(others).toEqual([]);
    expect(faultsOf({ ...COMPLETE, PORT: '0', METRICS_PORT: '0' })).toEqual([]);
    expect(loadConfig(COMPLETE).METRICS_PORT).toBeUndefined();
  });

  it('refuses a NODE_ENV that it does not know, rather than take it for development', () => {
    expect(faultsOf({ ...COMPLETE, NODE_ENV: 'prod' })[0]).toContain('NODE_ENV');
  });

  it('lists every fault at once, missing and wrong ones', () => {
    const faults = faultsOf({ NODE_ENV: 'production', PORT: 'x', ROLE: 'y', REDIS_URL: COMPLETE.REDIS_URL });
    for (const name of [
      'PORT',
      'ROLE',
      'DATABASE_URL',
      'WEBHOOK_VERIFY_TOKEN',
      'ENCRYPTION_KEY',
      'DASHBOARD_SESSION_SECRET',
    ]) {
      expect(faults.filter((fault) => fault.includes(name))).toHaveLength(1);
    }
    expect(faults).toHaveLength(6);
  });

  it('never embeds in production: a missing variable is a fault there', () => {
    expect(faultsOf({ NODE_ENV: 'production' }).join()).toContain('DATABASE_URL is not set');
  });

  it('leaves out what may be embedded outside production', () => {
    const environment = readEnvironment({});
    expect(environment.DATABASE_URL).toBeUndefined();
    expect(environment.PROVIDER_BASE_URL).toBeUndefined();
  });

  it('takes an empty variable for one that is not set', () => {
    expect(loadConfig({ ...COMPLETE, PORT: '' }).PORT).toBe(3000);
  });
});
