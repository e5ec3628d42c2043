import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Database, type Queryable, type Statement } from '../database/database.js';
import {
  ADOPT,
  CANCEL,
  CONTENTS,
  DELETE,
  EDIT,
  FIND,
  FINISH,
  JUDGED,
  LIST,
  PAUSE,
  RESUME,
  RUNNING,
  START,
  STOP,
  STOP_ALL,
  TAKE,
} from './campaign.sql.js';
import type { CampaignStatus, CampaignVerdict, PauseCause } from './domain/campaign-status.js';
import type { CampaignMapping } from './domain/mapping.js';

/** A campaign with some columns of its number. */
export interface CampaignRow {
  id: number;
  tenant_id: string;
  name: string;
  messaging_account_id: string;
  /** Of the number. */
  business_account_id: string;
  account_name: string;
  messages_per_second: number;
  template_name: string;
  language: string;
  status: CampaignStatus;
  cause: PauseCause | null;
  revision: number;
  /** Null while there is no complete file. */
  file_name: string | null;
  columns: string[] | null;
  row_count: number;
  mapping: CampaignMapping;
  auto_retry: boolean;
  verdict: CampaignVerdict | null;
  /** The template of the check, or of the last resumption, and its revision then. */
  template_id: number | null;
  template_revision: number | null;
  accepted_count: number;
  refused_count: number;
  starts_at: Date | null;
  timezone: string | null;
  created_by: string;
  created_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
}

/** Changes of a draft; undefined leaves a field as it is. */
export interface DraftChanges {
  name?: string | undefined;
  messagingAccountId?: number | undefined;
  template?: { name: string; language: string } | undefined;
  mapping?: CampaignMapping | undefined;
  autoRetry?: boolean | undefined;
}

/** A template at one revision. */
export interface TemplateRevision {
  id: number;
  revision: number;
}

/** Everything of a template that decides what its messages say. */
export interface TemplateText {
  category: string;
  parameter_format: string;
  body_json: unknown;
}

/** The arrows of a campaign's life, each one statement that names the statuses it leaves from. */
@Injectable()
export class CampaignStore {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** (none) → draft. @returns its id */
  async create(
    tenantId: string,
    createdBy: string,
    draft: { name: string; messagingAccountId: number; template: { name: string; language: string } },
  ): Promise<number> {
    const { name, messagingAccountId, template } = draft;
    const values = [tenantId, messagingAccountId, name, template.name, template.language];
    const [row] = await this.database.run<{ id: number }>(CREATE, [...values, createdBy, this.clock.now()]);
    return (row as { id: number }).id;
  }

  async find(tenantId: string, id: number): Promise<CampaignRow | null> {
    const [row] = await this.database.run<CampaignRow>(FIND, [tenantId, id]);
    return row ?? null;
  }

  /** Newest first. */
  async list(tenantId: string, limit: number, before: number | null): Promise<CampaignRow[]> {
    return this.database.run<CampaignRow>(LIST, [tenantId, limit, before]);
  }

  /** draft → draft. Removes a verdict that no longer fits. @returns false when it is no draft, or another revision */
  async edit(tenantId: string, id: number, revision: number, changes: DraftChanges): Promise<boolean> {
    const { name, messagingAccountId, template, mapping, autoRetry } = changes;
    return this.moves(EDIT, [
      tenantId,
      id,
      revision,
      name ?? null,
      messagingAccountId ?? null,
      template?.name ?? null,
      template?.language ?? null,
      mapping === undefined ? null : JSON.stringify(mapping),
      autoRetry ?? null,
    ]);
  }

  /** draft → draft, checked. @returns false when it was changed since that revision */
  async judged(
    { tenant_id: tenantId, id, revision }: CampaignRow,
    verdict: CampaignVerdict,
    template: TemplateRevision,
  ): Promise<boolean> {
    const values = [tenantId, id, revision, JSON.stringify(verdict), template.revision, template.id];
    return this.moves(JUDGED, values);
  }

  /** draft → scheduled | running. Rows with a fault are skipped. @returns false when it was changed or started */
  async start(
    tenantId: string,
    id: number,
    revision: number,
    schedule: { startsAt: Date | null; timezone: string | null },
  ): Promise<boolean> {
    const { startsAt, timezone } = schedule;
    return this.moves(START, [tenantId, id, revision, startsAt, timezone, this.clock.now()]);
  }

  /** scheduled | running → paused. Waits for a step of the feeder that is under way. */
  async pause(tenantId: string, id: number): Promise<boolean> {
    return this.moves(PAUSE, [tenantId, id, this.clock.now()]);
  }

  /** paused → running, or scheduled when its time has not come yet; with the template as it is now. */
  async resume(
    tenantId: string,
    id: number,
    { id: templateId, revision, category }: TemplateRevision & { category: string },
  ): Promise<boolean> {
    return this.moves(RESUME, [tenantId, id, this.clock.now(), revision, templateId, category]);
  }

  /** scheduled | running | paused → canceled. After it the feeder accepts no more of its messages. */
  async cancel(tenantId: string, id: number): Promise<boolean> {
    return this.moves(CANCEL, [tenantId, id, this.clock.now()]);
  }

  /** draft → (none) */
  async delete(tenantId: string, id: number): Promise<boolean> {
    return this.moves(DELETE, [tenantId, id]);
  }

  /** scheduled → running, for those whose time has come. @returns the ids of all running campaigns */
  async running(): Promise<number[]> {
    return (await this.database.run<{ id: number }>(RUNNING, [this.clock.now()])).map(({ id }) => id);
  }

  /** Takes a running campaign for one step, until the transaction ends; null when another worker has it. */
  async take(connection: Queryable, id: number): Promise<CampaignRow | null> {
    const [row] = await connection.run<CampaignRow>(TAKE, [id]);
    return row ?? null;
  }

  /** running → paused, by the service, within a step. */
  async stop(connection: Queryable, id: number, cause: PauseCause): Promise<void> {
    await connection.run(STOP, [id, JSON.stringify(cause), this.clock.now()]);
  }

  /** scheduled | running → paused, by the service: all that had begun by that time. @returns their ids */
  async stopAll(begunBy: Date, cause: PauseCause): Promise<number[]> {
    const values = [begunBy, JSON.stringify(cause), this.clock.now()];
    const rows = await this.database.run<{ id: number }>(STOP_ALL, values);
    return rows.map(({ id }) => id);
  }

  /** running → running, within a step, with another template that says the same. */
  async adopt(connection: Queryable, id: number, template: TemplateRevision): Promise<void> {
    await connection.run(ADOPT, [id, template.id, template.revision]);
  }

  /** The texts of the templates, in this order. One that has another revision by now is left out. */
  async contents(templates: TemplateRevision[]): Promise<TemplateText[]> {
    const values = [templates.map(({ id }) => id), templates.map(({ revision }) => revision)];
    return this.database.run<TemplateText>(CONTENTS, values);
  }

  /** running → finished, within a step, once the provider has answered for all of its messages. */
  async finish(connection: Queryable, id: number): Promise<void> {
    await connection.run(FINISH, [id, this.clock.now()]);
  }

  private async moves(statement: Statement, values: unknown[]): Promise<boolean> {
    return (await this.database.run(statement, values)).length > 0;
  }
}

const CREATE: Statement = {
  name: 'campaign_create',
  text: `
    INSERT INTO campaigns (tenant_id, messaging_account_id, name, template_name, language, created_by, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id`,
};
