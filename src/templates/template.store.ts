import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { storableValue } from '../common/storable-text.js';
import { Config } from '../config/config.js';
import { Database, type Statement } from '../database/database.js';
import { SharedCaches } from '../database/shared-cache.js';
import type { WireTemplate } from '../provider/wire.js';
import { mapTemplateStatus, type TemplateStatus } from './domain/template-status.js';
import { readTimeToLive } from './domain/time-to-live.js';

const MINUTE = 60_000;

export const TEMPLATES_CACHE = 'templates';

/** What a sync changed. */
export interface SyncResult {
  created: number;
  updated: number;
  removed: number;
}

/** The part of a template row that webhooks and syncs decide by. */
export interface StoredTemplate {
  id: number;
  provider_template_id: string;
  name: string;
  language: string;
  status: TemplateStatus;
  /** While it is archived: its status before that. */
  status_before_archive: TemplateStatus | null;
  category: string;
}

/** Writes templates; each method invalidates the caches of all processes. */
@Injectable()
export class TemplateStore {
  constructor(
    private readonly database: Database,
    private readonly caches: SharedCaches,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /**
   * Replaces the stored templates of a business account by those of the provider's list.
   * @param listedAt when the list was requested: a status that a webhook changed after that stays
   */
  async replaceAll(
    account: { id: string; tenantId: string },
    listed: WireTemplate[],
    listedAt: Date,
  ): Promise<SyncResult> {
    const previous = new Map(
      (await this.all(account.id)).map((row) => [row.provider_template_id, row.status]),
    );
    const rows = listed
      .map((template) => toRow(template, previous.get(template.id)))
      .filter((row) => row.status !== 'DELETED');
    const [result] = await this.database.run<SyncResult>(REPLACE_ALL, [
      account.id,
      account.tenantId,
      JSON.stringify(storableValue(rows)), // one text that PostgreSQL refuses would fail the whole list
      listedAt,
      this.nextSync(listedAt),
    ]);
    await this.caches.changed(TEMPLATES_CACHE, account.id);
    return result as SyncResult;
  }

  /** Finds the template that a webhook names: by id, or else by name and either spelling of the language. */
  async find(
    businessAccountId: string,
    wanted: { providerTemplateId: string; name: string; language: string },
  ): Promise<StoredTemplate | null> {
    const [row] = await this.database.run<StoredTemplate>(FIND, [
      businessAccountId,
      wanted.providerTemplateId,
      wanted.name,
      wanted.language.replaceAll('-', '_'),
    ]);
    return row ?? null;
  }

  /**
   * Takes a status from a webhook.
   * @param change `occurredAt` is the provider's time, where it is known
   * @returns false when a later one was taken before: webhooks come out of order, and again
   */
  async setStatus(
    businessAccountId: string,
    id: number,
    change: {
      status: TemplateStatus;
      providerStatus: string;
      reason: string | null;
      occurredAt: Date | null;
    },
  ): Promise<boolean> {
    const { status, providerStatus, reason, occurredAt } = change;
    const values = [id, status, providerStatus, reason, this.clock.now(), occurredAt];
    const rows = await this.database.run(SET_STATUS, values);
    await this.caches.changed(TEMPLATES_CACHE, businessAccountId);
    return rows.length > 0;
  }

  async setQuality(businessAccountId: string, id: number, quality: string): Promise<void> {
    await this.database.run(SET_QUALITY, [id, quality]);
    await this.caches.changed(TEMPLATES_CACHE, businessAccountId);
  }

  /** With a new category the provider forgets the time to live: its default counts again. */
  async setCategory(businessAccountId: string, id: number, category: string): Promise<void> {
    await this.database.run(SET_CATEGORY, [id, category]);
    await this.caches.changed(TEMPLATES_CACHE, businessAccountId);
  }

  async remove(businessAccountId: string, id: number): Promise<void> {
    await this.database.run(REMOVE, [id, this.clock.now()]);
    await this.caches.changed(TEMPLATES_CACHE, businessAccountId);
  }

  private nextSync(last: Date): Date {
    return new Date(last.getTime() + this.config.TEMPLATE_SYNC_INTERVAL * MINUTE);
  }

  private async all(businessAccountId: string): Promise<StoredTemplate[]> {
    return this.database.run<StoredTemplate>(ALL, [businessAccountId]);
  }
}

function toRow(template: WireTemplate, previous: TemplateStatus | undefined) {
  return {
    provider_template_id: template.id,
    name: template.name,
    language: template.language,
    category: template.category,
    status: mapTemplateStatus(template.status, previous),
    provider_status: template.status,
    status_reason:
      template.rejected_reason && template.rejected_reason !== 'NONE' ? template.rejected_reason : null,
    quality_score: template.quality_score?.score ?? null,
    parameter_format: template.parameter_format ?? 'POSITIONAL',
    message_send_ttl_seconds: readTimeToLive(template.message_send_ttl_seconds),
    body_json: template.components ?? [],
  };
}

const COLUMNS = 'id, provider_template_id, name, language, status, status_before_archive, category';

const ALL: Statement = {
  name: 'templates_all',
  text: `SELECT ${COLUMNS} FROM templates WHERE business_account_id = $1 AND removed_at IS NULL`,
};

const FIND: Statement = {
  name: 'templates_find',
  text: `
    SELECT ${COLUMNS} FROM templates
    WHERE business_account_id = $1 AND removed_at IS NULL
      AND (provider_template_id = $2 OR (name = $3 AND replace(language, '-', '_') = $4))
    ORDER BY provider_template_id = $2 DESC LIMIT 1`,
};

const SET_STATUS: Statement = {
  name: 'templates_set_status',
  text: `
    UPDATE templates SET status = $2, provider_status = $3, status_reason = $4, status_changed_at = $5,
      status_event_at = coalesce($6::timestamptz, status_event_at)
    WHERE id = $1 AND ($6 >= status_event_at) IS NOT FALSE RETURNING id`,
};

const SET_QUALITY: Statement = {
  name: 'templates_set_quality',
  text: 'UPDATE templates SET quality_score = $2 WHERE id = $1',
};

const SET_CATEGORY: Statement = {
  name: 'templates_set_category',
  text: `
    UPDATE templates SET category = $2, message_send_ttl_seconds = NULL, revision = revision + 1
    WHERE id = $1 AND category <> $2`,
};

const REMOVE: Statement = {
  name: 'templates_remove',
  text: 'UPDATE templates SET removed_at = $2 WHERE id = $1 AND removed_at IS NULL',
};

/**
 * One statement, so that no send sees half a list. A list older than the last one taken changes nothing. A template
 * that was deleted and made again keeps its row and gets the new id. One that is no longer listed is kept as removed,
 * for the messages that were sent with it. Whoever asked for the list, the next regular sync is due at $5.
 */
const REPLACE_ALL: Statement = {
  name: 'templates_replace_all',
  text: `
    WITH newest AS (
      UPDATE business_accounts SET templates_synced_at = $4, template_sync_due_at = $5, template_sync_failures = 0
      WHERE id = $1 AND coalesce(templates_synced_at, '-infinity') <= $4 RETURNING id
    ), listed AS (
      SELECT DISTINCT ON (name, language) l.* FROM newest, json_to_recordset($3) AS l(
        provider_template_id text, name text, language text, category text, status text, provider_status text,
        status_reason text, quality_score text, parameter_format text, message_send_ttl_seconds integer,
        body_json jsonb)
    ), written AS (
      INSERT INTO templates AS t (business_account_id, tenant_id, provider_template_id, name, language, category,
        status, provider_status, status_reason, quality_score, parameter_format, message_send_ttl_seconds, body_json,
        status_changed_at)
      SELECT $1::uuid, $2::uuid, provider_template_id, name, language, category,
        status, provider_status, status_reason, quality_score, parameter_format, message_send_ttl_seconds, body_json, $4
      FROM listed
      ON CONFLICT (business_account_id, name, language) WHERE removed_at IS NULL DO UPDATE SET
        provider_template_id = excluded.provider_template_id,
        category = excluded.category,
        parameter_format = excluded.parameter_format,
        body_json = excluded.body_json,
        message_send_ttl_seconds = excluded.message_send_ttl_seconds,
        quality_score = excluded.quality_score,
        status = CASE WHEN t.status_changed_at > $4 THEN t.status ELSE excluded.status END,
        provider_status = CASE WHEN t.status_changed_at > $4 THEN t.provider_status ELSE excluded.provider_status END,
        status_reason = CASE WHEN t.status_changed_at > $4 THEN t.status_reason
          ELSE coalesce(excluded.status_reason, CASE WHEN t.status = excluded.status THEN t.status_reason END) END,
        status_changed_at = CASE WHEN t.status_changed_at > $4 OR t.status = excluded.status
          THEN t.status_changed_at ELSE $4 END,
        revision = t.revision + CASE WHEN (t.category, t.parameter_format, t.body_json)
          IS DISTINCT FROM (excluded.category, excluded.parameter_format, excluded.body_json) THEN 1 ELSE 0 END
      WHERE (t.provider_template_id, t.category, t.parameter_format, t.body_json, t.message_send_ttl_seconds,
          t.quality_score, t.status, t.provider_status)
        IS DISTINCT FROM (excluded.provider_template_id, excluded.category, excluded.parameter_format,
          excluded.body_json, excluded.message_send_ttl_seconds, excluded.quality_score, excluded.status,
          excluded.provider_status)
      RETURNING xmax = 0 AS created
    ), removed AS (
      UPDATE templates t SET removed_at = now()
      WHERE t.business_account_id IN (SELECT id FROM newest) AND t.removed_at IS NULL AND t.created_at <= $4
        AND NOT EXISTS (SELECT FROM listed l WHERE l.name = t.name AND l.language = t.language)
      RETURNING t.id
    )
    SELECT count(*) FILTER (WHERE created) AS created, count(*) FILTER (WHERE NOT created) AS updated,
      (SELECT count(*) FROM removed) AS removed
    FROM written`,
};
