import type { WireComponent, WireReceiptError, WireTemplate } from '../provider/wire.js';

export interface SandboxNumber {
  phoneNumberId: string;
  displayPhoneNumber: string;
  verifiedName: string;
  /** Default 80. */
  messagesPerSecond?: number;
  /** GREEN, YELLOW, RED or UNKNOWN. Default GREEN. */
  qualityRating?: string;
  /** What its `whatsapp_business_profile` says. */
  profile?: Record<string, unknown>;
  /** Default CONNECTED. */
  status?: string;
  /** The tier of its portfolio. Default TIER_10K. */
  messagingLimit?: string;
}

/** A business account (WABA) as it is registered with the sandbox. */
export interface SandboxAccount {
  wabaId: string;
  appId: string;
  accessToken: string;
  appSecret: string;
  /** The address for its webhooks; without it, none are sent. */
  webhookUrl?: string;
  numbers: SandboxNumber[];
  name?: string;
  /** The business that owns it; without it, the sandbox does not tell one. */
  portfolioId?: string;
  /** Most templates it may hold: 250 while unverified. Default 6000. */
  templateLimit?: number;
}

/** A template and what the provider knows about it beyond the wire. */
export interface TemplateRecord {
  wabaId: string;
  /** Grows with each template; the list's order and its paging cursor. */
  sequence: number;
  template: WireTemplate;
  /** The times of edits while it was approved, in milliseconds. */
  edits: number[];
  /** A review is under way; false for a seeded PENDING template, which stays so. */
  reviewing: boolean;
  /** Whether the content under review replaces approved content. */
  edited: boolean;
  /** How often quality has paused it: the third time disables it. */
  pauses: number;
  /** It may be sent, but not edited. */
  isLocked?: boolean;
  /** Its status before it was archived. */
  statusBeforeArchive?: string;
}

/** What the sandbox remembers about an upload, which is known by its media id or by the handle of a sample. */
export interface StoredUpload {
  /** The business account (of media) or the app (of a sample) that it belongs to. */
  owner: string;
  /** Its MIME type. */
  type: string;
  /** Bytes. */
  size: number;
  /** In hex. */
  sha256: string;
}

export interface SandboxReceipt {
  status: string;
  /** Unix seconds, as text. */
  timestamp: string;
  errors?: WireReceiptError[];
}

/** A button that answers: its label, and what the business gets with it. */
export interface QuickReply {
  text: string;
  payload: string;
}

export interface SandboxReply {
  /** ISO 8601, UTC. */
  at: string;
  text: string;
  /** Where it was a button. */
  payload?: string;
}

/** A message that was taken: what the recipient would see, and its fate so far. */
export interface SandboxMessage {
  wamid: string;
  waba_id: string;
  phone_number_id: string;
  /** Digits only. */
  to: string;
  template: { name: string; language: string };
  category: string;
  /** `kind` is the template's header format in lower case; `media` a link or an upload's id. */
  header?: { kind: string; text?: string; media?: string };
  /** The body with its parameters put in. */
  text: string;
  footer?: string;
  buttons: string[];
  /** The buttons with which the recipient can answer. Absent in files of older versions, as are the replies. */
  quick_replies?: QuickReply[];
  /** What the recipient wrote in reply, oldest first. */
  replies?: SandboxReply[];
  /** As they were sent. */
  components: WireComponent[];
  biz_opaque_callback_data?: string;
  /** ISO 8601, UTC. */
  taken_at: string;
  /** accepted, held_for_quality_assessment, sent, failed, delivered or read. */
  status: string;
  receipts: SandboxReceipt[];
}

export type StoredAccount = SandboxAccount & {
  revoked: boolean;
  /** Its app gets no webhooks. */
  unsubscribed?: boolean;
  /** The account of which it is a clone: it can send media that were uploaded there. */
  clonedFrom?: string;
};

export interface StateSnapshot {
  version: 1;
  accounts: StoredAccount[];
  templates: TemplateRecord[];
  messages: SandboxMessage[];
  /** Absent in files of older versions, as are the deletions. */
  uploads?: [key: string, upload: StoredUpload][];
  deletions?: [name: string, at: number][];
  /** Recipients who have stopped marketing. */
  stopped?: string[];
  /** Of endpoints that push their events here. */
  endpointSecrets?: string[];
}

const MOST_MESSAGES = 10_000;
/** Fewer messages are saved than kept in memory, as the file is always written as a whole. */
const MOST_SAVED_MESSAGES = 1000;
/** Secrets of endpoints that are kept. */
const MOST_SECRETS = 20;
/** Replies to one message that are kept. */
const MOST_REPLIES = 20;
/** How many uploads and deleted names are remembered; the oldest are forgotten. */
const MOST_REMEMBERED = 10_000;

/** Everything the sandbox knows: accounts, templates, the messages it took. */
export class SandboxState {
  readonly accounts = new Map<string, StoredAccount>();
  readonly templates = new Map<string, TemplateRecord>();
  /** Called after every change. */
  onChange: () => void = () => {};
  /** Uploads by media id or handle of a sample. An entry stays even if its file is gone from the FileStore. */
  readonly uploads = new Map<string, StoredUpload>();
  private readonly deletions = new Map<string, number>();
  private readonly stopped = new Map<string, true>();
  private secrets: string[] = [];
  private readonly byName = new Map<string, TemplateRecord>();
  private readonly inbox = new Map<string, SandboxMessage>();
  private sequence = 0;
  private taken = 0;

