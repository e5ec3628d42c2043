import { once } from 'node:events';
import type { Environment } from '../environment.js';
import { type BenchProcess, startScript } from '../processes.js';
import type { EndpointRequest, EndpointTakings } from './messages.js';

/** The endpoint's process as the benchmark sees it. */
export class Endpoint {
  private constructor(readonly process: BenchProcess) {}

  static async start(environment: Environment): Promise<Endpoint> {
    return new Endpoint(environment.keep(await startScript('endpoint/process.ts')));
  }

  /** Makes it forget what came. */
  async reset(): Promise<void> {
    await this.ask('reset');
  }

  /** What came since the last reset. */
  takings(): Promise<EndpointTakings> {
    return this.ask('takings');
  }

  private async ask(request: EndpointRequest): Promise<EndpointTakings> {
    const { child } = this.process;
    const answer = once(child, 'message') as Promise<[EndpointTakings]>;
    child.send(request);
    return (await answer)[0];
  }
}
