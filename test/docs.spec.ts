import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { getMetadataStorage } from 'class-validator';
import { getMetadataArgsStorage } from 'typeorm';
import { dataSourceOptions } from '../ormconfig.js';
import { adminProgram } from '../src/admin/program.js';
import { readEnvironment } from '../src/config/config.js';
import { Environment } from '../src/config/environment.js';
import * as accept from '../src/messages/accept.sql.js';
import * as cancel from '../src/messages/cancel.sql.js';
import * as doubtful from '../src/outbox/doubtful.sql.js';
import * as outbox from '../src/outbox/outbox.sql.js';
import * as outcomes from '../src/delivery/outcomes.sql.js';
import * as receipts from '../src/messages/receipts/receipts.sql.js';
import { RECIPIENTS } from '../src/sandbox/recipients.js';

const file = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const read = (path: string) => readFileSync(file(path), 'utf8');

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(file('docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** The rows of the first Markdown table below `heading`, without the table's head, as the texts of their cells. */
function tableBelow(page: string, heading: string): string[][] {
  const lines = read(page).split('\n');
  const start = lines.indexOf(heading);
  if (start === -1) throw new Error(`${page} has no heading "${heading}"`);
  const table = lines.slice(lines.findIndex((line, index) => index > start && line.startsWith('|')));
  const end = table.findIndex((line) => !line.startsWith('|'));
  return table.slice(2, end).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

const first = (rows: string[][]) => rows.map(([cell]) => cell);
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, match = '']) => match);

describe('docs/sandbox.md', () => {
  it('lists the recipients', () => {
    expect(tableBelow('docs/sandbox.md', '## Recipients with a meaning')).toEqual(
      RECIPIENTS.map(({ suffix, name, meaning }) => [suffix, name, meaning]),
    );
  });
});

describe('README.md', () => {
  it('lists the operations of the API', () => {
    const { paths } = JSON.parse(read('openapi.json')) as { paths: Record<string, object> };
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(first(tableBelow('README.md', '## The API at a glance')).toSorted()).toEqual(
      operations.toSorted(),
    );
  });

  it('names every admin command', () => {
    const { commands } = adminProgram(
      () => async () => undefined,
      async () => undefined,
    );
    for (const command of commands) expect(read('README.md')).toContain(command.name());
  });
});

describe('SECURITY.md', () => {
  it('names, for every defence, a test that exists', () => {
    const rows = tableBelow('SECURITY.md', '## What it defends against');
    for (const [threat, , tests = ''] of rows) {
      const named = tests.split(', ');
      expect([threat, named.filter((path) => !path.endsWith('.spec.ts') || !existsSync(file(path)))]).toEqual(
        [threat, []],
      );
    }
  });
});

describe('.env.example', () => {
  const text = read('.env.example');

  it('has every variable that the service reads, and no other', () => {
    const rules = getMetadataStorage().getTargetValidationMetadatas(Environment, '', false, false);
    const names = new Set(rules.map((rule) => rule.propertyName));
    expect(Object.keys(parseEnv(text)).toSorted()).toEqual([...names].toSorted());
  });

  it('has the default values, so that an unchanged copy changes nothing', () => {
    expect(readEnvironment(parseEnv(text))).toEqual(readEnvironment({}));
  });

  it('explains each variable in one line', () => {
    const [, ...variables] = text.trim().split('\n\n');
    for (const variable of variables) expect(variable).toMatch(/^# .+\n[A-Z_]+=.*$/);
  });
});

describe('docs/architecture.md', () => {
  it('lists every arrow of the life of a message, by the name of its statement', () => {
    const arrows = { ...accept, ...cancel, ...outbox, ...doubtful, ...outcomes, ...receipts };
    const names = Object.entries(arrows).flatMap(([name, one]) => (typeof one === 'object' ? [name] : []));
    expect(first(tableBelow('docs/architecture.md', '## The arrows')).toSorted()).toEqual(names.toSorted());
  });

  it('lists every table', () => {
    const { entities } = dataSourceOptions(undefined) as { entities: unknown[] };
    const tables = getMetadataArgsStorage().tables.filter(({ target }) => entities.includes(target));
    expect(first(tableBelow('docs/architecture.md', '## Tables')).toSorted()).toEqual(
      tables.map(({ name }) => name).toSorted(),
    );
  });
});

describe.each(PAGES)('%s', (page) => {
  it('has no dead links', () => {
    const links = matches(read(page), /\]\(([^)#:]+)(?:#[^)]*)?\)/g);
    const folder = page.replace(/[^/]*$/, '');
    expect(links.filter((link) => !existsSync(file(`${folder}${link}`)))).toEqual([]);
  });

  it('names only files that exist', () => {
    const paths = matches(
      read(page),
      /`((?:src|test|scripts|docs)\/[\w./-]+?|[\w-]+\.(?:ts|cjs|js|json))(?::\d+)?`/g,
    );
    const known = listFiles(['src', 'test', 'scripts', 'docs', '.']);
    const made = read('.gitignore').split('\n'); // files that builds and tests make
    const isThere = (path: string) =>
      existsSync(file(path)) || known.has(path.split('/').at(-1) ?? '') || made.includes(path);
    expect(paths.filter((path) => !isThere(path))).toEqual([]);
  });

  it('names only scripts and commands that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const run = matches(read(page), /npm run (?:--silent )?([\w:]+)/g);
    expect(run.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
    const commands = new Set(
      adminProgram(
        () => async () => undefined,
        async () => undefined,
      ).commands.map((each) => each.name()),
    );
    const used = matches(read(page), /npm run --silent admin -- ([\w-]+:[\w-]+)/g);
    expect(used.filter((name) => !commands.has(name))).toEqual([]);
  });
});

/** The names of all files below the folders; of the top folder, its own files only. */
function listFiles(folders: string[]): Set<string> {
  const names = folders.flatMap((folder) =>
    readdirSync(file(folder), { recursive: folder !== '.', encoding: 'utf8' }),
  );
  return new Set(names.map((name) => name.split('/').at(-1) ?? ''));
}