  /** Adds or updates by `wabaId`; its templates and a revoked token stay as they are. */
  putAccount(account: SandboxAccount): void {
    // Updated in place: webhooks that wait to be sent again go to the new address.
    const known = this.accounts.get(account.wabaId) ?? { revoked: false };
    this.accounts.set(account.wabaId, Object.assign(known, structuredClone(account)));
    this.onChange();
  }

  putTemplate(wabaId: string, template: WireTemplate, reviewing = false): TemplateRecord {
    const record: TemplateRecord = {
      wabaId,
      sequence: ++this.sequence,
      template,
      edits: [],
      reviewing,
      edited: false,
      pauses: 0,
    };
    this.index(record);
    this.onChange();
    return record;
  }

  /** `now` in milliseconds. It is noted, as the name of a deleted template cannot be used again for some time. */
  removeTemplate({ wabaId, template }: TemplateRecord, now: number): void {
    const key = nameKey(wabaId, template.name, template.language);
    this.templates.delete(template.id);
    this.byName.delete(key);
    remember(this.deletions, key, now);
    this.onChange();
  }

  /** When the template of that name was deleted, in milliseconds. */
  deletedAt(wabaId: string, name: string, language: string): number | undefined {
    return this.deletions.get(nameKey(wabaId, name, language));
  }

  /** Whether a recipient takes marketing of a business account. */
  setStopped(wabaId: string, phone: string, stopped: boolean): void {
    if (stopped) remember(this.stopped, `${wabaId} ${phone}`, true);
    else this.stopped.delete(`${wabaId} ${phone}`);
    this.onChange();
  }

  hasStopped(wabaId: string, phone: string): boolean {
    return this.stopped.has(`${wabaId} ${phone}`);
  }

  /** Secrets of endpoints that push their events here, oldest first. */
  get endpointSecrets(): readonly string[] {
    return this.secrets;
  }

  addEndpointSecret(secret: string): void {
    this.secrets = [...this.secrets.filter((known) => known !== secret), secret].slice(-MOST_SECRETS);
    this.onChange();
  }

  putUpload(key: string, upload: StoredUpload): void {
    remember(this.uploads, key, upload);
    this.onChange();
  }

  removeUpload(key: string): void {
    this.uploads.delete(key);
    this.onChange();
  }

  /** The templates of one business account, oldest first. */
  templatesOf(wabaId: string): TemplateRecord[] {
    return [...this.templates.values()].filter((record) => record.wabaId === wabaId);
  }

  findTemplate(wabaId: string, name: string, language: string): TemplateRecord | undefined {
    return this.byName.get(nameKey(wabaId, name, language));
  }

  /** Keeps a message; beyond 10,000 the oldest goes. */
  addMessage(message: SandboxMessage): void {
    this.taken += 1;
    this.inbox.set(message.wamid, message);
    if (this.inbox.size > MOST_MESSAGES) {
      const oldest = this.inbox.keys().next().value;
      if (oldest !== undefined) this.inbox.delete(oldest);
    }
    this.onChange();
  }

  /** Notes a reply to a message, if it is still kept. */
  addReply(wamid: string, reply: SandboxReply): void {
    const message = this.inbox.get(wamid);
    if (!message) return;
    message.replies = [...(message.replies ?? []), reply].slice(-MOST_REPLIES);
    this.onChange();
  }

  /** How many messages were taken since the start, those no longer kept included. */
  get takenCount(): number {
    return this.taken;
  }

  /** Newest first. */
  messages(): SandboxMessage[] {
    return [...this.inbox.values()].toReversed();
  }

  /** Empties the inbox and answers how many messages it held. */
  clearMessages(): number {
    const count = this.inbox.size;
    this.inbox.clear();
    this.onChange();
    return count;
  }

  snapshot(): StateSnapshot {
    return {
      version: 1,
      accounts: [...this.accounts.values()],
      templates: [...this.templates.values()],
      messages: [...this.inbox.values()].slice(-MOST_SAVED_MESSAGES),
      uploads: [...this.uploads],
      deletions: [...this.deletions],
      stopped: [...this.stopped.keys()],
      endpointSecrets: this.secrets,
    };
  }

  /** Loads a snapshot into a state that is still empty. */
  restore(snapshot: StateSnapshot): void {
    for (const account of snapshot.accounts) this.accounts.set(account.wabaId, account);
    for (const record of snapshot.templates) this.index(record);
    for (const message of snapshot.messages) this.inbox.set(message.wamid, message);
    for (const [key, upload] of snapshot.uploads ?? []) this.uploads.set(key, upload);
    for (const [key, at] of snapshot.deletions ?? []) this.deletions.set(key, at);
    for (const key of snapshot.stopped ?? []) this.stopped.set(key, true);
    this.secrets = snapshot.endpointSecrets ?? [];
  }

  private index(record: TemplateRecord): void {
    const { id, name, language } = record.template;
    this.sequence = Math.max(this.sequence, record.sequence);
    this.templates.set(id, record);
    this.byName.set(nameKey(record.wabaId, name, language), record);
  }
}

/** Puts the entry last; beyond {@link MOST_REMEMBERED} entries, the first is dropped. */
function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > MOST_REMEMBERED) map.delete(map.keys().next().value as string);
}

function nameKey(wabaId: string, name: string, language: string): string {
  return JSON.stringify([wabaId, name, language]);
}
