import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { WireReceipt, WireWebhook } from '../../src/provider/wire.js';
import type { SeededRandom } from './seeded-random.js';

/** A receipt to be delivered, and a callback for when it was. */
export interface OutgoingReceipt {
  phoneNumberId: string;
  receipt: WireReceipt;
  onHeard: () => void;
}

/** Milliseconds in which receipts gather for one delivery. */
const GATHERING = 50;

/** Milliseconds between two tries of a delivery. */
const PAUSE = 200;

/** Milliseconds for an answer. */
const PATIENCE = 10_000;

/** The part of the deliveries that are repeated although they were answered, which is normal at the provider. */
const REPEATED = 0.05;

/** Delivers receipts as the provider does: several together, signed, in any order, until they are answered with 200. */
export class ReceiptSender {
  private gathered: OutgoingReceipt[] = [];
  private readonly timer = setInterval(() => void this.flush(), GATHERING);
  private stopped = false;
  /** Receipts that were not answered with 200 yet. */
  waiting = 0;

  constructor(
    private readonly wabaId: string,
    private readonly appSecret: string,
    /** The service's processes that answer now. */
    private readonly targets: () => string[],
    private readonly random: SeededRandom,
  ) {}

  add(receipt: OutgoingReceipt): void {
    this.waiting += 1;
    this.gathered.push(receipt);
  }

  stop(): void {
    this.stopped = true;
    clearInterval(this.timer);
  }

  private async flush(): Promise<void> {
    const batch = this.gathered.splice(0);
    if (batch.length === 0) return;
    const body = JSON.stringify(this.webhook(batch));
    if (!(await this.deliver(body))) return;
    this.waiting -= batch.length;
    for (const { onHeard } of batch) onHeard();
    if (this.random.chance(REPEATED)) await this.deliver(body);
  }

  /** @returns false when the sender was stopped before anybody took it */
  private async deliver(body: string): Promise<boolean> {
    while (!this.stopped) {
      const targets = this.targets();
      if (targets.length > 0 && (await this.post(this.random.pick(targets), body))) return true;
      await delay(PAUSE);
    }
    return false;
  }

  private async post(url: string, body: string): Promise<boolean> {
    const signature = createHmac('sha256', this.appSecret).update(body).digest('hex');
    const headers = { 'Content-Type': 'application/json', 'X-Hub-Signature-256': `sha256=${signature}` };
    const request = { method: 'POST', headers, body, signal: AbortSignal.timeout(PATIENCE) };
    try {
      const response = await fetch(`${url}/webhooks/provider`, request);
      await response.arrayBuffer();
      return response.status === 200;
    } catch {
      return false; // not accepted, or the process died before it answered: delivered again
    }
  }

  private webhook(batch: OutgoingReceipt[]): WireWebhook {
    const numbers = [...new Set(batch.map(({ phoneNumberId }) => phoneNumberId))];
    const changes = numbers.map((phone_number_id) => ({
      field: 'messages',
      value: {
        messaging_product: 'whatsapp',
        metadata: { phone_number_id },
        statuses: this.random.shuffled(
          batch.filter(({ phoneNumberId }) => phoneNumberId === phone_number_id).map((one) => one.receipt),
        ),
      },
    }));
    return { object: 'whatsapp_business_account', entry: [{ id: this.wabaId, changes }] };
  }
}
