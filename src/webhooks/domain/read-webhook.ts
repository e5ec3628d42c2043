import { storableValue } from '../../common/storable-text.js';
import { parseWireJson } from '../../provider/wire-json.js';
import type { WireReceipt, WireWebhookChange } from '../../provider/wire.js';
import type { MessageError } from '../../messages/domain/message-error.js';
import { accountId, idText, isObject, list, numberOf, text, textOf, timeOf } from './wire-values.js';

/** A receipt as it stands in a delivery. */
export interface ReceiptUpdate {
  kind: 'receipt';
  wabaId: string;
  /** The tag that came back with the receipt: ours, another system's, or none. */
  tag: string | null;
  /** The provider's ids of the sender and of the recipient; null where the receipt has none. */
  phoneNumberId: string | null;
  recipient: string | null;
  providerMessageId: string;
  status: string;
  occurredAt: Date;
  error: MessageError | null;
  details: Record<string, unknown>;
}

/** Everything else that a delivery tells: the field's name and value as they came. */
export interface FieldUpdate {
  kind: 'field';
  wabaId: string;
  field: string;
  value: Record<string, unknown>;
  /** By the provider's clock, where it says so. */
  occurredAt: Date | null;
}

/** A message of a recipient: kept in the inbox, counted, and told in the stream; a text that is a keyword opts out. */
export interface InboundMessage {
  kind: 'inbound';
  wabaId: string;
  /** What sets it apart from all others: the provider's id of it or, where it has none, all that it says. */
  key: string;
  /** The provider's id of the number that it was sent to. */
  phoneNumberId: string | null;
  /** As text, button, interactive or image. */
  type: string;
  /** The digits of its sender's number; null of a user who shows none. */
  from: string | null;
  /** The whole text of one that is text, or the label of a button that was tapped; null of any other. */
  text: string | null;
  /** What the button stands for that was tapped; null of any other. */
  payload: string | null;
  /** The provider's id of the message that it answers, where it names one. */
  answers: string | null;
  occurredAt: Date;
}

export type WebhookUpdate = ReceiptUpdate | FieldUpdate | InboundMessage;

/**
 * Splits a delivery into its updates, in order. A receipt of the wrong shape is left out; the others stay. Numbers with
 * more digits than a double holds become text, and characters that PostgreSQL cannot store become U+FFFD.
 * @throws SyntaxError when the payload is not JSON
 */
export function readWebhook(payload: string, receivedAt: Date): WebhookUpdate[] {
  return list(parsePayload(payload)?.entry).flatMap((entry) =>
    list(entry['changes']).flatMap((change) => readChange(entry, change, receivedAt)),
  );
}

/**
 * The delivery with only some of its updates, to be put aside when the others have been applied.
 * @param ordinals positions of these updates among those of `readWebhook`
 */
export function partOfWebhook(payload: string, ordinals: ReadonlySet<number>): string {
  const body = parsePayload(payload);
  let ordinal = -1;
  const isWanted = () => ordinals.has((ordinal += 1));
  const partOf = (change: Partial<WireWebhookChange>) => {
    if (textOf(change.field) !== 'messages') return isWanted() ? [change] : [];
    const value = valueOf(change);
    const statuses = receiptsIn(value).filter(isWanted);
    const messages = list(value['messages']).filter(isWanted);
    const isEmpty = statuses.length + messages.length === 0;
    return isEmpty ? [] : [{ ...change, value: { ...value, statuses, messages } }];
  };
  const entry = list(body?.entry).map((one) => ({ ...one, changes: list(one['changes']).flatMap(partOf) }));
  return JSON.stringify({ ...body, entry: entry.filter(({ changes }) => changes.length > 0) });
}

/** Escapes of NUL and surrogates: JSON has no other way for what PostgreSQL cannot store. Whole pairs are harmless. */
const ODD_ESCAPE = /\\u(?:0000|[dD][89a-fA-F])/;

function parsePayload(payload: string): { entry?: unknown } | null {
  const body = parseWireJson(payload);
  return (ODD_ESCAPE.test(payload) ? storableValue(body) : body) as { entry?: unknown } | null;
}

/** The account that the provider's console puts into its test deliveries. */
export const TEST_ACCOUNT = '0';

/** The distinct WABA ids of business accounts that a delivery names; empty when it has no entries. */
export function accountsNamed(body: unknown): string[] {
  const entries = (body as { entry?: unknown } | null)?.entry;
  if (!Array.isArray(entries)) return [];
  const named = entries.flatMap((entry: Record<string, unknown> | null) => {
    const changes = list(entry?.['changes']);
    return changes.length > 0
      ? changes.map((change) => accountOf(entry ?? {}, change))
      : [accountId(entry?.['id'])];
  });
  return [...new Set(named)];
}

/** A partner's event stands in an entry of the partner; `waba_info` names the account that it is about. */
function accountOf(entry: Record<string, unknown>, { field, value }: Partial<WireWebhookChange>): string {
  const info = field === 'account_update' && isObject(value) ? value['waba_info'] : null;
  return (isObject(info) ? idText(info['waba_id']) : null) ?? accountId(entry['id']);
}

