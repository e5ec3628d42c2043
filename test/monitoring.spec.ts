import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';
import { adminProgram } from '../src/admin/program.js';
import { MetricsRegistry } from '../src/common/metrics-registry.js';
import { startSecondService, startTestService, type TestService } from './support/service.js';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
}

const rules = (parse(read('monitoring/alerts.yaml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);
const tests = parse(read('monitoring/alerts.test.yaml')) as {
  tests: { alert_rule_test: { alertname: string }[] }[];
};
const dashboard = JSON.parse(read('monitoring/grafana-dashboard.json')) as {
  panels: { title: string; targets?: { expr: string; legendFormat: string }[] }[];
};
const queries = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => ({ title, expr })),
);
const operations = read('docs/operations.md');

/** What stands in the page between a heading and the next one of its rank. */
function section(heading: string): string {
  const start = operations.indexOf(`\n${heading}\n`) + heading.length + 2;
  const end = operations.indexOf(`\n${heading.replace(/ .*/, '')} `, start);
  return operations.slice(start, end === -1 ? undefined : end);
}

/** The runbooks: the lines below each heading. */
const runbooks = new Map(
  section('## Alerts and runbooks')
    .split('\n### ')
    .slice(1)
    .map((part) => {
      const [name = '', ...lines] = part.trim().split('\n');
      return [name, lines.filter((line) => line !== '')] as const;
    }),
);

/** The metrics of the table, as patterns where a row is for several. */
const documented = [...section('## Metrics').matchAll(/^\| (`tms_.*?) \|/gm)].flatMap(([, cell = '']) =>
  [...cell.matchAll(/`(tms_\w+\*?)`/g)].map(([, name = '']) => name),
);

/** The series that a query asks for, with the labels that it names, as in PromQL's own grammar. */
function seriesOf(query: string): { metric: string; labels: string[] }[] {
  const series: { metric: string; labels: string[] }[] = [];
  let inner: { metric: string; labels: string[] } | undefined;
  parser.parse(query.replaceAll('$__rate_interval', '5m')).iterate({
    enter: ({ type, from, to }) => {
      const text = query.replaceAll('$__rate_interval', '5m').slice(from, to);
      if (type.isError) throw new Error(`"${query}" is not PromQL at ${from}`);
      if (type.name === 'VectorSelector') series.push((inner = { metric: '', labels: [] }));
      if (type.name === 'Identifier' && inner?.metric === '') inner.metric = text;
      if (type.name === 'LabelName' && inner) inner.labels.push(text);
    },
  });
  return series;
}

let api: TestService;
let worker: Awaited<ReturnType<typeof startSecondService>>;
/** Each metric of an API or a worker, with its labels. */
let exposed: Map<string, string[]>;

beforeAll(async () => {
  api = await startTestService({ ROLE: 'api' });
  worker = await startSecondService(api, 'worker');
  exposed = new Map(
    await Promise.all([api, worker].map(({ app }) => app.get(MetricsRegistry))).then((all) =>
      all.flatMap((registry) =>
        registry.getMetricsAsArray().map((metric) => [metric.name, labelsOf(metric)] as const),
      ),
    ),
  );
});
afterAll(async () => {
  await worker.stop();
  await api.stop();
});

const labelsOf = (metric: object) => (metric as { labelNames: string[] }).labelNames;

/** The metric of a series: those of a histogram have three kinds of series. */
const metricOf = (series: string) => {
  const name = series.replace(/_(bucket|count|sum)$/, '');
  return exposed.has(name) ? name : series;
};

const matches = (pattern: string, name: string) =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

describe('The table of metrics', () => {
  it('has each metric that an API or a worker shows', () => {
    const missing = [...exposed.keys()].filter((name) => !documented.some((row) => matches(row, name)));
    expect(missing).toEqual([]);
  });

  it('has no other', () => {
    const gone = documented.filter((row) => ![...exposed.keys()].some((name) => matches(row, name)));
    expect(gone).toEqual([]);
  });

  it('has the labels of each metric of ours', () => {
    const rows = [...section('## Metrics').matchAll(/^\| (`tms_.*?) \| (.*?) \|/gm)];
    const told = rows.flatMap(([, cell = '', labels = '']) =>
      [...cell.matchAll(/`(tms_\w+)`/g)].map(([, name = '']) => [
        name,
        [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label),
      ]),
    );
    expect(told).toEqual(told.map(([name]) => [name, exposed.get(name as string)]));
  });
});

describe('The alert rules', () => {
  it('have one runbook each, by its name, and no runbook is left over', () => {
    const names = rules.map(({ alert }) => alert);
    expect([...runbooks.keys()].toSorted()).toEqual(names.toSorted());
    for (const { alert, annotations } of rules)
      expect(annotations.runbook_url).toBe(`docs/operations.md#${alert.toLowerCase()}`);
  });

  it.each([...runbooks])('have a runbook of three to six lines: %s', (_name, lines) => {
    expect(lines.length).toBeGreaterThanOrEqual(3);
    expect(lines.length).toBeLessThanOrEqual(6);
  });

  it.each(rules.map((rule) => [rule.alert, rule] as const))(
    '%s asks for metrics and labels that there are',
    (_name, { expr, labels }) => {
      const series = seriesOf(expr);
      expect(series.length).toBeGreaterThan(0);
      for (const { metric, labels: asked } of series) {
        expect([...exposed.keys()]).toContain(metricOf(metric));
        expect([...(exposed.get(metricOf(metric)) ?? []), 'le']).toEqual(expect.arrayContaining(asked));
      }
      expect(['critical', 'warning']).toContain(labels.severity);
    },
  );

  it('that promtool tries are rules of the file', () => {
    const tried = tests.tests.flatMap((test) => test.alert_rule_test.map(({ alertname }) => alertname));
    expect(rules.map(({ alert }) => alert)).toEqual(expect.arrayContaining(tried));
  });
});

describe('The runbooks', () => {
  it('name commands that there are', () => {
    const text = section('## Alerts and runbooks');
    const named = [...text.matchAll(/`(?:npm run admin -- )?([a-z-]+:[a-z-]+)`/g)].map(([, name]) => name);
    const { commands } = adminProgram(
      () => async () => undefined,
      async () => undefined,
    );
    expect(named.length).toBeGreaterThan(0);
    expect(commands.map((command) => command.name())).toEqual(expect.arrayContaining(named));
  });

  it('name metrics that there are', () => {
    const named = [...section('## Alerts and runbooks').matchAll(/`(tms_\w+)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !exposed.has(metricOf(name)))).toEqual([]);
  });
});

describe("Grafana's dashboard", () => {
  it.each(queries.map(({ title, expr }) => [title, expr]))(
    'asks for metrics that there are: %s',
    (_title, expr) => {
      const series = seriesOf(expr);
      expect(series.length).toBeGreaterThan(0);
      for (const { metric, labels } of series) {
        expect([...exposed.keys()]).toContain(metricOf(metric));
        expect(exposed.get(metricOf(metric))).toEqual(expect.arrayContaining(labels));
      }
    },
  );
});
