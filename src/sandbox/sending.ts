import type { WireComponent, WireSendRequest, WireSendResponse } from '../provider/wire.js';
import { GraphError } from './graph-error.js';
import { newWamid } from './ids.js';
import { checkParameters } from './parameter-check.js';
import type { RateLimits } from './rate-limits.js';
import type { Receipts } from './receipts.js';
import { type SandboxRecipient, behaviourOf } from './recipients.js';
import type { SandboxSettings } from './sandbox-options.js';
import type {
  SandboxMessage,
  SandboxNumber,
  SandboxState,
  StoredAccount,
  TemplateRecord,
} from './sandbox-state.js';
import { parseSendRequest } from './send-request.js';
import { renderMessage } from './template-content.js';

/** What the sender gets to see. Errors are thrown as {@link GraphError}. */
export type SendOutcome =
  /** `delay` in milliseconds. */
  | { kind: 'answer'; body: WireSendResponse; delay: number }
  | { kind: 'bare_status'; status: number }
  | { kind: 'silence' }
  | { kind: 'drop' };

type SendRequest = WireSendRequest & { template: { components: WireComponent[] } };

const DEFAULT_MESSAGES_PER_SECOND = 80;
/** For how many messages the tries are counted. */
const MOST_COUNTED = 100_000;

/** Takes messages or refuses them, as their recipient's meaning in `recipients.ts` says. */
export class Sending {
  private readonly tries = new Map<string, number>();

  constructor(
    private readonly state: SandboxState,
    private readonly receipts: Receipts,
    private readonly limits: RateLimits,
    private readonly settings: SandboxSettings,
  ) {}

  /** Handles one `POST …/messages`. Throws the provider's error for a wrong request. */
  send(account: StoredAccount, number: SandboxNumber, body: unknown): SendOutcome {
    const request = parseSendRequest(body);
    if (request.to === number.displayPhoneNumber.replace(/\D/g, ''))
      throw new GraphError(131021, 'Sender and recipient phone number is the same.');
    const record = this.sendableTemplate(account, request);
    const { wabaId, clonedFrom = wabaId } = account;
    const isMedia = (id: string) => {
      const owner = this.state.uploads.get(id)?.owner;
      return owner === wabaId || owner === clonedFrom;
    };
    checkParameters(record.template, request.template.components, { isMedia });
    this.limits.takeSend(number.phoneNumberId, messagesPerSecond(number), request.to);
    if (record.template.category === 'MARKETING' && this.state.hasStopped(wabaId, request.to))
      throw new GraphError(131050, 'The recipient has stopped marketing messages of this business.');
    const behaviour = behaviourOf(request.to, this.countTry(request));
    if (behaviour.answer.kind === 'error') throw errorFor(behaviour.answer);
    if (behaviour.answer.kind === 'bare_status') return behaviour.answer;
    if ('taken' in behaviour.answer && !behaviour.answer.taken) return { kind: behaviour.answer.kind };
    const message = this.take(account, number, record, request, behaviour);
    return this.outcomeOf(behaviour, message, String((body as WireSendRequest).to));
  }

  private sendableTemplate(account: StoredAccount, { template }: SendRequest): TemplateRecord {
    const { name, language } = template;
    const record = this.state.findTemplate(account.wabaId, name, language.code);
    const status = record?.template.status;
    if (status === 'PAUSED') throw new GraphError(132015, `Template (${name}) is paused and cannot be sent.`);
    if (status === 'DISABLED')
      throw new GraphError(132016, `Template (${name}) is disabled and cannot be sent.`);
    if (record && status === 'APPROVED') return record;
    throw new GraphError(
      132001,
      `template name (${name.slice(0, 512)}) does not exist in ${language.code.slice(0, 20)}`,
    );
  }

  /** Which try of this message it is, from 1. */
  private countTry({ to, biz_opaque_callback_data: callbackData }: SendRequest): number {
    const key = JSON.stringify([to, callbackData]);
    const count = (this.tries.get(key) ?? 0) + 1;
    this.tries.delete(key);
    this.tries.set(key, count);
    if (this.tries.size > MOST_COUNTED) {
      const oldest = this.tries.keys().next().value;
      if (oldest !== undefined) this.tries.delete(oldest);
    }
    return count;
  }

  private take(
    account: StoredAccount,
    number: SandboxNumber,
    { template }: TemplateRecord,
    request: SendRequest,
    { answer, receipts }: SandboxRecipient,
  ): SandboxMessage {
    const { components, name, language } = request.template;
    const message: SandboxMessage = {
      wamid: newWamid(),
      waba_id: account.wabaId,
      phone_number_id: number.phoneNumberId,
      to: request.to,
      template: { name, language: language.code },
      category: template.category,
      ...renderMessage(template, components),
      components,
      biz_opaque_callback_data: request.biz_opaque_callback_data,
      taken_at: this.settings.clock.now().toISOString(),
      status: answer.kind === 'accepted' ? answer.messageStatus : 'accepted',
      receipts: [],
    };
    this.state.addMessage(message);
    this.receipts.schedule(account, number, message, receipts);
    return message;
  }

  private outcomeOf({ answer }: SandboxRecipient, message: SandboxMessage, input: string): SendOutcome {
    if (answer.kind !== 'accepted') return { kind: answer.kind === 'drop' ? 'drop' : 'silence' };
    const body: WireSendResponse = {
      messaging_product: 'whatsapp',
      contacts: [{ input, wa_id: message.to }],
      messages: [{ id: message.wamid, message_status: answer.messageStatus }],
    };
    return { kind: 'answer', body, delay: answer.slow ? this.settings.slowDelay : 0 };
  }
}

export function messagesPerSecond(number: SandboxNumber): number {
  return number.messagesPerSecond ?? DEFAULT_MESSAGES_PER_SECOND;
}

function errorFor({ code, retryAfter }: { code: number; retryAfter?: number }): GraphError {
  return new GraphError(code, `The sandbox's recipient means this error (${code}).`, { retryAfter });
}
