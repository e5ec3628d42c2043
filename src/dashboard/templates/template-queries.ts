import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../database/database.js';
import type { WireTemplateComponent } from '../../provider/wire.js';
import { CATEGORY_CHANGE } from '../../templates/category-changes.service.js';
import { templateVersion } from '../../templates/domain/template-version.js';
import type { TemplateStatus } from '../../templates/domain/template-status.js';

/** Which templates to list; null or left out: all. */
export interface TemplateFilter {
  search?: string | undefined;
  status?: string | undefined;
  category?: string | undefined;
  language?: string | undefined;
  quality?: string | undefined;
  messagingAccountId?: string | undefined;
}

/** The last template of the page before. */
export interface TemplatePosition {
  name: string;
  language: string;
  id: number;
}

export interface TemplateRow {
  template_id: number;
  name: string;
  language: string;
  category: string;
  status: TemplateStatus;
  provider_status: string;
  status_reason: string | null;
  status_changed_at: Date;
  quality: string | null;
  header_type: string | null;
  body: string | null;
  business_account_id: string;
  /** What its category will be, and when; null where the provider has announced nothing. */
  category_change: { category: string; at: string } | null;
}

interface FoundTemplate extends TemplateRow {
  components: WireTemplateComponent[];
  parameter_format: string;
}

/** Reads one tenant's templates as the page shows them; the list has no removed ones. */
@Injectable()
export class TemplateQueries {
  constructor(private readonly database: Database) {}

  /** A page by name and language, and the position after it (null at the end). */
  async list(
    tenantId: string,
    filter: TemplateFilter,
    limit: number,
    after: TemplatePosition | null,
  ): Promise<{ rows: TemplateRow[]; next: TemplatePosition | null }> {
    const rows = await this.database.run<TemplateRow>(LIST, [
      tenantId,
      filter.search === undefined ? null : `%${filter.search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`,
      filter.status ?? null,
      filter.category ?? null,
      filter.language ?? null,
      filter.quality ?? null,
      filter.messagingAccountId ?? null,
      after?.name ?? null,
      after?.language ?? null,
      after?.id ?? null,
      limit + 1,
    ]);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const next =
      rows.length > limit && last ? { name: last.name, language: last.language, id: last.template_id } : null;
    return { rows: page, next };
  }

  /** The languages that the tenant's templates are in. */
  async languages(tenantId: string): Promise<string[]> {
    const rows = await this.database.run<{ language: string }>(LANGUAGES, [tenantId]);
    return rows.map(({ language }) => language);
  }

  /** The tenant's business accounts, each with its numbers and the time of its last sync. */
  async businessAccounts(tenantId: string): Promise<object[]> {
    return this.database.run(BUSINESS_ACCOUNTS, [tenantId]);
  }

  /** One template with its components, their version, and its history, or null when the tenant has no such template. */
  async find(tenantId: string, id: number): Promise<object | null> {
    const [row] = await this.database.run<FoundTemplate>(FIND, [tenantId, id]);
    if (!row) return null;
    const [changes, translations] = await Promise.all([
      this.database.run(CHANGES, [id]),
      this.database.run(TRANSLATIONS, [tenantId, row.business_account_id, row.name, id]),
    ]);
    const version = templateVersion(row.components, row.parameter_format);
    return { ...row, version, changes, translations };
  }
}

const COLUMNS = `t.id AS template_id, t.name, t.language, t.category, t.status, t.provider_status, t.status_reason,
  t.status_changed_at, t.quality_score AS quality, t.business_account_id,
  ${CATEGORY_CHANGE} AS category_change`;

/** By the order of code points, as the public list. A tenant has some thousand templates at most. */
const LIST: Statement = {
  name: 'dashboard_templates_list',
  text: `
    SELECT ${COLUMNS}, content.header_type, content.body
    FROM templates t CROSS JOIN LATERAL (
      SELECT lower(max(c ->> 'format') FILTER (WHERE c ->> 'type' = 'HEADER')) AS header_type,
        max(c ->> 'text') FILTER (WHERE c ->> 'type' = 'BODY') AS body, string_agg(c ->> 'text', ' ') AS texts
      FROM jsonb_array_elements(t.body_json) c
    ) content
    WHERE t.tenant_id = $1 AND t.removed_at IS NULL
      AND ($2::text IS NULL OR t.name ILIKE $2 OR content.texts ILIKE $2)
      AND ($3::text IS NULL OR t.status = $3)
      AND ($4::text IS NULL OR t.category = $4)
      AND ($5::text IS NULL OR t.language = $5)
      AND ($6::text IS NULL OR coalesce(t.quality_score, 'UNKNOWN') = $6)
      AND ($7::text IS NULL OR t.business_account_id = (
        SELECT n.business_account_id FROM messaging_accounts n WHERE n.api_id = $7 AND n.tenant_id = $1))
      AND ($8::text IS NULL OR (t.name COLLATE "C", t.language COLLATE "C", t.id) > ($8, $9::text, $10::integer))
    ORDER BY t.name COLLATE "C", t.language COLLATE "C", t.id LIMIT $11`,
};

const LANGUAGES: Statement = {
  name: 'dashboard_templates_languages',
  text: `
    SELECT DISTINCT language COLLATE "C" AS language FROM templates WHERE tenant_id = $1 AND removed_at IS NULL
    ORDER BY 1`,
};

const BUSINESS_ACCOUNTS: Statement = {
  name: 'dashboard_business_accounts',
  text: `
    SELECT b.id AS business_account_id, b.waba_id, b.templates_synced_at, coalesce(json_agg(json_build_object(
      'messaging_account_id', n.api_id, 'name', n.name, 'phone', n.phone) ORDER BY n.id)
      FILTER (WHERE n.id IS NOT NULL), '[]') AS numbers
    FROM business_accounts b LEFT JOIN messaging_accounts n ON n.business_account_id = b.id
    WHERE b.tenant_id = $1 GROUP BY b.id ORDER BY b.created_at, b.id`,
};

/** Finds removed templates too: messages that were sent with them link here. */
const FIND: Statement = {
  name: 'dashboard_templates_find',
  text: `
    SELECT ${COLUMNS}, t.provider_template_id, t.parameter_format, t.message_send_ttl_seconds,
      t.body_json AS components, t.created_at, t.removed_at,
      (SELECT json_build_object('hold_id', h.id, 'cause', h.cause, 'error', h.error, 'created_at', h.created_at)
        FROM holds h WHERE h.scope = 'template' AND h.target_id = t.id::text AND h.lifted_at IS NULL) AS hold
    FROM templates t WHERE t.tenant_id = $1 AND t.id = $2`,
};

export const CHANGES: Statement = {
  name: 'dashboard_templates_changes',
  text: `
    SELECT id AS change_id, kind, old_value, new_value, reason, body_json AS components, occurred_at
    FROM template_changes WHERE template_id = $1 ORDER BY id DESC LIMIT 200`,
};

const TRANSLATIONS: Statement = {
  name: 'dashboard_templates_translations',
  text: `
    SELECT id AS template_id, language, status FROM templates
    WHERE tenant_id = $1 AND business_account_id = $2 AND name = $3 AND id <> $4 AND removed_at IS NULL
    ORDER BY language COLLATE "C"`,
};
