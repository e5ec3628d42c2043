import { expect, it } from '@jest/globals';
import { type FaultOptions, runFaults } from './harness.js';
import { printed } from './report.js';
import { SingleServers } from './single-servers.js';

/** Milliseconds. This is no measure of speed: a busy machine takes longer. */
const PATIENCE = 600_000;

const seed = Number(process.env['FAULTS_SEED'] ?? Date.now() % 1_000_000);

it(
  'The service loses no message, sends none twice and tells each event once, whatever is killed',
  async () => {
    const told: string[] = [`Seed ${seed}: FAULTS_SEED=${seed} makes the same choices again`];
    const options: FaultOptions = {
      seed,
      duration: 0,
      faults: 12,
      messages: 1_000,
      rate: 60,
      window: 10,
      longestLife: 40,
      workers: 2,
      failPoints: 'each once',
      hasSilence: true,
      pauses: [3_000, 8_000],
      ground: (folder) => SingleServers.start(folder, null),
    };
    try {
      const report = await runFaults(options, (line) => told.push(line));
      told.push(printed(report));
      expect(report.verdict.violations.filter(({ count }) => count > 0)).toEqual([]);
      expect(report.verdict.accepted).toBeGreaterThanOrEqual(1_000);
    } catch (error) {
      process.stderr.write(`${told.join('\n')}\n`);
      throw error;
    }
  },
  PATIENCE,
);