/** Whether a delivery has only messages and receipts; receipts carry their own time. */
export function isAboutMessages(body: unknown): boolean {
  const changes = list((body as { entry?: unknown } | null)?.entry).flatMap((entry) =>
    list(entry['changes']),
  );
  return changes.length > 0 && changes.every((change) => change['field'] === 'messages');
}

function readChange(
  entry: Record<string, unknown>,
  change: Partial<WireWebhookChange>,
  receivedAt: Date,
): WebhookUpdate[] {
  const wabaId = accountOf(entry, change);
  const field = textOf(change.field);
  const value = valueOf(change);
  if (field !== 'messages') {
    return [{ kind: 'field', wabaId, field, value, occurredAt: timeOf(entry['time']) }];
  }
  const receipts = receiptsIn(value).map((receipt) => readReceipt(wabaId, value, receipt, receivedAt));
  const inbound = list(value['messages']).map((message) => readInbound(wabaId, value, message, receivedAt));
  return [...receipts, ...inbound];
}

function readInbound(
  wabaId: string,
  value: Record<string, unknown>,
  message: Record<string, unknown>,
  receivedAt: Date,
): InboundMessage {
  const type = textOf(message['type']);
  const answered = isObject(message['context']) ? text(message['context']['id']) : null;
  return {
    kind: 'inbound',
    wabaId,
    key: text(message['id']) ?? JSON.stringify(message),
    phoneNumberId: phoneNumberIdOf(value),
    type,
    from: idOf(message['from']),
    ...readContent(type, isObject(message[type]) ? message[type] : {}),
    answers: answered !== null && answered.length <= MOST_ID ? answered : null,
    occurredAt: timeOf(message['timestamp']) ?? receivedAt,
  };
}

/** Of a text and of a button that was tapped: a template's, or one of an interactive message. */
function readContent(
  type: string,
  content: Record<string, unknown>,
): Pick<InboundMessage, 'text' | 'payload'> {
  if (type === 'text') return { text: text(content['body']), payload: null };
  if (type === 'button') return { text: text(content['text']), payload: text(content['payload']) };
  const reply = type === 'interactive' ? content['button_reply'] : null;
  if (isObject(reply)) return { text: text(reply['title']), payload: text(reply['id']) };
  return { text: null, payload: null };
}

/** The provider's id of the number that a change is about. */
function phoneNumberIdOf({ metadata }: Record<string, unknown>): string | null {
  return isObject(metadata) ? idOf(metadata['phone_number_id']) : null;
}

/** The value of a change; a list is put into an object, under the field's name. */
function valueOf({ field, value }: Partial<WireWebhookChange>): Record<string, unknown> {
  return isObject(value) ? value : { [textOf(field)]: value };
}

/** Characters of the id of a message at most; the provider's have some sixty. No index takes very long ones. */
const MOST_ID = 500;

function receiptsIn(value: Record<string, unknown>): WireReceipt[] {
  return list(value['statuses']).filter(isReceipt) as unknown as WireReceipt[];
}

function isReceipt({ id, status }: Record<string, unknown>): boolean {
  return typeof id === 'string' && id.length <= MOST_ID && typeof status === 'string';
}

function readReceipt(
  wabaId: string,
  value: Record<string, unknown>,
  receipt: WireReceipt,
  receivedAt: Date,
): ReceiptUpdate {
  const { errors, pricing, conversation, recipient_id, recipient_user_id } = receipt;
  return {
    kind: 'receipt',
    wabaId,
    tag: text(receipt.biz_opaque_callback_data),
    phoneNumberId: phoneNumberIdOf(value),
    recipient: idOf(recipient_id),
    providerMessageId: receipt.id,
    status: receipt.status,
    occurredAt: timeOf(receipt.timestamp) ?? receivedAt,
    error: readError(receipt),
    details: {
      source: 'receipt',
      provider_message_id: receipt.id,
      recipient_id,
      recipient_user_id,
      wa_id: waIdOf(value['contacts'], receipt),
      pricing,
      conversation,
      errors,
    },
  };
}

function readError({ status, errors }: WireReceipt): MessageError | null {
  if (status !== 'failed') return null;
  const first = list(errors)[0] ?? {};
  const data = isObject(first['error_data']) ? first['error_data'] : {};
  const code = numberOf(first['code']);
  const isCode = Number.isInteger(code) && Math.abs(code) < 2 ** 31;
  return {
    code: isCode ? code : null,
    title: text(first['title']) ?? text(first['message']) ?? 'Not delivered',
    details: text(data['details']) ?? text(first['message']),
  };
}

/** The recipient's id that the delivery gives outside of its receipts. */
function waIdOf(contacts: unknown, { recipient_id, recipient_user_id }: WireReceipt): string | undefined {
  const contact = list(contacts).find(
    ({ wa_id, user_id }) =>
      (recipient_user_id !== undefined && user_id === recipient_user_id) ||
      (recipient_id !== undefined && wa_id === recipient_id),
  );
  return text(contact?.['wa_id']) ?? undefined;
}

/** An id or a phone number, which comes as text or as a number: its digits. */
function idOf(value: unknown): string | null {
  const digits = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  return digits.replaceAll(/\D/g, '') || null;
}
