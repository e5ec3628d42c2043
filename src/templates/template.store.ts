import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { storableValue } from '../common/storable-text.js';
import { Config } from '../config/config.js';
import { Database, type Queryable, type Statement } from '../database/database.js';
import { SharedCaches } from '../database/shared-cache.js';
import type { WireTemplate } from '../provider/wire.js';
import type { ChangedTemplate } from './domain/template-changes.js';
import { mapTemplateStatus, type TemplateStatus } from './domain/template-status.js';
import { readTimeToLive } from './domain/time-to-live.js';
import { TemplateChangesService } from './template-changes.service.js';
import * as sql from './templates.sql.js';

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

/** Writes templates; each method tells of what it changes, and invalidates the caches of all processes. */
@Injectable()
export class TemplateStore {
  constructor(
    private readonly database: Database,
    private readonly caches: SharedCaches,
    private readonly changes: TemplateChangesService,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /**
   * Replaces the stored templates of a business account by those of the provider's list.
   * @param listedAt when the list was requested: what a webhook changed after that stays
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
    const values = [
      account.id,
      account.tenantId,
      JSON.stringify(storableValue(rows)), // one text that PostgreSQL refuses would fail the whole list
      listedAt,
      this.nextSync(listedAt),
    ];
    const { created, updated, removed } = await this.database.transaction(async (connection) => {
      const [row] = await connection.run<SyncResult & { changes: ChangedTemplate[] }>(
        sql.REPLACE_ALL,
        values,
      );
      await this.changes.tell(row!.changes, connection);
      return row!;
    });
    await this.caches.changed(TEMPLATES_CACHE, account.id);
    return { created, updated, removed };
  }

  /** Finds the template that a webhook names: by id, or else by name and either spelling of the language. */
  async find(
    businessAccountId: string,
    wanted: { providerTemplateId: string; name: string; language: string },
  ): Promise<StoredTemplate | null> {
    const [row] = await this.database.run<StoredTemplate>(sql.FIND, [
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
    return this.change(businessAccountId, sql.SET_STATUS, values, occurredAt);
  }

  /** Takes a quality from a webhook. @param occurredAt as of a status */
  async setQuality(
    businessAccountId: string,
    id: number,
    quality: string,
    occurredAt: Date | null = null,
  ): Promise<void> {
    const values = [id, quality, this.clock.now(), occurredAt];
    await this.change(businessAccountId, sql.SET_QUALITY, values, occurredAt);
  }

  /**
   * Takes an update of the category from a webhook. With a new category the provider forgets the time to live: its
   * default counts again.
   * @param category null where the update only tells of a change to come
   * @param occurredAt as of a status
   * @returns false when a later update was taken before
   */
  async setCategory(
    businessAccountId: string,
    id: number,
    category: string | null,
    occurredAt: Date | null = null,
  ): Promise<boolean> {
    const values = [id, category, this.clock.now(), occurredAt];
    return this.change(businessAccountId, sql.SET_CATEGORY, values, occurredAt);
  }

  async remove(businessAccountId: string, id: number): Promise<void> {
    await this.change(businessAccountId, sql.REMOVE, [id, this.clock.now()]);
  }

  /** @returns whether the template was changed */
  private async change(
    businessAccountId: string,
    statement: Statement,
    values: unknown[],
    occurredAt: Date | null = null,
  ): Promise<boolean> {
    const isChanged = await this.database.transaction(async (connection: Queryable) => {
      const changes = await connection.run<ChangedTemplate>(statement, values);
      await this.changes.tell(changes, connection, occurredAt);
      return changes.length > 0;
    });
    await this.caches.changed(TEMPLATES_CACHE, businessAccountId);
    return isChanged;
  }

  private nextSync(last: Date): Date {
    return new Date(last.getTime() + this.config.TEMPLATE_SYNC_INTERVAL * MINUTE);
  }

  private async all(businessAccountId: string): Promise<StoredTemplate[]> {
    return this.database.run<StoredTemplate>(sql.ALL, [businessAccountId]);
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
