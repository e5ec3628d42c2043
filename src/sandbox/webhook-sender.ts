import { createHmac } from 'node:crypto';
import { stringify } from 'lossless-json';
import { Agent, request } from 'undici';
import type { WireWebhookChange } from '../provider/wire.js';
import type { SandboxSettings } from './sandbox-options.js';
import type { StoredAccount } from './sandbox-state.js';
import type { Timers } from './timers.js';

const GIVE_UP_AFTER = 7 * 24 * 3600 * 1000;
const LONGEST_RETRY_DELAY = 5 * 60 * 1000;
const ANSWER_TIMEOUT = 10_000;
/** Deliveries under way to one account's webhook. */
const MOST_IN_FLIGHT = 32;
/** Beyond this many waiting updates the oldest are lost: a receiver that stays down must not fill the memory. */
const MOST_WAITING = 200_000;

interface Delivery {
  account: StoredAccount;
  body: string;
  startedAt: number;
  tries: number;
}

/** One account's queue: retries and new updates share its connections, so that a hanging receiver is not flooded. */
interface Line {
  retries: Delivery[];
  waiting: WireWebhookChange[];
  inFlight: number;
}

/** The signature of a webhook's exact bytes, as the header carries it. */
export function signatureOf(body: string, appSecret: string): string {
  return `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;
}

/** Delivers signed webhooks. Without a 200, the same bytes are sent again, for up to 7 days. */
export class WebhookSender {
  private agent = new Agent();
  private readonly lines = new Map<string, Line>();
  private readonly underWay = new Set<Promise<void>>();
  private retrying = 0;

  constructor(
    private readonly timers: Timers,
    private readonly settings: SandboxSettings,
  ) {}

  /** Queues a change, unless the account has no webhook or its app is not subscribed. Ids may be `LosslessNumber`s. */
  send(account: StoredAccount, change: WireWebhookChange): void {
    if (!account.webhookUrl || account.unsubscribed) return;
    const line = this.lineOf(account.wabaId);
    line.waiting.push(change);
    if (line.waiting.length > MOST_WAITING) line.waiting.shift();
    this.pump(account, line);
  }

  /** Makes the sender usable again after {@link close}. */
  reopen(): void {
    if (this.agent.destroyed) this.agent = new Agent();
  }

  /** Aborts deliveries under way and drops those that wait. */
  async close(): Promise<void> {
    this.lines.clear();
    await this.agent.destroy();
    await Promise.allSettled(this.underWay);
    this.retrying = 0;
  }

  private lineOf(wabaId: string): Line {
    const line = this.lines.get(wabaId) ?? { retries: [], waiting: [], inFlight: 0 };
    this.lines.set(wabaId, line);
    return line;
  }

  private pump(account: StoredAccount, line: Line): void {
    while (this.lines.get(account.wabaId) === line && line.inFlight < MOST_IN_FLIGHT) {
      const delivery = line.retries.shift() ?? this.nextDelivery(account, line);
      if (!delivery) return;
      line.inFlight += 1;
      const trying = this.deliver(delivery).finally(() => {
        line.inFlight -= 1;
        this.underWay.delete(trying);
        this.pump(account, line);
      });
      this.underWay.add(trying);
    }
  }

  private nextDelivery(account: StoredAccount, line: Line): Delivery | undefined {
    if (line.waiting.length === 0) return undefined;
    return this.newDelivery(account, line.waiting.splice(0, this.settings.webhookBatch));
  }

  private newDelivery(account: StoredAccount, changes: WireWebhookChange[]): Delivery {
    const entry = {
      id: account.wabaId,
      time: Math.floor(this.settings.clock.now().getTime() / 1000),
      changes,
    };
    const body = stringify({ object: 'whatsapp_business_account', entry: [entry] }) ?? '';
    return { account, body, startedAt: Date.now(), tries: 0 };
  }

  private async deliver(delivery: Delivery): Promise<void> {
    const status = await this.post(delivery).catch(() => 0);
    if (status === 200) return;
    const delay = Math.min(this.settings.webhookRetryDelay * 2 ** delivery.tries, LONGEST_RETRY_DELAY);
    if (Date.now() + delay - delivery.startedAt > GIVE_UP_AFTER || this.retrying >= MOST_WAITING) return;
    delivery.tries += 1;
    this.retrying += 1;
    this.timers.after(delay, () => this.retry(delivery));
  }

  private retry(delivery: Delivery): void {
    this.retrying -= 1;
    const line = this.lineOf(delivery.account.wabaId);
    line.retries.push(delivery);
    this.pump(delivery.account, line);
  }

  /** The receiver's HTTP status. */
  private async post({ account, body }: Delivery): Promise<number> {
    const answer = await request(account.webhookUrl ?? '', {
      method: 'POST',
      dispatcher: this.agent,
      headersTimeout: ANSWER_TIMEOUT,
      bodyTimeout: ANSWER_TIMEOUT,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'facebookexternalua',
        'x-hub-signature-256': signatureOf(body, account.appSecret),
      },
      body,
    });
    await answer.body.dump();
    return answer.statusCode;
  }
}
