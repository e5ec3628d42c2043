import type { Measure } from '../bench.js';
import { load } from '../load.js';
import { loadFigures } from '../outcome.js';
import { sends } from '../requests.js';

/** Sends accepted by so many API processes while nobody delivers: from POST to 202, committed. */
export const accept =
  (processes = 1): Measure =>
  async (deployment, { seconds, warmUp, connections }) => {
    await deployment.prepare();
    return deployment.running({ api: processes }, async (service) => {
      const urls = Object.values(service).map(({ url }) => url);
      const common = { urls, connections, next: sends(deployment.accounts), expected: 202 };
      const before = await load({ ...common, seconds: warmUp });
      const meter = deployment.environment.meter(service);
      meter.start();
      const result = await load({ ...common, seconds });
      const usage = await meter.stop();
      const faults = [...before.faults, ...result.faults];
      const accepted = before.answers + result.answers;
      const waiting = await deployment.backlog();
      // A database that has grown keeps what the rounds before have left.
      if (waiting < accepted || (deployment.isEmpty && waiting > accepted))
        faults.push(`${accepted} messages accepted, ${waiting} in the table`);
      return { figures: loadFigures(result), usage, faults };
    });
  };
