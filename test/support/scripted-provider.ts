import type { ServerResponse } from 'node:http';
import { DEMO_TEMPLATES } from '../../src/embedded/demo-templates.js';
import type { WireSendRequest } from '../../src/provider/wire.js';
import { json, provider } from './provider-stubs.js';

/** What a provider does with one call. */
export type Answer = (response: ServerResponse, request: WireSendRequest) => void;

const TEMPLATES = DEMO_TEMPLATES.map((template, index) => ({ ...template, id: String(index + 1) }));

/** Takes the message, under this id or a new one. */
export const take =
  (id?: string): Answer =>
  (response, { to, biz_opaque_callback_data: ours }) =>
    json(response, 200, {
      contacts: [{ input: to, wa_id: to }],
      messages: [{ id: id ?? `wamid.${ours}` }],
    });

/** Refuses the message with the provider's error code. */
export const refuse =
  (code: number, { status = 400, details = 'Why', headers = {} } = {}): Answer =>
  (response) =>
    json(response, status, { error: { code, message: 'No', error_data: { details } } }, headers);

/** Ends the connection without an answer. */
export const drop: Answer = (response) => void response.destroy();

/**
 * A provider with the demo's templates, which answers for each recipient as the test says, and sends no receipts.
 * closeAll closes it.
 */
export class ScriptedProvider {
  private readonly scripts = new Map<string, Answer[]>();
  private recipients = 0;
  url = '';

  static async start(): Promise<ScriptedProvider> {
    const scripted = new ScriptedProvider();
    const { url } = await provider(({ url: path, body }, response) => {
      if (!path.endsWith('/messages')) return json(response, 200, { data: TEMPLATES });
      const request = JSON.parse(body.toString()) as WireSendRequest;
      const answer = scripted.scripts.get(request.to)?.shift() ?? take();
      answer(response, request);
    });
    scripted.url = url;
    return scripted;
  }

  /** @returns a new recipient: the tries of its messages get these answers in order, and later ones are accepted */
  recipient(...answers: Answer[]): string {
    const phone = `1202555${String((this.recipients += 1)).padStart(4, '0')}`;
    this.scripts.set(phone, answers);
    return phone;
  }
}
