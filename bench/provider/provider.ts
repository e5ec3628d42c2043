import { type BenchProcess, startScript } from '../processes.js';
import type { ProviderAnswer, ProviderRequest, Taking } from './messages.js';

type AnswerOf<Kind> = Extract<ProviderAnswer, { kind: Kind }>;

/** The provider's process as the benchmark sees it. */
export class Provider {
  /** The number of messages that it has taken since the last reset, a few milliseconds late. */
  taken = 0;

  private constructor(readonly process: BenchProcess) {
    process.child.on('message', (message: ProviderAnswer) => {
      if (message.kind === 'taken') this.taken = message.taken;
      if (message.kind === 'reset') this.taken = 0;
    });
  }

  static async start(): Promise<Provider> {
    return new Provider(await startScript('provider/process.ts'));
  }

  get url(): string {
    return this.process.url;
  }

  /** Makes it forget what it took. */
  async reset(): Promise<void> {
    await this.ask('reset');
  }

  /** When it first took each message, and how often it took one again. */
  async takings(): Promise<{ at: Map<number, number>; repeated: number }> {
    const { takings } = await this.ask('takings');
    const at = new Map<number, number>();
    for (const [id, time] of takings) if (!at.has(id)) at.set(id, time);
    return { at, repeated: takings.length - at.size };
  }

  /** The messages that it took since the last call. */
  async news(): Promise<Taking[]> {
    return (await this.ask('news')).takings;
  }

  private ask<Kind extends ProviderRequest>(request: Kind): Promise<AnswerOf<Kind>> {
    const { child } = this.process;
    return new Promise((resolve) => {
      const listen = (message: ProviderAnswer) => {
        if (message.kind !== request) return;
        child.off('message', listen);
        resolve(message as AnswerOf<Kind>);
      };
      child.on('message', listen);
      child.send(request);
    });
  }
}
