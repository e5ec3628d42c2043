import { randomBytes } from 'node:crypto';
import type { TemplateCategory, WireTemplate } from '../provider/wire.js';
import { GraphError, unknownObject } from './graph-error.js';
import { newObjectId } from './ids.js';
import type { SandboxNumber, SandboxState, StoredAccount, TemplateRecord } from './sandbox-state.js';
import { QUALITY_SCORES, STATUS_EVENTS, type TemplateLifecycle } from './template-lifecycle.js';
import { checkCategory } from './template-rules.js';
import type { StatusDetails } from './template-webhooks.js';
import type { WebhookSender } from './webhook-sender.js';
import { verifyWebhook } from './webhook-verification.js';

export const FAULT_MODES = ['none', 'slow', 'error_500', 'hang', 'drop'] as const;

/** A fault of every send, before any message is taken; `delay` (milliseconds, default 3000) is for `slow`. */
export interface SandboxFault {
  mode: (typeof FAULT_MODES)[number];
  delay?: number;
}

/** Does on command what only the provider can do: for tests in the same process, and for `/control` over HTTP. */
export class SandboxControl {
  private current: SandboxFault = { mode: 'none' };

  constructor(
    private readonly state: SandboxState,
    private readonly lifecycle: TemplateLifecycle,
    private readonly webhooks: WebhookSender,
  ) {}

  get fault(): SandboxFault {
    return this.current;
  }

  /** `template` is an id or a name; `language` chooses among those of a name. Throws code 100 for a wrong one. */
  setTemplateStatus(
    template: string,
    event: string,
    details: StatusDetails & { language?: string } = {},
  ): WireTemplate {
    checkOneOf('status', event, STATUS_EVENTS);
    const record = this.findTemplate(template, details.language);
    this.lifecycle.setStatus(record, event, details);
    return record.template;
  }

  /** GREEN, YELLOW, RED or UNKNOWN; RED pauses the template too. */
  setQuality(template: string, score: string, language?: string): WireTemplate {
    checkOneOf('score', score, QUALITY_SCORES);
    const record = this.findTemplate(template, language);
    this.lifecycle.setQuality(record, score);
    return record.template;
  }

  /** With `warning` only announces the change, as the provider does 24 h ahead. */
  setCategory(
    template: string,
    category: string,
    options: { warning?: boolean; language?: string } = {},
  ): WireTemplate {
    checkCategory(category);
    const record = this.findTemplate(template, options.language);
    this.lifecycle.setCategory(record, category as TemplateCategory, options.warning);
    return record.template;
  }

  /**
   * Gives a business account another number. Without a `wabaId` the number gets a new account, whose webhooks go to the
   * same address as those of the first account.
   */
  addNumber(phone: string, name: string, wabaId?: string): { account: StoredAccount; number: SandboxNumber } {
    if (!/^\+?\d{7,15}$/.test(phone)) throw new GraphError(100, 'phone must be digits with a country code.');
    const account = wabaId === undefined ? this.addAccount() : this.account(wabaId);
    const displayPhoneNumber = `+${phone.replace('+', '')}`;
    const number = { phoneNumberId: newObjectId(), displayPhoneNumber, verifiedName: name };
    this.state.putAccount({ ...account, numbers: [...account.numbers, number] });
    return { account, number };
  }

  /**
   * Clones an account, as for a change of currency: another account of the same app, with a token of its own and the
   * same templates under new ids. The numbers stay with the old account until each is moved by {@link moveNumber}.
   */
  cloneAccount(wabaId: string): StoredAccount {
    const { appId, appSecret, webhookUrl, name, portfolioId, templateLimit } = this.account(wabaId);
    const clone = {
      wabaId: newObjectId(),
      appId,
      appSecret,
      accessToken: randomBytes(32).toString('hex'),
      numbers: [],
      clonedFrom: wabaId,
      ...(webhookUrl !== undefined && { webhookUrl }),
      ...(name !== undefined && { name }),
      ...(portfolioId !== undefined && { portfolioId }),
      ...(templateLimit !== undefined && { templateLimit }),
    };
    this.state.putAccount(clone);
    for (const { template } of this.state.templatesOf(wabaId))
      this.state.putTemplate(clone.wabaId, { ...structuredClone(template), id: newObjectId() });
    return this.account(clone.wabaId);
  }

