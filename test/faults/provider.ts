import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readTag } from '../../src/messages/domain/message-tag.js';
import type { WireReceipt, WireSendRequest, WireTemplate } from '../../src/provider/wire.js';
import type { Journal, Taking } from './journal.js';
import { ReceiptSender } from './receipts.js';
import type { SeededRandom } from './seeded-random.js';

/** The one business account of a run, as provider and service know it. */
export const ACCOUNT = {
  wabaId: '102290129340398',
  accessToken: 'a-token-for-the-faults',
  appSecret: 'an app secret for the faults',
  numbers: [
    { phoneNumberId: '106540352242922', phone: '14155550100' },
    { phoneNumberId: '106540352242923', phone: '971501230000' },
  ],
} as const;

export const TEMPLATE: WireTemplate = {
  id: '1',
  name: 'order_update',
  language: 'en_US',
  status: 'APPROVED',
  category: 'UTILITY',
  parameter_format: 'POSITIONAL',
  components: [{ type: 'BODY', text: 'Hello {{1}}, it is on its way.' }],
};

/** The provider's code for a reached marketing cap; a message may be retried once after it. */
export const MARKETING_CAP = 131049;
const UNDELIVERABLE = 131026;
const TROUBLE = 131000;

/** What may happen to a send, and to how many in a hundred it does where most things go wrong. */
export const FATES = {
  taken: 82,
  'taken, slow answer': 3,
  'taken, answer dropped': 4,
  'taken, no answer': 1,
  /** The one case in which a message may be sent twice. */
  'taken, answer and receipts suppressed': 1,
  'taken, fails later': 1,
  'taken, capped later': 1,
  'refused for now': 5,
  'refused by a gateway': 1,
  'refused for good': 1,
} as const;
type Fate = keyof typeof FATES;

/** The fates of a day on which the provider answers. */
export const CALM_FATES: Partial<Record<Fate, number>> = {
  taken: 94,
  'taken, fails later': 1,
  'taken, capped later': 1,
  'refused for now': 3,
  'refused for good': 1,
};

/** Milliseconds until the usual answer, and at most until the receipts after a message is taken. */
const ANSWER_DELAY = 30;
const RECEIPT_DELAY = 300;

/** The part of the delivered messages that are read. */
const READ = 0.3;

/** A provider that notes which messages it took, by the id in their tag. It has no limits and no memory. */
export class CountingProvider {
  private readonly server = createServer((request, response) => void this.handle(request, response));
  private readonly receipts: ReceiptSender;
  private readonly timers = new Set<NodeJS.Timeout>();
  readonly fates: Record<string, number> = {};

  private constructor(
    private readonly journal: Journal,
    private readonly random: SeededRandom,
    private readonly slowAnswer: number,
    private likelihoods: Partial<Record<Fate, number>>,
    targets: () => string[],
  ) {
    this.receipts = new ReceiptSender(ACCOUNT.wabaId, ACCOUNT.appSecret, targets, random);
  }

  /** @param slowAnswer milliseconds that a slow answer takes; @param targets where the service answers now */
  static async start(
    journal: Journal,
    random: SeededRandom,
    {
      slowAnswer,
      targets,
      likelihoods = FATES,
    }: { slowAnswer: number; targets: () => string[]; likelihoods?: Partial<Record<Fate, number>> },
  ): Promise<CountingProvider> {
    const provider = new CountingProvider(journal, random, slowAnswer, likelihoods, targets);
    // Room for all connections that the workers may open: TCP lets a further one in much later, with a request that was
    // given up long before.
    const address = { port: 0, host: '127.0.0.1', backlog: 4_096 };
    await new Promise<void>((resolve) => provider.server.listen(address, resolve));
    return provider;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Receipts that are still to be sent or were not accepted yet. */
  get receiptsWaiting(): number {
    return this.timers.size + this.receipts.waiting;
  }

  /** From now on it takes everything, answers it and sends its receipts. */
  calm(): void {
    this.likelihoods = { taken: 1 };
  }

  async stop(): Promise<void> {
    this.receipts.stop();
    for (const timer of this.timers) clearTimeout(timer);
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, , phoneNumberId = '', resource] = (request.url ?? '').split(/[/?]/);
    try {
      const text = await textOf(request);
      if (resource === 'message_templates') return answer(response, 200, { data: [TEMPLATE] });
      if (resource === 'messages') return this.receive(phoneNumberId, JSON.parse(text), response);
    } catch {
      return void response.destroy(); // the sender died while it wrote
    }
    answer(response, 404, { error: { code: 100, message: 'There is nothing here' } });
  }

  private receive(phoneNumberId: string, { to, ...sent }: WireSendRequest, response: ServerResponse): void {
    const tag = sent.biz_opaque_callback_data ?? '';
    const id = readTag(tag)?.messageLogId ?? 0;
    const fate = this.random.weighted<Fate>(this.likelihoods);
    this.fates[fate] = (this.fates[fate] ?? 0) + 1;
    if (fate.startsWith('refused')) return this.refuse(fate, id, response);
    const isSilent = fate === 'taken, answer and receipts suppressed';
    const answered = !isSilent && fate !== 'taken, answer dropped' && fate !== 'taken, no answer';
    const taking: Taking = { at: Date.now(), answered, receipted: !isSilent, heardAt: null };
    const messageId = `wamid.${randomBytes(12).toString('hex')}`;
    this.journal.take(id, taking);
    if (!isSilent) {
      for (const receipt of receiptsOf(fate, messageId, tag, to, this.random.chance(READ)))
        this.after(this.random.between(0, RECEIPT_DELAY), () =>
          this.receipts.add({
            phoneNumberId,
            receipt,
            onHeard: () => this.journal.hear(id, receipt.status, taking),
          }),
        );
    }
    if (!answered) return fate === 'taken, no answer' ? undefined : void response.destroy();
    const wait = fate === 'taken, slow answer' ? this.slowAnswer : this.random.between(0, ANSWER_DELAY);
    this.after(wait, () =>
      answer(response, 200, {
        messaging_product: 'whatsapp',
        contacts: [{ input: to, wa_id: to }],
        messages: [{ id: messageId, message_status: 'accepted' }],
      }),
    );
  }

  private refuse(fate: Fate, id: number, response: ServerResponse): void {
    if (fate === 'refused by a gateway') return void response.writeHead(503).end('<html>later</html>');
    const isFinal = fate === 'refused for good';
    if (isFinal) this.journal.refuse(id);
    const code = isFinal ? UNDELIVERABLE : TROUBLE;
    answer(response, isFinal ? 400 : 500, { error: { code, message: 'Refused', type: 'OAuthException' } });
  }

  private after(milliseconds: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      work();
    }, milliseconds);
    this.timers.add(timer);
  }
}

function receiptsOf(fate: Fate, id: string, tag: string, to: string, isRead: boolean): WireReceipt[] {
  const common = {
    id,
    recipient_id: to,
    timestamp: String(Math.floor(Date.now() / 1000)),
    biz_opaque_callback_data: tag,
  };
  const sent = { ...common, status: 'sent' };
  if (fate === 'taken, fails later' || fate === 'taken, capped later') {
    const code = fate === 'taken, capped later' ? MARKETING_CAP : UNDELIVERABLE;
    return [sent, { ...common, status: 'failed', errors: [{ code, title: 'Not delivered' }] }];
  }
  const read = { ...common, status: 'read' };
  return [sent, { ...common, status: 'delivered' }, ...(isRead ? [read] : [])];
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
