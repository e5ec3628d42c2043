import { DEMO } from '../../src/embedded/demo.js';
import type { Answer, Api } from './api.js';

const CAMPAIGNS = '/dashboard/api/campaigns';

/** The demo's fast number, so that no test waits for a rate. */
export const FAST_NUMBER = DEMO.numbers[1].apiId as string;

/** A recipient who reads the messages that the sandbox delivers. */
export const phoneOf = (i: number) => `+49151${1_000 + i}0100`;

/** A file `phone,name,order` for so many recipients; `bad` replaces some of its lines. */
export function recipientsCsv(count: number, bad: Record<number, string> = {}): string {
  const lines = Array.from({ length: count }, (_, i) => bad[i] ?? `${phoneOf(i)},Amal ${i},A-${i}`);
  return ['phone,name,order', ...lines].join('\n');
}

export const MAPPING = { phone: { column: 0 }, 'body.1': { column: 1 }, 'body.2': { column: 2 } };

/** Calls the routes of campaigns as a signed-in user. */
export class CampaignsApi {
  constructor(readonly api: Api) {}

  create(changes: object = {}): Promise<Answer> {
    const template = { name: 'order_update', language: 'en_US' };
    const body = { name: 'Orders', messaging_account_id: FAST_NUMBER, template, ...changes };
    return this.api.post(CAMPAIGNS, body);
  }

  upload(id: number, file: string | Buffer): Promise<Answer> {
    const path = `/dashboard/api/uploads/campaigns/${id}?file_name=list.csv`;
    return this.api.request('POST', path, file, { 'Content-Type': 'text/csv' });
  }

  async get(id: number): Promise<Record<string, any>> {
    return (await this.api.get(`${CAMPAIGNS}/${id}`)).body.data;
  }

  async edit(id: number, changes: object): Promise<Answer> {
    const { revision } = await this.get(id);
    return this.api.request('PATCH', `${CAMPAIGNS}/${id}`, JSON.stringify({ revision, ...changes }), {
      'Content-Type': 'application/json',
    });
  }

  /** `check`, `pause`, `resume` or `cancel`. */
  act(id: number, action: string, body: object = {}): Promise<Answer> {
    return this.api.post(`${CAMPAIGNS}/${id}/${action}`, body);
  }

  async start(id: number, body: object = {}): Promise<Answer> {
    const { revision } = await this.get(id);
    return this.act(id, 'start', { revision, ...body });
  }

  /** Makes a draft with this file, and checks it. @returns its id */
  async ready(csv: string, changes: object = {}): Promise<number> {
    const id = (await this.create(changes)).body.data['campaign_id'] as number;
    await this.upload(id, csv);
    await this.edit(id, { mapping: MAPPING });
    await this.act(id, 'check');
    return id;
  }
}
