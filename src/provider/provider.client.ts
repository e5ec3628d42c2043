import type { Readable } from 'node:stream';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { storableText } from '../common/storable-text.js';
import { Config } from '../config/config.js';
import { mediaForm } from './media-form.js';
import { ProviderError } from './provider-error.js';
import { ProviderMetrics } from './provider-metrics.js';
import {
  type ProviderCall,
  type ProviderCredentials,
  ProviderHttp,
  type ProviderResult,
  segment,
  unanswered,
} from './provider-http.js';
import type {
  WirePage,
  WirePhoneNumber,
  WireSendRequest,
  WireSendResponse,
  WireTemplate,
  WireTemplateCreated,
  WireTemplateDraft,
} from './wire.js';

/** Every field of {@link WireTemplate}: the provider leaves out what is not asked for. */
const TEMPLATE_FIELDS =
  'id,name,language,status,category,sub_category,previous_category,parameter_format,quality_score,rejected_reason,' +
  'message_send_ttl_seconds,components';
const PHONE_NUMBER_FIELDS = 'id,display_phone_number,verified_name,quality_rating,status,throughput';
/** The field for the portfolio's limit: up to v23.0, and since v24.0. Asking for the other one is an error. */
const LIMIT_FIELDS = ['messaging_limit_tier', 'whatsapp_business_manager_messaging_limit'] as const;
const PAGE_SIZE = 200;
/** Far above the provider's limit of 6,000 templates in a few languages each. */
const MAX_PAGES = 500;
/** Milliseconds. */
const UPLOAD_TIMEOUT = 120_000;
/** The id of an upload session is part of a URL as it stands, query included (`upload:MTp…=?sig=ARZ…`). */
const UPLOAD_ID = /^upload:[\w:=+/%.~-]+(\?[\w:=+/%.~&-]*)?$/;

/** Part of SHUTDOWN_GRACE for calls that are still under way when those who made them have stopped waiting. */
const GRACE_SHARE = 0.1;

const MESSAGE_STATUSES = ['accepted', 'held_for_quality_assessment', 'paused'] as const;

export interface SentMessage {
  /** The provider's id, `wamid.…`. */
  messageId: string;
  /** The recipient's id at the provider, which may differ from the number sent to. */
  waId?: string;
  /** A held message is sent later, or fails with 132015 in a receipt. */
  messageStatus: (typeof MESSAGE_STATUSES)[number];
}

export interface ProviderFile {
  fileName: string;
  /** Its MIME type, as in image/png. */
  fileType: string;
  bytes: Uint8Array;
}

/** A file of known length that is passed on as it arrives. */
export interface ProviderFileStream extends Pick<ProviderFile, 'fileName' | 'fileType'> {
  length: number;
  stream: Readable;
}

/**
 * The WhatsApp Cloud API; nothing else in the service calls it. Every method makes each call once, passes on its
 * arguments unchanged, and throws a {@link ProviderError} when the provider does not do what was asked.
 */
@Injectable()
export class ProviderClient implements OnApplicationShutdown {
  private readonly http: ProviderHttp;
  private readonly grace: number;
  private readonly limitField: (typeof LIMIT_FIELDS)[number];

  constructor(config: Config, metrics: ProviderMetrics) {
    this.http = new ProviderHttp(config, metrics);
    const [before, since] = LIMIT_FIELDS;
    this.limitField = Number.parseFloat(config.PROVIDER_API_VERSION.slice(1)) < 24 ? before : since;
    this.grace = config.SHUTDOWN_GRACE * 1_000 * GRACE_SHARE;
  }

  /** Closed last of all, after everything that still makes calls has stopped. */
  async onApplicationShutdown(): Promise<void> {
    await this.http.close(this.grace);
  }

  /**
   * Sends one message. There is no idempotency key: a call that may have been carried out but brought no message id
   * fails with the class `unknown`, and must not simply be repeated.
   * @param options.mayLeave asked when the call is about to be written
   * @throws NotLeft when it said no
   */
  async send(
    credentials: ProviderCredentials,
    phoneNumberId: string,
    request: WireSendRequest,
    options: Pick<ProviderCall, 'mayLeave' | 'signal'> = {},
  ): Promise<SentMessage> {
    const path = `/${segment(phoneNumberId)}/messages`;
    const call: ProviderCall = { method: 'POST', path, json: request, sends: true, ...options };
    try {
      return sentMessage(await this.http.call(credentials, call));
    } catch (error) {
      throw error instanceof ProviderError && isOfUnknownObject(error) ? ofUnknownNumber(error) : error;
    }
  }

