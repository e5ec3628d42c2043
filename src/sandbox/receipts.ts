import { createHash } from 'node:crypto';
import type { WireReceipt, WireReceiptError } from '../provider/wire.js';
import { errorTitle } from './graph-error.js';
import type { ReceiptStep } from './recipients.js';
import type { SandboxSettings } from './sandbox-options.js';
import type { SandboxMessage, SandboxNumber, SandboxState, StoredAccount } from './sandbox-state.js';
import type { Timers } from './timers.js';
import type { WebhookSender } from './webhook-sender.js';

/**
 * The order of a message's life: the inbox shows the farthest status, and the times of receipts follow it,
 * whatever the order in which they arrive.
 */
const RANK: Record<string, number> = { sent: 1, failed: 2, delivered: 3, read: 4 };

const ARRIVED = new Set(['delivered', 'read']);

const DAY = 24 * 3600 * 1000;

const ERROR_CODES_PAGE = 'https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/';

const FAILURE_DETAILS: Record<number, string> = {
  131026: 'Message Undeliverable.',
  131049: 'In order to maintain a healthy ecosystem engagement, the message failed to be delivered.',
  132015: 'The template is paused because of its low quality, so it cannot be sent.',
};

/** Sends the receipts of taken messages, one after the other. */
export class Receipts {
  constructor(
    private readonly state: SandboxState,
    private readonly webhooks: WebhookSender,
    private readonly timers: Timers,
    private readonly settings: SandboxSettings,
  ) {}

  /** Sends the steps in their order, the receipt delay before each. */
  schedule(
    account: StoredAccount,
    number: SandboxNumber,
    message: SandboxMessage,
    steps: ReceiptStep[],
  ): void {
    const [step, ...later] = steps;
    if (step === undefined) return;
    this.timers.after(this.settings.receiptDelay, () => {
      this.send(account, number, message, step);
      this.schedule(account, number, message, later);
    });
  }

  private send(
    account: StoredAccount,
    number: SandboxNumber,
    message: SandboxMessage,
    step: ReceiptStep,
  ): void {
    const receipt = this.build(message, step);
    const { status, timestamp, errors } = receipt;
    message.receipts.push({ status, timestamp, ...(errors && { errors }) });
    if ((RANK[status] ?? 0) > (RANK[message.status] ?? 0)) message.status = status;
    this.state.onChange();
    const metadata = {
      display_phone_number: number.displayPhoneNumber.replace(/\D/g, ''),
      phone_number_id: number.phoneNumberId,
    };
    const value = { messaging_product: 'whatsapp', metadata, statuses: [receipt] };
    this.webhooks.send(account, { field: 'messages', value });
  }

  private build(message: SandboxMessage, step: ReceiptStep): WireReceipt {
    const status = typeof step === 'string' ? step : 'failed';
    const elapsed = (RANK[status] ?? 0) * this.settings.receiptDelay;
    const receipt = {
      id: message.wamid,
      status,
      timestamp: String(Math.floor((Date.parse(message.taken_at) + elapsed) / 1000)),
      recipient_id: message.to,
      ...(message.biz_opaque_callback_data !== undefined && {
        biz_opaque_callback_data: message.biz_opaque_callback_data,
      }),
    };
    if (typeof step !== 'string') return { ...receipt, errors: [failure(step.failed)] };
    return { ...receipt, ...priceOf(message, step) };
  }
}

/** Price and conversation stand in `sent`, and in either `delivered` or `read`, whichever comes first. */
function priceOf(
  message: SandboxMessage,
  status: 'sent' | 'delivered' | 'read',
): Pick<WireReceipt, 'conversation' | 'pricing'> {
  const arrived = message.receipts.find((receipt) => ARRIVED.has(receipt.status))?.status ?? status;
  if (status !== 'sent' && status !== arrived) return {};
  const category = message.category.toLowerCase();
  return {
    conversation: conversationOf(message, category, status === 'sent'),
    pricing: { billable: true, pricing_model: 'PMP', type: 'regular', category },
  };
}

function failure(code: number): WireReceiptError {
  const title = errorTitle(code);
  const details = FAILURE_DETAILS[code] ?? title;
  return { code, title, message: title, error_data: { details }, href: ERROR_CODES_PAGE };
}

/** One conversation a day for each number, recipient and category; `sent` tells when it ends. */
function conversationOf(
  message: SandboxMessage,
  category: string,
  tellEnd: boolean,
): Record<string, unknown> {
  const key = [message.phone_number_id, message.to, category, message.taken_at.slice(0, 10)].join('|');
  const id = createHash('md5').update(key).digest('hex');
  const end = Math.floor((Date.parse(message.taken_at) + DAY) / 1000);
  return { id, ...(tellEnd && { expiration_timestamp: String(end) }), origin: { type: category } };
}
