import { type IncomingHttpHeaders, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WireComponent, WireError, WireTemplate, WireWebhookChange } from '../provider/wire.js';
import { SandboxProvider } from './sandbox-provider.js';
import type { SandboxOptions } from './sandbox-options.js';

/** What the specs share: a sandbox with one account, a webhook receiver, and waiting without sleeping. */

export const WABA = '102290129340398';
export const APP = '4208120129340398';
export const NUMBER = '106540352242922';
export const TOKEN = 'sandbox-token';
export const VERIFY_TOKEN = 'sandbox-verify-token';
export const SECRET = 'sandbox-app-secret';

/** Asks until there is something other than undefined, null or false; rejects after `timeout` milliseconds. */
export async function eventually<T>(
  ask: () => T | Promise<T>,
  timeout = 5000,
): Promise<Exclude<T, undefined | null | false>> {
  const end = Date.now() + timeout;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== null && answer !== false) {
      return answer as Exclude<T, undefined | null | false>;
    }
    if (Date.now() > end) throw new Error(`Nothing came within ${timeout} ms: ${ask.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export interface ReceivedWebhook {
  raw: string;
  headers: IncomingHttpHeaders;
  changes: WireWebhookChange[];
}

/** Takes webhooks; answers with `statuses` first, then always 200. */
export class WebhookReceiver {
  readonly received: ReceivedWebhook[] = [];
  statuses: number[] = [];
  url = '';
  private server: Server | undefined;

  async start(): Promise<this> {
    this.server = createServer((request, response) => {
      if (request.method === 'GET') return response.end(this.challengeOf(request.url ?? ''));
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const raw = Buffer.concat(chunks).toString();
        const { entry } = JSON.parse(raw) as { entry: { changes: WireWebhookChange[] }[] };
        this.received.push({
          raw,
          headers: request.headers,
          changes: entry.flatMap(({ changes }) => changes),
        });
        response.writeHead(this.statuses.shift() ?? 200).end();
      });
    });
    const { server } = this;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    return this;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server?.close(resolve));
    this.server?.closeAllConnections();
    await closed;
  }

  private challengeOf(path: string): string {
    const query = new URL(path, this.url).searchParams;
    return query.get('hub.verify_token') === VERIFY_TOKEN ? (query.get('hub.challenge') ?? '') : 'no';
  }

  values(field: string): Record<string, unknown>[] {
    return this.received
      .flatMap(({ changes }) => changes)
      .filter((change) => change.field === field)
      .map(({ value }) => value);
  }

  /** The receipts of one message, by its callback data, in their order of arrival. */
  receiptsOf(callbackData: string): Record<string, unknown>[] {
    const statuses = this.values('messages').flatMap(
      ({ statuses: list }) => (list ?? []) as Record<string, unknown>[],
    );
    return statuses.filter((status) => status.biz_opaque_callback_data === callbackData);
  }
}

export interface Answer {
  status: number;
  headers: Headers;
  // Typed loosely, as specs read answers of every shape.
  body: Record<string, never> & { error: WireError };
}

/** A started sandbox with one account, and a caller for its Graph API. */
export class SandboxFixture {
  readonly receiver = new WebhookReceiver();
  readonly sandbox: SandboxProvider;
  url = '';

  constructor(options: SandboxOptions = {}) {
    this.sandbox = new SandboxProvider({
      reviewDelay: 10,
      receiptDelay: 10,
      webhookRetryDelay: 10,
      slowDelay: 60,
      ...options,
    });
  }

  async start(messagesPerSecond?: number): Promise<this> {
    await this.receiver.start();
    this.sandbox.addBusinessAccount({
      wabaId: WABA,
      appId: APP,
      accessToken: TOKEN,
      appSecret: SECRET,
      webhookUrl: this.receiver.url,
      numbers: [
        {
          phoneNumberId: NUMBER,
          displayPhoneNumber: '+1 555 010 0001',
          verifiedName: 'Sandbox Shop',
          messagesPerSecond,
        },
      ],
    });
    this.sandbox.addTemplate(WABA, template('order_update'));
    this.url = (await this.sandbox.start()).url;
    return this;
  }

  async stop(): Promise<void> {
    await this.sandbox.stop();
    await this.receiver.stop();
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await fetch(path.startsWith('http') ? path : `${this.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${TOKEN}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: typeof body === 'string' || body === undefined ? body : JSON.stringify(body),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }

  graph(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.call(method, `/v23.0/${path}`, body);
  }

  send(to: string, callbackData?: string, components: unknown = [bodyParameters('7')]): Promise<Answer> {
    return this.graph('POST', `${NUMBER}/messages`, sendRequest({ to, callbackData, components }));
  }
}

export function sendRequest(message: {
  to: string;
  callbackData?: string;
  components?: unknown;
  name?: string;
}): Record<string, unknown> {
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: message.to,
    type: 'template',
    template: {
      name: message.name ?? 'order_update',
      language: { code: 'en_US' },
      components: message.components,
    },
    biz_opaque_callback_data: message.callbackData,
  };
}

export function bodyParameters(...texts: string[]): WireComponent {
  return { type: 'body', parameters: texts.map((text) => ({ type: 'text', text })) };
}

export function template(name: string, more: Partial<WireTemplate> = {}): Omit<WireTemplate, 'id'> {
  return {
    name,
    language: 'en_US',
    status: 'APPROVED',
    category: 'UTILITY',
    components: [{ type: 'BODY', text: 'Your order {{1}} is on its way.', example: { body_text: [['7']] } }],
    ...more,
  };
}

/** A draft as an editor submits it. */
export function draft(
  name: string,
  more: Record<string, unknown> = {},
  body = 'Your order {{1}} is on its way.',
): object {
  return {
    name,
    category: 'UTILITY',
    language: 'en_US',
    components: [{ type: 'BODY', text: body, example: { body_text: [['7']] } }],
    ...more,
  };
}
