import { DEMO } from '../../src/embedded/demo.js';

export interface Answer<Data = Record<string, any>> {
  status: number;
  headers: Headers;
  text: string;
  body: {
    success: boolean;
    data: Data;
    error: { code: string; message: string; details: any[] };
    request_id: string;
    next_cursor?: string | null;
  };
}

/** A caller of the public API. */
export class Api {
  constructor(
    readonly url: string,
    readonly key: string | null,
    readonly headers: Record<string, string> = {},
  ) {}

  /** The same caller with other headers, such as a tenant. */
  with(headers: Record<string, string>): Api {
    return new Api(this.url, this.key, { ...this.headers, ...headers });
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.request('GET', path, undefined, headers);
  }

  post(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const json = { 'Content-Type': 'application/json' };
    return this.request(
      'POST',
      path,
      JSON.stringify(body),
      body === undefined ? headers : { ...json, ...headers },
    );
  }

  async request(
    method: string,
    path: string,
    body?: string | Buffer,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const authorization: Record<string, string> =
      this.key === null ? {} : { Authorization: `Bearer ${this.key}` };
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { ...authorization, ...this.headers, ...headers },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : null,
    };
  }

  /** Sends order_update to a number; `changes` replace fields of the body. */
  send(
    phone: string,
    changes: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    return this.post('/api/v1/messages/send', { ...sendBody(phone), ...changes }, headers);
  }

  async message(id: number): Promise<Record<string, any>> {
    return (await this.get(`/api/v1/messages/${id}`)).body.data;
  }
}

/** A valid body with the demo's order_update. */
export function sendBody(phone: string) {
  return {
    messaging_account_id: DEMO.numbers[0].apiId as string,
    phone,
    message_type: 'template',
    data: {
      name: 'order_update',
      components: [{ type: 'body', parameters: [text('Amal'), text('A-1001')] }],
    },
  };
}

export const text = (value: string) => ({ type: 'text', text: value });
