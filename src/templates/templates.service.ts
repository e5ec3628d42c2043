import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import { ApiError } from '../common/errors.js';
import { gatheredReads } from '../database/gathered-reads.js';
import { SharedCaches } from '../database/shared-cache.js';
import type { TemplateCategory, WireTemplateComponent } from '../provider/wire.js';
import { readTemplateContent, type TemplateContent } from './domain/template-content.js';
import type { TemplateStatus } from './domain/template-status.js';
import { templateVersion } from './domain/template-version.js';
import type { TemplateListItem } from './dto/template-list-item.dto.js';
import { TEMPLATES_CACHE } from './template.store.js';
import { Template } from './template.entity.js';

/** A template as a send needs it. */
export interface SendableTemplate {
  id: number;
  revision: number;
  name: string;
  language: string;
  category: TemplateCategory;
  content: TemplateContent;
}

/** A list answer, serialised once for all who ask. */
export interface TemplateList {
  json: Buffer;
  gzip: Buffer;
  etag: string;
}

/** A template as it is known here, whether or not it may be sent. */
export interface KnownTemplate extends SendableTemplate {
  status: TemplateStatus;
  providerStatus: string;
  qualityScore: string | null;
  /** The provider's components. */
  bodyJson: WireTemplateComponent[];
  /** See {@link templateVersion}. */
  version: string;
}

interface TemplateName {
  businessAccountId: string;
  name: string;
  language: string;
}

/** What this process remembers of one business account's templates, until one of them changes. */
interface TemplateShelf {
  byName: Answers<KnownTemplate | null>;
  lists: Answers<TemplateList>;
}

/** Answers that are remembered, each with how it is read and whether anybody has asked for it again. */
type Answers<Value> = Map<string, { reading: Promise<Value>; read: () => Promise<Value>; isUsed: boolean }>;

/** How many names are remembered: made-up names must not fill the memory. */
const MAX_NAMES = 10_000;

/** Answers which templates an account has and which of them may be sent. */
@Injectable()
export class TemplatesService {
  private readonly shelves;
  private readonly row;

  constructor(
    @InjectRepository(Template) private readonly templates: Repository<Template>,
    caches: SharedCaches,
  ) {
    this.row = gatheredReads(
      (names: TemplateName[]) => this.rowsOf(names),
      (row, { businessAccountId, name, language }) =>
        row.businessAccountId === businessAccountId && row.name === name && row.language === language,
    );
    this.shelves = caches.create<TemplateShelf>(TEMPLATES_CACHE, (_, previous) => newShelf(previous), {
      renews: true,
    });
  }

  /** The list operation's answer: by name, then language. */
  async list(businessAccountId: string, status?: TemplateStatus): Promise<TemplateList> {
    const { lists } = await this.shelf(businessAccountId);
    return remember(lists, status ?? '', () => this.readList(businessAccountId, status));
  }

  /**
   * The template of that name and exactly that language, if it may be sent now.
   * @throws ApiError TEMPLATE_NOT_FOUND (also when not approved) or TEMPLATE_PAUSED
   */
  async findSendable(businessAccountId: string, name: string, language: string): Promise<SendableTemplate> {
    const template = await this.find(businessAccountId, name, language);
    if (!template) throw unknownTemplate(name, language);
    const fault = sendFault(template);
    if (fault) throw fault;
    return template;
  }

  /** The template of that name and exactly that language, whatever its status. */
  async find(businessAccountId: string, name: string, language: string): Promise<KnownTemplate | null> {
    const { byName } = await this.shelf(businessAccountId);
    if (byName.size >= MAX_NAMES) byName.clear();
    return remember(byName, `${name}|${language}`, () => this.read({ businessAccountId, name, language }));
  }

  /** Removes the account's templates from this process' cache, after the database has shown that they changed. */
  forget(businessAccountId: string): void {
    this.shelves.forget(businessAccountId);
  }

  private async shelf(businessAccountId: string): Promise<TemplateShelf> {
    return (await this.shelves.get(businessAccountId)) as TemplateShelf;
  }

