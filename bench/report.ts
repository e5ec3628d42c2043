import type { Summary } from './summary.js';
import type { Verdict } from './targets.js';

/** The summary as tables for people. */
export function printed({ scenarios, verdicts, machine, redisMb, options }: Summary): string {
  const figures = Object.entries(scenarios).flatMap(([name, scenario]) =>
    Object.entries(scenario.figures).map(([figure, { median, min, max }]) => [
      name,
      figure,
      number(median),
      `${number(min)} – ${number(max)}`,
    ]),
  );
  const processes = [...new Set(Object.values(scenarios).flatMap(({ cpu }) => Object.keys(cpu)))];
  const cpu = Object.entries(scenarios).map(([name, scenario]) => [
    name,
    ...processes.map((process) => scenario.cpu[process]?.toFixed(2) ?? ''),
  ]);
  return [
    `${machine.cores} × ${machine.model}, ${machine.gibibytes} GiB, Node ${machine.node}`,
    '',
    'Rates per second, times in ms, median and spread of the rounds:',
    ...table([['scenario', 'figure', 'median', 'spread'], ...figures]),
    '',
    'Cores used, by process:',
    ...table([['scenario', ...processes], ...cpu]),
    '',
    `Redis held ${number(redisMb)} MB at most.`,
    '',
    'Targets:',
    ...table([['what', 'is', 'target', ''], ...verdicts.map((verdict) => line(verdict, options.smoke))]),
  ].join('\n');
}

/** The line of a verdict. A smoke run reports only figures that are far off. */
function line({ what, value, atLeast, atMost, of, reached }: Verdict, smoke: boolean): string[] {
  const [good, bad] = smoke ? ['not far off', 'FAR OFF'] : ['reached', 'NOT REACHED'];
  const limit = atLeast === undefined ? `≤ ${atMost}` : `≥ ${atLeast}`;
  return [what, number(value), of === undefined ? limit : `${limit} ×`, reached ? good : bad];
}

/** A figure in a line of progress. */
export function number(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toFixed(2);
}

function table(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}
