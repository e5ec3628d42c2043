import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Database, type Queryable, type Statement } from '../database/database.js';
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
    return this.moves(PAUSE, [tenantId, id]);
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
    await connection.run(STOP, [id, JSON.stringify(cause)]);
  }

  /** scheduled | running → paused, by the service: all that had begun by that time. @returns their ids */
  async stopAll(begunBy: Date, cause: PauseCause): Promise<number[]> {
    const rows = await this.database.run<{ id: number }>(STOP_ALL, [begunBy, JSON.stringify(cause)]);
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

const COLUMNS = `c.id, c.tenant_id, c.name, n.api_id AS messaging_account_id, n.business_account_id,
  n.name AS account_name, n.messages_per_second, c.template_name, c.language, c.status, c.cause, c.revision,
  c.file_name, c.columns, c.row_count, c.mapping, c.auto_retry, c.verdict, c.template_id, c.template_revision,
  c.accepted_count, c.refused_count, c.starts_at, c.timezone, c.created_by, c.created_at, c.started_at, c.ended_at`;
const FROM = 'campaigns c JOIN messaging_accounts n ON n.id = c.messaging_account_id';
const OWN = 'tenant_id = $1 AND id = $2';

const CREATE: Statement = {
  name: 'campaign_create',
  text: `
    INSERT INTO campaigns (tenant_id, messaging_account_id, name, template_name, language, created_by, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id`,
};

const FIND: Statement = {
  name: 'campaign_find',
  text: `SELECT ${COLUMNS} FROM ${FROM} WHERE c.tenant_id = $1 AND c.id = $2`,
};

const LIST: Statement = {
  name: 'campaign_list',
  text: `
    SELECT ${COLUMNS} FROM ${FROM} WHERE c.tenant_id = $1 AND ($3::integer IS NULL OR c.id < $3)
    ORDER BY c.id DESC LIMIT $2`,
};

const EDIT: Statement = {
  name: 'campaign_edit',
  text: `
    UPDATE campaigns SET revision = revision + 1, name = coalesce($4, name),
      messaging_account_id = coalesce($5, messaging_account_id), template_name = coalesce($6, template_name),
      language = coalesce($7, language), mapping = coalesce($8, mapping), auto_retry = coalesce($9, auto_retry),
      verdict = CASE WHEN coalesce($5::text, $6, $7, $8::text) IS NULL THEN verdict END
    WHERE ${OWN} AND revision = $3 AND status = 'draft' RETURNING id`,
};

const JUDGED: Statement = {
  name: 'campaign_judged',
  text: `
    UPDATE campaigns SET verdict = $4, template_revision = $5, template_id = $6, revision = revision + 1
    WHERE ${OWN} AND revision = $3 AND status = 'draft' AND file_name IS NOT NULL RETURNING id`,
};

export const START: Statement = {
  name: 'campaign_start',
  text: `
    WITH started AS (
      UPDATE campaigns SET revision = revision + 1, starts_at = $4, timezone = $5,
        status = CASE WHEN $4 > $6::timestamptz THEN 'scheduled' ELSE 'running' END,
        started_at = CASE WHEN $4 > $6::timestamptz THEN NULL ELSE $6::timestamptz END
      WHERE ${OWN} AND revision = $3 AND status = 'draft' AND verdict IS NOT NULL RETURNING id
    ), skipped AS (
      UPDATE campaign_recipients r SET state = 'skipped' FROM started
      WHERE r.campaign_id = started.id AND r.fault IS NOT NULL
    )
    SELECT id FROM started`,
};

const PAUSE: Statement = {
  name: 'campaign_pause',
  text: `
    UPDATE campaigns SET status = 'paused', cause = NULL
    WHERE ${OWN} AND status IN ('scheduled', 'running') RETURNING id`,
};

const RESUME: Statement = {
  name: 'campaign_resume',
  text: `
    UPDATE campaigns SET cause = NULL, template_revision = $4, template_id = $5,
      verdict = verdict || jsonb_build_object('category', $6::text),
      status = CASE WHEN starts_at > $3 THEN 'scheduled' ELSE 'running' END,
      started_at = CASE WHEN starts_at > $3 THEN NULL ELSE coalesce(started_at, $3) END
    WHERE ${OWN} AND status = 'paused' RETURNING id`,
};

const CANCEL: Statement = {
  name: 'campaign_cancel',
  text: `
    UPDATE campaigns SET status = 'canceled', cause = NULL, ended_at = $3
    WHERE ${OWN} AND status IN ('scheduled', 'running', 'paused') RETURNING id`,
};

const DELETE: Statement = {
  name: 'campaign_delete',
  text: `DELETE FROM campaigns WHERE ${OWN} AND status = 'draft' RETURNING id`,
};

const RUNNING: Statement = {
  name: 'campaign_running',
  text: `
    WITH started AS (
      UPDATE campaigns SET status = 'running', started_at = $1 WHERE status = 'scheduled' AND starts_at <= $1 RETURNING id
    )
    SELECT id FROM campaigns WHERE status = 'running' UNION SELECT id FROM started ORDER BY id`,
};

const TAKE: Statement = {
  name: 'campaign_take',
  text: `SELECT ${COLUMNS} FROM ${FROM} WHERE c.id = $1 AND c.status = 'running' FOR UPDATE OF c SKIP LOCKED`,
};

const STOP: Statement = {
  name: 'campaign_stop',
  text: `UPDATE campaigns SET status = 'paused', cause = $2 WHERE id = $1 AND status = 'running'`,
};

const STOP_ALL: Statement = {
  name: 'campaign_stop_all',
  text: `
    UPDATE campaigns SET status = 'paused', cause = $2
    WHERE status = 'running' OR (status = 'scheduled' AND starts_at <= $1) RETURNING id`,
};

const ADOPT: Statement = {
  name: 'campaign_adopt',
  text: `UPDATE campaigns SET template_id = $2, template_revision = $3 WHERE id = $1 AND status = 'running'`,
};

const CONTENTS: Statement = {
  name: 'campaign_template_contents',
  text: `
    SELECT t.category, t.parameter_format, t.body_json
    FROM unnest($1::integer[], $2::integer[]) WITH ORDINALITY AS wanted (id, revision, place)
    JOIN templates t USING (id, revision) ORDER BY place`,
};

/**
 * Messages on their way are found by the index of messages to resolve, which holds nothing else, rather than by the
 * campaign, which may have 100,000 messages.
 */
export const FINISH: Statement = {
  name: 'campaign_finish',
  text: `
    WITH under_way AS MATERIALIZED (
      SELECT campaign_id FROM outbox WHERE resolve_at IS NOT NULL AND campaign_row IS NOT NULL
    )
    UPDATE campaigns SET status = 'finished', ended_at = $2 WHERE id = $1 AND status = 'running'
      AND NOT EXISTS (SELECT FROM under_way WHERE campaign_id = $1)`,
};
