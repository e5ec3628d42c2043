import { DEMO } from '../../src/embedded/demo.js';
import type { Api } from './api.js';
import { dashboardApi } from './dashboard-api.js';
import { eventually } from './eventually.js';
import type { TestService } from './service.js';
import { deliverText } from './webhooks.js';

/** Helps tests of webhooks other than receipts: tells the demo's account something, and reads the effects. */
export class ToldUpdates {
  private viewer: Api | undefined;

  /** @param service of the file; it may not be started yet */
  constructor(private readonly service: () => TestService) {}

  run<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.service().database.run<Row>({ name: '', text }, values);
  }

  /** Waits until every delivery so far is applied. */
  async applied(): Promise<void> {
    await eventually(async () => {
      const pending = await this.run('SELECT id FROM webhook_inbox WHERE processed_at IS NULL');
      if (pending.length > 0) throw new Error(`${pending.length} deliveries are not applied`);
    });
  }

  /** Delivers an update of the demo's account, with a later time of the provider than the updates before. */
  async tell(field: string, value: unknown): Promise<void> {
    this.service().clock.forward(2_000);
    await this.tellAt(Math.floor(this.service().clock.now().getTime() / 1_000), field, value);
  }

  /** @param time of the provider, in seconds */
  async tellAt(time: number, field: string, value: unknown): Promise<void> {
    const entry = [{ id: DEMO.wabaId, time, changes: [{ field, value }] }];
    const answer = await deliverText(
      this.service(),
      JSON.stringify({ object: 'whatsapp_business_account', entry }),
    );
    if (answer.status !== 200) throw new Error(`The delivery was answered with ${answer.status}`);
    await this.applied();
  }

  /** The open holds on the demo's account. */
  holds(): Promise<{ cause: string; title: string; details: string | null; waits: boolean }[]> {
    return this.run(
      `SELECT cause, error ->> 'title' AS title, error ->> 'details' AS details, NOT isfinite(next_probe_at) AS waits
       FROM holds WHERE scope = 'business_account' AND lifted_at IS NULL`,
    );
  }

  /** The answer of the dashboard to a user of the demo's tenant. */
  async dashboard(path: string): Promise<Record<string, any>[]> {
    this.viewer ??= await dashboardApi(this.service(), 'viewer');
    return (await this.viewer.get(`/dashboard/api/${path}`)).body.data as unknown as Record<string, any>[];
  }

  /** The open alerts, as the dashboard shows them. */
  alerts(): Promise<Record<string, any>[]> {
    return this.dashboard('alerts');
  }

  /** Ends all holds and alerts. */
  async forgetTrouble(): Promise<void> {
    await this.run('DELETE FROM holds');
    await this.run('DELETE FROM alerts');
  }

  /** The value of a metric with its labels; 0 when it has none yet. */
  async metric(line: string): Promise<number> {
    const { text } = await this.service().api.get('/metrics');
    const found = text.split('\n').find((each) => each.startsWith(`${line} `));
    return Number(found?.split(' ').at(-1) ?? 0);
  }
}
