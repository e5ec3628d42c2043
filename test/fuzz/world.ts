import { startSecondService, type TestService } from '../support/service.js';
import { StockAdapter } from '../support/stock-express.js';

/** A placeholder for the id of something that exists; `nth` selects which. */
export const known = (kind: KnownKind, nth: number): string => `‹${kind}:${nth}›`;

/** Requests after which the known ids are read again. */
const LOOK_AFTER = 40;

/** SQL of the existing ids, by kind. */
const KINDS = {
  message: 'SELECT id FROM message_logs ORDER BY id DESC LIMIT 20',
  template: 'SELECT id FROM templates ORDER BY id LIMIT 40',
  campaign: 'SELECT id FROM campaigns ORDER BY id LIMIT 20',
  business_account: 'SELECT id FROM business_accounts ORDER BY created_at, id LIMIT 5',
  number: 'SELECT api_id AS id FROM messaging_accounts ORDER BY id LIMIT 5',
  user: 'SELECT id FROM dashboard_users ORDER BY created_at, id LIMIT 20',
  api_key: 'SELECT id FROM api_keys ORDER BY created_at, id LIMIT 20',
  alert: 'SELECT id FROM alerts ORDER BY id LIMIT 20',
  hold: 'SELECT id FROM holds ORDER BY id LIMIT 20',
  draft: 'SELECT key AS id FROM template_drafts ORDER BY key LIMIT 20',
  wamid:
    'SELECT provider_message_id AS id FROM message_logs WHERE provider_message_id IS NOT NULL ORDER BY id DESC LIMIT 20',
  tag: `SELECT 'tms:' || i.id || ':' || m.id AS id FROM message_logs m, installation i ORDER BY m.id DESC LIMIT 20`,
  tenant: 'SELECT id FROM tenants ORDER BY created_at, id LIMIT 3',
};

export type KnownKind = keyof typeof KINDS;

export const KNOWN_KINDS = Object.keys(KINDS) as KnownKind[];

/**
 * The service that requests are sent to. Requests are made up without looking at it, so that a seed repeats them: they
 * have placeholders like `‹message:3›`, which are replaced by ids when they are sent.
 */
export class World {
  private readonly ids = new Map<KnownKind, string[]>();
  private fills = 0;
  private second?: ReturnType<typeof startSecondService>;

  constructor(readonly service: TestService) {}

  /** Where another service answers on the same data, with Express as it is in the place of our own adapter. */
  async stock(): Promise<string> {
    this.second ??= startSecondService(this.service, 'api', new StockAdapter());
    return (await this.second).url;
  }

  /** Ends what it has started. */
  async end(): Promise<void> {
    await (await this.second)?.stop();
  }

  /** The text with the ids that exist now. */
  async filled(text: string): Promise<string> {
    if (!text.includes('‹')) return text;
    if (this.fills % LOOK_AFTER === 0) await this.look();
    this.fills += 1;
    return text.replaceAll(/‹(\w+):(\d+)›/g, (_whole, kind: KnownKind, nth: string) => {
      const ids = this.ids.get(kind) ?? [];
      return ids[Number(nth) % ids.length] ?? '1';
    });
  }

  run<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.service.database.run<Row>({ name: '', text }, values);
  }

  private async look(): Promise<void> {
    for (const kind of KNOWN_KINDS) {
      const rows = await this.run<{ id: unknown }>(KINDS[kind]);
      this.ids.set(
        kind,
        rows.map(({ id }) => String(id)),
      );
    }
  }
}
