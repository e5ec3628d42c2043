/**
 * `npm run fuzz`: the long form of the generated tests. Each
 * target in turn gets a fresh service and some thousands of cases, with another seed each time; `--seed` is the first
 * seed, `--path` repeats one of its findings. Prints each finding with its shrunk request and the command that repeats
 * it, and exits with 1 when there is any.
 */
import 'reflect-metadata';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../../src/embedded/embedded-services.js';
import { runOptions } from '../support/run-options.js';
import { startTestService } from '../support/service.js';
import { imbalances } from './balance.js';
import { type Finding, hunt, type HuntOptions } from './hunt.js';
import { FUZZ_CONFIG, type Target, type TargetName, TARGETS } from './targets.js';
import { World } from './world.js';

const USAGE = `npm run fuzz -- [--minutes 10] [--only api,http] [--seed N] [--path P]
  --only takes ${Object.keys(TARGETS).join(', ')}, or what several of them begin with`;

const values = runOptions(
  {
    minutes: { type: 'string', default: '10' },
    only: { type: 'string', default: '' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    path: { type: 'string' },
  },
  USAGE,
);

const wanted = values.only.split(',').filter((name) => name !== '');
const isOnce = values.path !== undefined;
const names = (Object.keys(TARGETS) as TargetName[]).filter(
  (name) =>
    wanted.length === 0 || wanted.some((part) => name === part || (!isOnce && name.startsWith(`${part}-`))),
);
if (names.length === 0 || (isOnce && names.length !== 1))
  throw new RangeError(
    `--only takes ${Object.keys(TARGETS).join(', ')}, and with --path exactly one of them`,
  );

const say = (line: string) => process.stdout.write(`${line}\n`);

/** What the same fault has in common when it is found again with other numbers and ids. */
const kindOf = ({ target, faults }: Finding) =>
  `${target} ${(faults[0] ?? '').replaceAll(/[\d"]+/g, '#').slice(0, 120)}`;

async function round(name: TargetName, options: HuntOptions): Promise<{ runs: number; findings: Finding[] }> {
  const service = await startTestService(FUZZ_CONFIG);
  const world = new World(service);
  try {
    const target: Target = TARGETS[name];
    await target.furnish?.(world);
    const { runs, finding } = await hunt(name, target.property(world), options);
    const replay = `npm run fuzz -- --only ${name} --seed ${options.seed}`;
    const after = (await imbalances(world)).map((fault) => ({
      target: name,
      faults: [fault],
      shown: '',
      replay,
    }));
    return { runs, findings: [...(finding ? [finding] : []), ...after] };
  } finally {
    await world.end();
    await service.stop();
  }
}

/** Rounds until the time is over. @returns how many cases there were, and the distinct findings */
async function rounds(): Promise<{ runs: Map<string, number>; findings: Map<string, Finding> }> {
  const until = Date.now() + Number(values.minutes) * 60_000;
  const runs = new Map<string, number>();
  const findings = new Map<string, Finding>();
  for (let seed = Number(values.seed); ; seed += 1)
    for (const name of names) {
      const options = isOnce
        ? { seed, path: values.path as string, runs: 1 }
        : { seed, runs: TARGETS[name].many, until };
      const found = await round(name, options);
      runs.set(name, (runs.get(name) ?? 0) + found.runs);
      for (const finding of found.findings) tell(finding, findings);
      if (isOnce || Date.now() > until) return { runs, findings };
    }
}

function tell(finding: Finding, findings: Map<string, Finding>): void {
  const kind = kindOf(finding);
  if (findings.has(kind)) return;
  findings.set(kind, finding);
  const { target, faults, shown, replay } = finding;
  say(`\n${target}: ${faults.join('\n  ')}\n${shown}\n${replay}`);
}

const folder = await mkdtemp(join(tmpdir(), 'tms-fuzz-'));
// Where we are root, PostgreSQL runs as another user, who has to pass through this folder.
await chmod(folder, 0o711);
const servers = await startEmbedded({ postgres: true, redis: true }, folder, say, { durable: false });
let found: Awaited<ReturnType<typeof rounds>>;
try {
  const { databaseUrl = '', redisUrl = '' } = servers;
  Object.assign(process.env, { TEST_DATABASE_URL: databaseUrl, TEST_REDIS_URL: redisUrl });
  say(`Seed ${values.seed}`);
  found = await rounds();
} finally {
  await servers.stop();
  await rm(folder, { recursive: true, force: true });
}
say(
  `\n${[...found.runs].map(([name, runs]) => `${name} ${runs}`).join(', ')} cases; ${found.findings.size} findings`,
);
process.exit(found.findings.size > 0 ? 1 : 0);