  /** Every template of a business account, all pages. Throws rather than return an incomplete list. */
  async listTemplates(
    credentials: ProviderCredentials,
    wabaId: string,
    { signal }: Pick<ProviderCall, 'signal'> = {},
  ): Promise<WireTemplate[]> {
    const path = `/${segment(wabaId)}/message_templates`;
    const query = { fields: TEMPLATE_FIELDS, limit: String(PAGE_SIZE) };
    const templates: WireTemplate[] = [];
    const cursors = new Set<string>();
    let call: ProviderCall = { method: 'GET', path, query, signal };
    while (cursors.size < MAX_PAGES) {
      const page = templatePage(await this.http.call(credentials, call));
      for (const template of page.data) templates.push({ ...template, id: String(template.id) });
      if (!page.paging?.next) return templates;
      // The URL in `next` is not used: it may lead to another host, which would get the token.
      const after = page.paging.cursors?.after;
      if (!after || cursors.has(after)) break;
      cursors.add(after);
      call = { ...call, query: { ...query, after } };
    }
    throw unanswered(call, 'TEMPLATE_LIST_WITHOUT_END');
  }

  /** Checks only that the token may read the templates of a business account. */
  async checkAccess(credentials: ProviderCredentials, wabaId: string): Promise<void> {
    const path = `/${segment(wabaId)}/message_templates`;
    const query = { fields: 'id', limit: '1' };
    templatePage(await this.http.call(credentials, { method: 'GET', path, query }));
  }

  async createTemplate(
    credentials: ProviderCredentials,
    wabaId: string,
    draft: WireTemplateDraft,
  ): Promise<WireTemplateCreated> {
    const path = `/${segment(wabaId)}/message_templates`;
    const result = await this.http.call(credentials, { method: 'POST', path, json: draft });
    return { ...(result as unknown as WireTemplateCreated), id: textOf(result, 'id') };
  }

  /** Replaces the given parts; components can only be replaced all together. */
  async editTemplate(
    credentials: ProviderCredentials,
    templateId: string,
    changes: Partial<WireTemplateDraft>,
  ): Promise<void> {
    await this.change(credentials, { method: 'POST', path: `/${segment(templateId)}`, json: changes });
  }

  /** Deletes one language of a template, or all of them when no `templateId` is given. */
  async deleteTemplate(
    credentials: ProviderCredentials,
    wabaId: string,
    { name, templateId }: { name: string; templateId?: string },
  ): Promise<void> {
    const query: Record<string, string> = templateId === undefined ? { name } : { hsm_id: templateId, name };
    await this.change(credentials, {
      method: 'DELETE',
      path: `/${segment(wabaId)}/message_templates`,
      query,
    });
  }

  /** Uploads the sample of a media header. @returns the handle for `example.header_handle` */
  async uploadHeaderSample(
    credentials: ProviderCredentials,
    appId: string,
    file: ProviderFile | ProviderFileStream,
  ): Promise<string> {
    const length = String('stream' in file ? file.length : file.bytes.byteLength);
    const query = { file_name: file.fileName, file_length: length, file_type: file.fileType };
    const path = `/${segment(appId)}/uploads`;
    const session = textOf(await this.http.call(credentials, { method: 'POST', path, query }), 'id');
    if (!UPLOAD_ID.test(session)) throw unanswered({ method: 'POST' }, 'UPLOAD_ID_UNUSABLE');
    const upload = await this.http.call(credentials, {
      method: 'POST',
      path: `/${session}`,
      body: 'stream' in file ? file.stream : bufferOf(file.bytes),
      headers: { file_offset: '0', 'content-type': 'application/octet-stream', 'content-length': length },
      timeout: UPLOAD_TIMEOUT,
    });
    return textOf(upload, 'h');
  }

