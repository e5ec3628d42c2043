import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Database, type Queryable, type Statement } from '../database/database.js';
import { DIGITS_THAT_FIT } from '../messages/receipts/receipts.sql.js';
import { shownStatus } from '../messages/lists/message-row.js';
import type { RowFault, RowState } from './domain/campaign-status.js';
import type { FileRow } from './recipients-file.js';

/** A row that waits for its turn. */
export interface PendingRow {
  row_number: number;
  cells: string[];
  /** Whether its message exists already: then only the note on the row was lost. */
  accepted: boolean;
}

/** The result of checking a row. */
export interface JudgedRow {
  row_number: number;
  phone: string | null;
  fault: RowFault | null;
}

/** What has become of a row in a step of the feeder. */
export interface RowOutcome {
  row_number: number;
  state: 'accepted' | 'refused';
  fault: RowFault | null;
}

/** A row as people see it. */
export interface RecipientView {
  row_number: number;
  cells: string[];
  phone: string | null;
  fault: RowFault | null;
  state: RowState;
  message_log_id: number | null;
  message_status: string | null;
}

/** The rows of campaigns' files. */
@Injectable()
export class RecipientsStore {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Takes a draft's rows away, for those of a new file. @returns the upload's token; null when it is no draft */
  async beginUpload(tenantId: string, campaignId: number): Promise<string | null> {
    const token = randomUUID();
    const begun = await this.database.run(BEGIN_UPLOAD, [tenantId, campaignId, token]);
    if (begun.length === 0) return null;
    await this.database.run(CLEAR, [campaignId]);
    return token;
  }

  /** @returns false when another upload has begun meanwhile */
  async append(campaignId: number, token: string, rows: FileRow[]): Promise<boolean> {
    const values = [campaignId, token, JSON.stringify(rows)];
    return (await this.database.run(APPEND, values)).length === rows.length;
  }

  /** Makes the uploaded file the draft's. @returns false when another upload has begun meanwhile */
  async endUpload(
    campaignId: number,
    token: string,
    file: { name: string; columns: string[]; rows: number },
  ): Promise<boolean> {
    const values = [campaignId, token, file.name, JSON.stringify(file.columns), file.rows];
    return (await this.database.run(END_UPLOAD, values)).length > 0;
  }

  /** A page of rows, in the order of the file. */
  async page(
    campaignId: number,
    limit: number,
    after: number,
    filter: { faulty?: boolean | undefined; state?: RowState | undefined } = {},
    connection: Queryable = this.database,
  ): Promise<RecipientView[]> {
    const { faulty = false, state = null } = filter;
    const values = [campaignId, after, limit, state, this.clock.now()];
    return connection.run<RecipientView>(faulty ? PAGE_OF_FAULTS : PAGE, values);
  }

  async judge(campaignId: number, rows: JudgedRow[]): Promise<void> {
    await this.database.run(JUDGE, [campaignId, JSON.stringify(rows)]);
  }

  /** The next rows whose turn it is. */
  async pending(connection: Queryable, campaignId: number, limit: number): Promise<PendingRow[]> {
    return connection.run<PendingRow>(PENDING, [campaignId, limit]);
  }

  /** How many messages of the campaign are accepted and wait to be sent, counted up to the limit. */
  async waiting(connection: Queryable, campaignId: number, limit: number): Promise<number> {
    const [row] = await connection.run<{ count: number }>(WAITING, [campaignId, limit]);
    return row?.count ?? 0;
  }

  async note(connection: Queryable, campaignId: number, outcomes: RowOutcome[]): Promise<void> {
    if (outcomes.length > 0) await connection.run(NOTE, [campaignId, JSON.stringify(outcomes)]);
  }

  /** The rows that have no message yet and are for one of these recipients, by the last digits of their phones. */
  async pendingTo(campaignId: number, lastDigits: string[]): Promise<number[]> {
    const rows = await this.database.run<{ row_number: number }>(PENDING_TO, [campaignId, lastDigits]);
    return rows.map(({ row_number }) => row_number);
  }

  /** Refuses rows of a campaign that is not being fed. */
  async refuse(campaignId: number, rows: number[], fault: RowFault): Promise<void> {
    const outcomes = rows.map((row_number): RowOutcome => ({ row_number, state: 'refused', fault }));
    await this.note(this.database, campaignId, outcomes);
  }

  /** Notes accepted messages on their rows where that note was lost, in a campaign that is not being fed. */
  async noteAccepted(campaignId: number): Promise<void> {
    await this.database.run(NOTE_ACCEPTED, [campaignId]);
  }
}

const BEGIN_UPLOAD: Statement = {
  name: 'campaign_begin_upload',
  text: `
    UPDATE campaigns SET upload_token = $3, file_name = NULL, row_count = 0, verdict = NULL, revision = revision + 1
    WHERE tenant_id = $1 AND id = $2 AND status = 'draft' RETURNING id`,
};

export const CLEAR: Statement = {
  name: 'campaign_clear',
  timeout: 60_000, // a file may have had very many rows
  text: 'DELETE FROM campaign_recipients WHERE campaign_id = $1',
};

