import type { Measure } from '../bench.js';
import type { Deployment } from '../deployment.js';
import { measuredLoad } from '../measured-load.js';
import type { Options } from '../options.js';
import type { Outcome } from '../outcome.js';
import { sends } from '../requests.js';

/** Sends that so many API processes accept while no worker runs: from POST to 202, committed. */
export const accept =
  (processes = 1): Measure =>
  async (deployment, options) => {
    await deployment.prepare();
    return acceptOnly(deployment, options, processes);
  };

/** The same on a deployment that is prepared. */
export function acceptOnly(deployment: Deployment, options: Options, processes: number): Promise<Outcome> {
  return deployment.running({ api: processes }, async (service) => {
    const urls = Object.values(service).map(({ url }) => url);
    const requests = { urls, next: sends(deployment.accounts), expected: 202 };
    const outcome = await measuredLoad(deployment.environment, service, options, requests);
    const accepted = outcome.answers;
    const waiting = await deployment.backlog();
    // A grown database keeps the messages of the rounds before.
    if (waiting < accepted || (deployment.isEmpty && waiting > accepted))
      outcome.faults.push(`${accepted} messages accepted, ${waiting} in the table`);
    return outcome;
  });
}
