import Bull from 'bull';
import { HOUSEKEEPING_QUEUE } from '../../src/scheduling/housekeeping.processor.js';
import type { Measure } from '../bench.js';
import { Deployment } from '../deployment.js';
import { fillHistory } from '../filling/history.js';
import { atRate, load } from '../load.js';
import { sends } from '../requests.js';
import { percentile } from '../statistics.js';

/** Messages a second that are accepted meanwhile, over so many connections. */
const PER_SECOND = 200;
const CONNECTIONS = 16;

/** Days ago: of the old messages, which are older than RETENTION_MESSAGES, and of those that stay. */
const OLD = { oldest: 460, newest: 402 };
const YOUNG = { oldest: 300, newest: 0 };

/** The messages that stay, as a part of the old ones. */
const STAYING = 0.2;

/**
 * How long the retention of so many old messages takes, and how long accepting stands still meanwhile. What is younger, and
 * the ledger, has to be there afterwards.
 */
export const retention =
  (messages: number): Measure =>
  async ({ environment }, { warmUp }) => {
    const deployment = await Deployment.create(environment, 'retention');
    const staying = Math.ceil(messages * STAYING);
    await fillHistory(deployment, [
      { messages, ...OLD, partitions: 1, ahead: 0 },
      { messages: staying, ...YOUNG, partitions: 1, ahead: 0.2 },
    ]);
    await environment.calm();
    const before = await count(deployment, messages);
    return deployment.running({ api: 1, worker: 1 }, async (service) => {
      const meter = environment.meter(service);
      const answered: number[] = [];
      let isDone = false;
      let seconds = 0;
      const common = {
        urls: [service['api']?.url ?? ''],
        connections: CONNECTIONS,
        expected: 202,
        gate: atRate(PER_SECOND),
      };
      const next = sends(deployment.accounts);
      const first = await load({ ...common, next, seconds: warmUp });
      const expiry = async () => {
        meter.start();
        const start = performance.now();
        await expire(deployment);
        seconds = (performance.now() - start) / 1000;
        isDone = true;
      };
      const [sent] = await Promise.all([
        load({
          ...common,
          gate: atRate(PER_SECOND),
          seconds: PATIENCE,
          next: () => (isDone ? null : next()),
          onAnswer: () => answered.push(performance.now()),
        }),
        expiry(),
      ]);
      const usage = await meter.stop();
      const after = await count(deployment, messages);
      const faults = [...first.faults, ...sent.faults];
      if (after.old > 0) faults.push(`${after.old} old messages are still there`);
      if (after.old_events > 0) faults.push(`${after.old_events} events of old messages are still there`);
      for (const what of ['young', 'young_events', 'ledger'] as const)
        if (after[what] !== before[what])
          faults.push(`${what}: ${before[what]} before, ${after[what]} after`);
      const pauses = answered.slice(1).map((at, i) => at - (answered[i] ?? at));
      return {
        figures: {
          seconds,
          pause: Math.max(0, ...pauses),
          p99: percentile(sent.latencies, 99),
          longest: Math.max(0, ...sent.latencies),
          accepted: sent.answers / sent.seconds,
        },
        usage,
        faults,
      };
    });
  };

/** Seconds. */
const PATIENCE = 1_800;

/** Has a worker do what it does each hour, now. */
async function expire({ redisUrl }: Deployment): Promise<void> {
  const queue = new Bull(HOUSEKEEPING_QUEUE, redisUrl);
  try {
    const job = await queue.add('expire-messages', {}, { removeOnComplete: true, removeOnFail: true });
    await job.finished();
  } finally {
    await queue.close();
  }
}

interface Count {
  old: number;
  young: number;
  old_events: number;
  young_events: number;
  ledger: number;
}

/** Rows of the messages that were filled in: `old` ones have ids up to so many, younger ones a fifth as many more. */
async function count({ database }: Deployment, messages: number): Promise<Count> {
  const { rows } = await database.query<Count>(COUNT, [messages, messages + Math.ceil(messages * STAYING)]);
  return rows[0] as Count;
}

const COUNT = `
  SELECT (SELECT count(*)::integer FROM message_logs WHERE id <= $1) AS old,
    (SELECT count(*)::integer FROM message_logs WHERE id > $1 AND id <= $2) AS young,
    (SELECT count(*)::integer FROM message_events WHERE message_log_id <= $1) AS old_events,
    (SELECT count(*)::integer FROM message_events WHERE message_log_id > $1 AND message_log_id <= $2) AS young_events,
    (SELECT count(*)::integer FROM ledger_entries WHERE message_log_id <= $2) AS ledger`;