  /** Uploads media to send. @returns the media id */
  async uploadMedia(
    credentials: ProviderCredentials,
    phoneNumberId: string,
    file: ProviderFile | ProviderFileStream,
  ): Promise<string> {
    const path = `/${segment(phoneNumberId)}/media`;
    const [content, length] =
      'stream' in file ? [file.stream, file.length] : [file.bytes, file.bytes.byteLength];
    const form = mediaForm({ ...file, content, length });
    const call: ProviderCall = { method: 'POST', path, ...form, timeout: UPLOAD_TIMEOUT };
    const result = await this.http.call(credentials, call);
    return textOf(result, 'id');
  }

  /** @param options.withLimit asks for the portfolio's limit, too */
  async getPhoneNumber(
    credentials: ProviderCredentials,
    phoneNumberId: string,
    { withLimit = false, ...options }: { withLimit?: boolean } & Pick<ProviderCall, 'signal'> = {},
  ): Promise<WirePhoneNumber> {
    const path = `/${segment(phoneNumberId)}`;
    const query = { fields: withLimit ? `${PHONE_NUMBER_FIELDS},${this.limitField}` : PHONE_NUMBER_FIELDS };
    const result = await this.http.call(credentials, { method: 'GET', path, query, ...options });
    return { ...(result as unknown as WirePhoneNumber), id: textOf(result, 'id', 'GET') };
  }

  /** The id of the business that owns a business account; null where the provider does not tell. */
  async getPortfolioId(
    credentials: ProviderCredentials,
    wabaId: string,
    options: Pick<ProviderCall, 'signal'> = {},
  ): Promise<string | null> {
    const path = `/${segment(wabaId)}`;
    const query = { fields: 'owner_business_info' };
    const result = await this.http.call(credentials, { method: 'GET', path, query, ...options });
    const id: unknown = (result['owner_business_info'] as { id?: unknown } | undefined)?.id;
    const digits = typeof id === 'string' || typeof id === 'number' ? String(id) : '';
    return /^\d{1,30}$/.test(digits) ? digits : null;
  }

  private async change(credentials: ProviderCredentials, call: ProviderCall): Promise<void> {
    const result = await this.http.call(credentials, call);
    if (result['success'] === false) throw unanswered(call, 'NOT_CONFIRMED');
  }
}

/** A Buffer on the same bytes, without a copy. */
function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Code 100 is an invalid parameter. With this subcode, the object in the path is gone, or hidden from this token. */
const UNKNOWN_OBJECT = 33;

function isOfUnknownObject({ code, subcode }: ProviderError): boolean {
  return code === 100 && subcode === UNKNOWN_OBJECT;
}

/** The path of a send names the number: the message is not at fault, and waits for the number as after code 33. */
function ofUnknownNumber(error: ProviderError): ProviderError {
  const { code, httpStatus, details, subcode } = error;
  const title = 'The number is gone, or the access token may not use it';
  return new ProviderError({ errorClass: 'account', code, httpStatus, details, title, subcode });
}

function sentMessage(result: ProviderResult): SentMessage {
  const { messages, contacts } = result as Partial<WireSendResponse>;
  const message = messages?.[0];
  if (typeof message?.id !== 'string' || message.id === '')
    throw unanswered({ method: 'POST' }, 'NO_MESSAGE_ID', 200);
  const messageStatus = MESSAGE_STATUSES.find((status) => status === message.message_status) ?? 'accepted';
  const waId: unknown = contacts?.[0]?.wa_id;
  return {
    messageId: storableText(message.id),
    waId: typeof waId === 'string' ? storableText(waId) : undefined,
    messageStatus,
  };
}

function templatePage(result: ProviderResult): WirePage<WireTemplate> {
  if (!Array.isArray(result['data'])) throw unanswered({ method: 'GET' }, 'NO_TEMPLATE_LIST', 200);
  return result as unknown as WirePage<WireTemplate>;
}

/** An id or handle of an answer; ids come as text or as numbers. */
function textOf(result: ProviderResult, field: string, method: ProviderCall['method'] = 'POST'): string {
  const value = result[field];
  if ((typeof value === 'string' && value !== '') || typeof value === 'number') return String(value);
  throw unanswered({ method }, `NO_${field.toUpperCase()}`, 200);
}