  /**
   * Gives a number to another account, under the same id: from then on its former account does not know it. Receipts of
   * messages that were taken before still come under the former account.
   */
  moveNumber(phoneNumberId: string, wabaId: string): { account: StoredAccount; number: SandboxNumber } {
    const to = this.account(wabaId);
    const isIt = (number: SandboxNumber) => number.phoneNumberId === phoneNumberId;
    const from = [...this.state.accounts.values()].find(({ numbers }) => numbers.some(isIt));
    const number = from?.numbers.find(isIt);
    if (!from || !number) throw unknownObject(phoneNumberId);
    from.numbers = from.numbers.filter((other) => !isIt(other));
    to.numbers = [...to.numbers, number];
    this.state.onChange();
    return { account: to, number };
  }

  /** Every call with the account's token fails with 190 until {@link restoreToken}. */
  revokeToken(wabaId: string): void {
    this.setRevoked(wabaId, true);
  }

  restoreToken(wabaId: string): void {
    this.setRevoked(wabaId, false);
  }

  /** Sets the webhook as the provider's form does: rejects with code 100 unless the URL echoes a challenge. */
  async subscribe(wabaId: string, url: string, verifyToken: string): Promise<void> {
    this.account(wabaId);
    await verifyWebhook(checkUrl(url), verifyToken);
    this.setWebhook(wabaId, url);
  }

  setWebhook(wabaId: string, url: string): void {
    this.account(wabaId).webhookUrl = checkUrl(url);
    this.state.onChange();
  }

  /** Whether the account's app gets its webhooks. */
  setSubscribed(wabaId: string, subscribed: boolean): void {
    this.account(wabaId).unsubscribed = !subscribed;
    this.state.onChange();
  }

  /** Sends any webhook, signed; numbers of more than 53 bits as `LosslessNumber`. */
  sendWebhook(wabaId: string, field: string, value: Record<string, unknown>): void {
    this.webhooks.send(this.account(wabaId), { field, value });
  }

  setFault(fault: SandboxFault): void {
    checkOneOf('mode', fault.mode, FAULT_MODES);
    this.current = fault;
  }

  private addAccount(): StoredAccount {
    const [first] = this.state.accounts.values();
    const wabaId = newObjectId();
    this.state.putAccount({
      wabaId,
      appId: newObjectId(),
      accessToken: randomBytes(32).toString('hex'),
      appSecret: randomBytes(16).toString('hex'),
      ...(first?.webhookUrl !== undefined && { webhookUrl: first.webhookUrl }),
      numbers: [],
    });
    return this.account(wabaId);
  }

  private setRevoked(wabaId: string, revoked: boolean): void {
    this.account(wabaId).revoked = revoked;
    this.state.onChange();
  }

  private account(wabaId: string): StoredAccount {
    const account = this.state.accounts.get(wabaId);
    if (!account) throw unknownObject(wabaId);
    return account;
  }

  private findTemplate(idOrName: string, language?: string): TemplateRecord {
    const byId = this.state.templates.get(idOrName);
    if (byId) return byId;
    const record = [...this.state.templates.values()].find(
      ({ template }) => template.name === idOrName && (!language || template.language === language),
    );
    if (!record) throw unknownObject(idOrName);
    return record;
  }
}

function checkOneOf(name: string, value: unknown, allowed: readonly string[]): void {
  if (typeof value === 'string' && allowed.includes(value)) return;
  throw new GraphError(100, `${name} must be one of ${allowed.join(', ')}.`);
}

function checkUrl(url: unknown): string {
  if (typeof url === 'string' && /^https?:\/\/\S+$/i.test(url) && URL.canParse(url)) return url;
  throw new GraphError(100, 'url must be an HTTP(S) URL.');
}
