import type { Measure } from '../bench.js';
import type { Deployment } from '../deployment.js';
import { closedLoop, type Gate, load } from '../load.js';
import type { Options } from '../options.js';
import { batches, sends } from '../requests.js';
import { percentile } from '../statistics.js';

/** Connections that send batches of so many messages: with more, requests only wait longer. */
const CONNECTIONS = { 100: 16, 1000: 4 };

/** On an idle machine, batches of 1,000 come one after the other, so many milliseconds after the last answer. */
const PAUSE = 200;

/** Seconds for these at least: with fewer batches, there is no p99. */
const IDLE_SECONDS = 30;

/** Messages a second by single sends, by batches of 100 and of 1,000; and how long one batch of 1,000 takes by itself. */
export const batch: Measure = async (deployment, options) => {
  await deployment.prepare();
  const { environment } = deployment;
  return deployment.running({ api: 1 }, async (service) => {
    const url = service['api']?.url ?? '';
    const meter = environment.meter(service);
    meter.start();
    const idle = await measure(deployment, options, { url, size: 1000, pause: PAUSE });
    const single = await measure(deployment, options, { url, size: 1 });
    const by100 = await measure(deployment, options, { url, size: 100 });
    const by1000 = await measure(deployment, options, { url, size: 1000 });
    const usage = await meter.stop();
    const all = [idle, single, by100, by1000];
    const accepted = all.reduce((sum, each) => sum + each.accepted, 0);
    const waiting = await deployment.backlog();
    const faults = all.flatMap((each) => each.faults);
    if (waiting !== accepted) faults.push(`${accepted} messages accepted, ${waiting} in the table`);
    return {
      figures: {
        single: single.rate,
        by100: by100.rate,
        by1000: by1000.rate,
        p99Of100: percentile(by100.latencies, 99),
        p99Of1000: percentile(by1000.latencies, 99),
        idleP50: percentile(idle.latencies, 50),
        idleP99: percentile(idle.latencies, 99),
      },
      usage,
      faults,
    };
  });
};

interface Sending {
  url: string;
  /** Messages in a request. */
  size: 1 | 100 | 1000;
  /** If given, one request at a time, so many milliseconds after the last answer. */
  pause?: number;
}

/** Warms up, then measures. `accepted` are the messages of both, `rate` those of the second part a second. */
async function measure(
  { accounts }: Deployment,
  { seconds, warmUp, connections, smoke }: Options,
  { url, size, pause }: Sending,
) {
  let accepted = 0;
  const faults: string[] = [];
  let free = 0;
  const gate: Gate = () => (performance.now() < free ? null : performance.now());
  const common = {
    urls: [url],
    connections: pause ? 1 : size === 1 ? connections : CONNECTIONS[size],
    next: size === 1 ? sends(accounts) : batches(accounts, size),
    expected: size === 1 ? 202 : 200,
    onAnswer: (body: Buffer) => {
      accepted += size;
      free = performance.now() + (pause ?? 0);
      const start = body.toString('latin1', 0, 80);
      if (size > 1 && !start.includes(`"accepted":${size},`)) faults.push(`Not all were accepted: ${start}`);
    },
  };
  const before = await load({ ...common, seconds: warmUp });
  const length = pause && !smoke ? Math.max(seconds, IDLE_SECONDS) : seconds;
  const { latencies, ...result } = await load({
    ...common,
    gate: pause ? gate : closedLoop,
    seconds: length,
  });
  return {
    accepted,
    rate: (result.answers * size) / result.seconds,
    latencies,
    faults: [...before.faults, ...result.faults, ...faults.slice(0, 1)],
  };
}
