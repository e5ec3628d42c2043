import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { Environment } from '../../src/config/environment.js';

interface Service {
  image: string;
  command?: string[];
  environment?: Record<string, string | number>;
  networks?: string[];
  ports?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  profiles?: string[];
  stop_grace_period?: string;
  deploy?: { replicas: number };
  depends_on?: Record<string, { condition: string }>;
}

const text = readFileSync('compose.yaml', 'utf8');
const compose = parse(text, { merge: true }) as {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean }>;
};
const services = Object.entries(compose.services);
const ours = services.filter(([, { image }]) => image.includes('template-messaging-service'));
const readme = readFileSync('README.md', 'utf8');
const caddyfile = readFileSync('deploy/Caddyfile', 'utf8');

describe('compose.yaml', () => {
  it('is what the specification of Compose allows', () => {
    const schema = JSON.parse(
      readFileSync('node_modules/dclint/schemas/compose.schema.json', 'utf8'),
    ) as object;
    const ajv = new Ajv({ strict: false, allErrors: true });
    addFormats.default(ajv);
    const check = ajv.compile({ ...schema, $schema: undefined });
    check(compose);
    expect(check.errors ?? []).toEqual([]);
  });

  it('runs two APIs, two workers, a migration before them, and what they need', () => {
    const roles = ours.map(([name, { environment }]) => [name, environment?.['ROLE']]);
    expect(roles).toEqual([
      ['api-1', 'api'],
      ['api-2', 'api'],
      ['worker', 'worker'],
      ['migrate', undefined],
      ['admin', undefined],
      ['sandbox', undefined],
    ]);
    expect(compose.services['worker']?.deploy?.replicas).toBe(2);
    for (const name of ['api-1', 'api-2', 'worker'])
      expect(compose.services[name]?.depends_on).toMatchObject({
        migrate: { condition: 'service_completed_successfully' },
        postgres: { condition: 'service_healthy' },
      });
    expect(services.filter(([, { profiles }]) => !profiles).map(([name]) => name)).toEqual([
      'caddy',
      'api-1',
      'api-2',
      'worker',
      'migrate',
      'postgres',
      'redis',
    ]);
  });

  it('gives our processes no rights, no place to write, and more time to stop than they take', () => {
    for (const [name, { read_only, cap_drop, stop_grace_period }] of ours)
      expect({ name, read_only, cap_drop, stop_grace_period }).toEqual({
        name,
        read_only: true,
        cap_drop: ['ALL'],
        stop_grace_period: '30s',
      });
    expect(new Environment().SHUTDOWN_GRACE).toBeLessThan(30);
  });

  it('lets nobody in but through Caddy, and PostgreSQL and Redis not out', () => {
    expect(services.filter(([, { ports }]) => ports).map(([name]) => name)).toEqual(['caddy']);
    expect(compose.networks['inside']).toEqual({ internal: true });
    for (const name of ['postgres', 'redis', 'migrate'])
      expect(compose.services[name]?.networks).toEqual(['inside']);
    expect(compose.services['caddy']?.networks).toEqual(['outside']);
  });

  it('sets variables that the service knows', () => {
    const known = new Set(readFileSync('.env.example', 'utf8').match(/^[A-Z_]+(?==)/gm));
    const set = ours.flatMap(([, { environment = {} }]) => Object.keys(environment));
    expect(set.filter((name) => !known.has(name))).toEqual([]);
  });

  it('takes each secret from .env, as the README makes it, and refuses to start without', () => {
    const needed = new Set([...text.matchAll(/\$\{([A-Z_]+):\?/g)].map(([, name]) => name));
    const [, block = ''] = /cat > \.env <<END\n([^]*?)END\n/.exec(readme) ?? [];
    const made = new Set(block.match(/^[A-Z_]+(?==)/gm));
    expect([...needed].filter((name) => !made.has(name ?? ''))).toEqual([]);
    const used = new Set([...text.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name));
    expect([...made].filter((name) => !used.has(name))).toEqual([]);
  });

  it('names the version of every image of others', () => {
    for (const [, { image }] of services.filter((one) => !ours.includes(one))) expect(image).toMatch(/:\d/);
  });
});

describe('deploy/Caddyfile', () => {
  it('passes requests on to both APIs, and looks at them more often than they drain', () => {
    expect(caddyfile).toContain('{$UPSTREAMS:api-1:3000 api-2:3000}');
    const interval = Number(/health_interval (\d+)s/.exec(caddyfile)?.[1]);
    expect(interval).toBeLessThan(new Environment().SHUTDOWN_DRAIN);
    expect(Number(/keepalive (\d+)s/.exec(caddyfile)?.[1])).toBeLessThan(
      new Environment().KEEP_ALIVE_TIMEOUT,
    );
  });
});