/** The lock makes a new upload wait for this statement, so that it clears these rows too. */
export const APPEND: Statement = {
  name: 'campaign_append',
  text: `
    WITH current AS MATERIALIZED (SELECT id FROM campaigns WHERE id = $1 AND upload_token = $2 FOR SHARE)
    INSERT INTO campaign_recipients (campaign_id, row_number, cells)
    SELECT current.id, r.row, r.cells FROM current, json_to_recordset($3) AS r("row" integer, cells jsonb)
    RETURNING 1`,
};

/** The mapping stays when the new file has the same columns, as a corrected one does. */
const END_UPLOAD: Statement = {
  name: 'campaign_end_upload',
  text: `
    UPDATE campaigns SET file_name = $3, row_count = $5, upload_token = NULL, revision = revision + 1,
      mapping = CASE WHEN columns = $4::jsonb THEN mapping ELSE '{}' END, columns = $4::jsonb
    WHERE id = $1 AND upload_token = $2 AND status = 'draft' RETURNING id`,
};

/**
 * The message of a row, looked up row by row: for a plain join the planner reads the messages of the whole campaign,
 * again for each page.
 */
const MESSAGE = `
  LEFT JOIN LATERAL (
    SELECT m.id, ${shownStatus('$5')} AS status
    FROM campaign_messages c JOIN message_logs m ON m.id = c.message_log_id
    WHERE c.campaign_id = r.campaign_id AND c.campaign_row = r.row_number LIMIT 1
  ) m ON true`;

const VIEW = `
  SELECT r.row_number, r.cells, r.phone, r.fault, r.state, m.id AS message_log_id, m.status AS message_status
  FROM campaign_recipients r ${MESSAGE}
  WHERE r.campaign_id = $1 AND r.row_number > $2 AND ($4::text IS NULL OR r.state = $4)`;

export const PAGE: Statement = {
  name: 'campaign_rows',
  text: `${VIEW} ORDER BY r.row_number LIMIT $3`,
};

export const PAGE_OF_FAULTS: Statement = {
  name: 'campaign_faulty_rows',
  text: `${VIEW} AND r.fault IS NOT NULL ORDER BY r.row_number LIMIT $3`,
};

/*
 * The rows to change are given as an array as well, for which the planner always uses the key. With a join alone it
 * sometimes read the whole campaign for each batch.
 */

export const JUDGE: Statement = {
  name: 'campaign_judge_rows',
  text: `
    WITH judged AS MATERIALIZED (
      SELECT * FROM json_to_recordset($2) AS j(row_number integer, phone text, fault jsonb)
    )
    UPDATE campaign_recipients r SET phone = j.phone, fault = j.fault FROM judged j
    WHERE r.campaign_id = $1 AND r.row_number = ANY(ARRAY(SELECT row_number FROM judged))
      AND r.row_number = j.row_number
      AND (r.phone IS DISTINCT FROM j.phone OR r.fault IS DISTINCT FROM j.fault)`,
};

export const PENDING: Statement = {
  name: 'campaign_pending',
  text: `
    SELECT r.row_number, r.cells, coalesce((
      SELECT true FROM campaign_messages c
      WHERE c.campaign_id = r.campaign_id AND c.campaign_row = r.row_number LIMIT 1), false) AS accepted
    FROM campaign_recipients r
    WHERE r.campaign_id = $1 AND r.state = 'pending' ORDER BY r.row_number LIMIT $2`,
};

export const PENDING_TO: Statement = {
  name: 'campaign_pending_to',
  timeout: 60_000, // looks at all rows of a campaign
  text: `
    SELECT r.row_number FROM campaign_recipients r
    WHERE r.campaign_id = $1 AND r.state = 'pending' AND right(r.phone, ${DIGITS_THAT_FIT}) = ANY($2::text[])
    ORDER BY r.row_number`,
};

/** Not the auto-retries, which wait for a day. */
export const WAITING: Statement = {
  name: 'campaign_waiting',
  text: `
    SELECT count(*) AS count FROM (
      SELECT FROM outbox
      WHERE campaign_id = $1 AND resolve_at IS NULL AND campaign_row IS NOT NULL LIMIT $2) rows`,
};

export const NOTE: Statement = {
  name: 'campaign_note',
  text: `
    WITH outcome AS MATERIALIZED (
      SELECT * FROM json_to_recordset($2) AS o(row_number integer, state text, fault jsonb)
    ), noted AS (
      UPDATE campaign_recipients r SET state = o.state, fault = o.fault FROM outcome o
      WHERE r.campaign_id = $1 AND r.row_number = ANY(ARRAY(SELECT row_number FROM outcome))
        AND r.row_number = o.row_number AND r.state = 'pending'
      RETURNING r.state
    )
    UPDATE campaigns SET accepted_count = accepted_count + (SELECT count(*) FROM noted WHERE state = 'accepted'),
      refused_count = refused_count + (SELECT count(*) FROM noted WHERE state = 'refused')
    WHERE id = $1`,
};

export const NOTE_ACCEPTED: Statement = {
  name: 'campaign_note_accepted',
  timeout: 60_000, // for all rows of a campaign
  text: `
    WITH noted AS (
      UPDATE campaign_recipients r SET state = 'accepted' FROM campaign_messages c
      WHERE r.campaign_id = $1 AND r.state = 'pending'
        AND c.campaign_id = $1 AND c.campaign_row = r.row_number
      RETURNING 1
    )
    UPDATE campaigns SET accepted_count = accepted_count + (SELECT count(*) FROM noted)
    WHERE id = $1 AND EXISTS (SELECT FROM noted)`,
};
