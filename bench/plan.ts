import type { Entry, Measure } from './bench.js';
import { Deployment } from './deployment.js';
import type { Environment } from './environment.js';
import { growDeployment } from './growth.js';
import type { Options } from './options.js';
import { accept } from './scenarios/accept.js';
import { batch } from './scenarios/batch.js';
import { bloat } from './scenarios/bloat.js';
import { bytes } from './scenarios/bytes.js';
import { deliver } from './scenarios/deliver.js';
import { drain } from './scenarios/drain.js';
import { bullFloor, httpFloor } from './scenarios/floors.js';
import { events } from './scenarios/events.js';
import { idle } from './scenarios/idle.js';
import { latency } from './scenarios/latency.js';
import { list } from './scenarios/list.js';
import { many } from './scenarios/many.js';
import { memory } from './scenarios/memory.js';
import { messages } from './scenarios/messages.js';
import { optOuts } from './scenarios/opt-outs.js';
import { push } from './scenarios/push.js';
import { reads } from './scenarios/reads.js';
import { receipts } from './scenarios/receipts.js';
import { retention } from './scenarios/retention.js';
import { workers } from './scenarios/workers.js';
import { withBases } from './targets.js';

/** What the names of scenarios on the grown database begin with. */
export const GROWN = 'grown-';

type Line = [name: string, title: string, measure: Measure];

/** The service's scenarios, in the order of a round. */
const SCENARIOS: Line[] = [
  ['accept', 'accept, one API process', accept()],
  ['drain', 'drain of a backlog, one worker', drain()],
  ['deliver', 'deliver, one API process and one worker', deliver()],
  ['receipts-1', 'receipts in payloads of 1', receipts(1)],
  ['receipts-100', 'receipts in payloads of 100', receipts(100)],
  ['latency', 'latency at 50 messages/s', latency],
  ['messages', 'lists of messages', messages],
  ['events', 'pages of events', events],
  ['list', 'list of 250 templates', list()],
  ['list-known', 'the same with If-None-Match', list({ known: true })],
];

/** Those that are measured on the empty database only. */
const EMPTY_ONLY: Line[] = [
  ['opt-outs', 'accept beside a million opt-outs', optOuts],
  ['batch', 'batches of 100 and of 1,000', batch],
  ['push', 'events pushed to an endpoint', push],
];

/** The scenarios with two processes of each role. */
const SCALED: Line[] = [
  ['accept-2', 'accept, two API processes', accept(2)],
  ['drain-2', 'drain of a backlog, two workers', drain(2)],
  ['deliver-2', 'deliver, two API processes and two workers', deliver(2)],
];

const floors = (databaseUrl: string): Line[] => [
  ['bare-http', 'bare node:http', httpFloor('floors/bare-http.ts')],
  [
    'bare-insert',
    'bare node:http and one INSERT',
    httpFloor('floors/bare-insert.ts', { DATABASE_URL: databaseUrl }),
  ],
  ['nest-hello', 'NestJS hello world', httpFloor('floors/nest-hello.ts')],
  ['bull-noop', 'Bull, jobs that do nothing', bullFloor],
];

const longRuns = ({
  memoryMinutes,
  bloatMessages,
  bytesMessages,
  retentionMessages,
  tenants,
  ...options
}: Options): Line[] => [
  ...(options.idle ? [['idle', '10,000 numbers and nothing to do', idle] as Line] : []),
  ...(options.workers ? [['workers', 'drain of a backlog, one, two and four workers', workers] as Line] : []),
  ...(bytesMessages ? [['bytes', `bytes of ${bytesMessages} messages`, bytes(bytesMessages)] as Line] : []),
  ...(retentionMessages
    ? [['retention', `retention of ${retentionMessages} messages`, retention(retentionMessages)] as Line]
    : []),
  ...(tenants ? [['many', `${tenants} tenants`, many(tenants)] as Line] : []),
  ...(memoryMinutes ? [['memory', `memory in ${memoryMinutes} minutes`, memory(memoryMinutes)] as Line] : []),
  ...(bloatMessages ? [['bloat', `bloat of ${bloatMessages} messages`, bloat(bloatMessages)] as Line] : []),
];

/** The measurements of a round. Floors and service take turns, so that both have the same good and bad moments. */
export async function planRound(environment: Environment, options: Options): Promise<Entry[]> {
  const empty = await Deployment.create(environment, 'empty');
  const grown = options.grownRows
    ? await growDeployment(environment, options.grownRows, options.partitions)
    : null;
  const entry = ([name, title, measure]: Line, deployment = empty): Entry => ({
    name,
    title,
    measure: () => measure(deployment, options),
  });
  const lines = SCENARIOS.flatMap(([name, title, measure]) => [
    entry([name, title, measure]),
    ...(grown ? [entry([`${GROWN}${name}`, `${title}, grown database`, measure], grown)] : []),
  ]);
  const entries = [
    ...floors(await environment.createDatabase('bench_floors')).map((line) => entry(line)),
    ...lines,
    ...EMPTY_ONLY.map((line) => entry(line)),
    ...(grown ? [entry(['reads', 'sends beside 150 lists of another tenant', reads], grown)] : []),
    ...(options.scale ? SCALED.map((line) => entry(line)) : []),
    ...longRuns(options).map((line) => ({ ...entry(line), once: true })),
  ];
  if (!options.only) return entries;
  const names = new Set(entries.map(({ name }) => name));
  const unknown = options.only.filter((name) => !names.has(name));
  if (unknown.length > 0) throw new RangeError(`There is no ${unknown.join()}: ${[...names].join()}`);
  const wanted = withBases(options.only);
  return entries.filter(({ name }) => wanted.has(name));
}