  private async read(wanted: TemplateName): Promise<KnownTemplate | null> {
    const row = await this.row(wanted);
    return (
      row && {
        ...row,
        content: readTemplateContent(row.bodyJson, row.parameterFormat),
        version: templateVersion(row.bodyJson, row.parameterFormat),
      }
    );
  }

  /** Those that are not removed. */
  private rowsOf(names: TemplateName[]): Promise<Template[]> {
    return this.templates
      .createQueryBuilder('t')
      .where(
        `t.removed_at IS NULL AND (t.business_account_id, t.name, t.language) IN (
          SELECT * FROM unnest(:accounts::uuid[], :names::text[], :languages::text[]))`,
        {
          accounts: names.map(({ businessAccountId }) => businessAccountId),
          names: names.map(({ name }) => name),
          languages: names.map(({ language }) => language),
        },
      )
      .getMany();
  }

  private async readList(businessAccountId: string, status?: TemplateStatus): Promise<TemplateList> {
    const rows = await this.templates.find({
      where: { businessAccountId, removedAt: IsNull(), ...(status && { status }) },
    });
    const data = rows.toSorted(byNameAndLanguage).map(toListItem);
    const json = Buffer.from(JSON.stringify({ success: true, data }));
    const etag = `"${createHash('sha256').update(json).digest('base64url')}"`;
    return { json, gzip: await promisify(gzip)(json), etag };
  }
}

/** TEMPLATE_NOT_FOUND for a name or language that the account does not have. */
export const unknownTemplate = (name: string, language: string): ApiError =>
  new ApiError(
    'TEMPLATE_NOT_FOUND',
    `There is no template ${name} in language ${language} on this account.`,
    [{ field: 'data.name' }],
  );

/** Why the template cannot be sent now, TEMPLATE_NOT_FOUND or TEMPLATE_PAUSED; null when it can. */
export function sendFault({ name, status }: Pick<KnownTemplate, 'name' | 'status'>): ApiError | null {
  if (status === 'APPROVED') return null;
  const details = [{ field: 'data.name', status }];
  return status === 'PAUSED'
    ? new ApiError(
        'TEMPLATE_PAUSED',
        `The provider has paused template ${name} because of its quality.`,
        details,
      )
    : new ApiError(
        'TEMPLATE_NOT_FOUND',
        `Template ${name} is not approved; its status is ${status}.`,
        details,
      );
}

/** By name, then language; by code points, not by the database's locale, so that every installation agrees. */
function byNameAndLanguage(a: Template, b: Template): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return a.language < b.language ? -1 : 1;
}

function toListItem(row: Template): TemplateListItem {
  const content = readTemplateContent(row.bodyJson, row.parameterFormat);
  return {
    name: row.name,
    language: row.language,
    category: row.category,
    status: row.status,
    params_count: content.paramsCount,
    body: content.body,
    header_type: content.headerType,
    header: content.header,
    header_sample_media_url: content.headerSampleMediaUrl,
    footer: content.footer,
  };
}

/** An empty shelf or, where one is renewed, one with what was used of that, read anew. */
async function newShelf(previous?: TemplateShelf | null): Promise<TemplateShelf> {
  const [byName, lists] = await Promise.all([readAnew(previous?.byName), readAnew(previous?.lists)]);
  return { byName, lists };
}

async function readAnew<Value>(answers: Answers<Value> = new Map()): Promise<Answers<Value>> {
  const anew: Answers<Value> = new Map();
  for (const [key, { read, isUsed }] of answers)
    if (isUsed) anew.set(key, { reading: read(), read, isUsed: false });
  await Promise.all([...anew.values()].map(({ reading }) => reading));
  return anew;
}

/** The answer, read once for all who ask. A failed read is not remembered. */
function remember<Value>(answers: Answers<Value>, key: string, read: () => Promise<Value>): Promise<Value> {
  const known = answers.get(key);
  if (known) {
    known.isUsed = true;
    return known.reading;
  }
  const reading = read();
  answers.set(key, { reading, read, isUsed: false });
  reading.catch(() => answers.delete(key));
  return reading;
}
