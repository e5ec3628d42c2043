import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Messages, their events, their ledger entries and the inbox in partitions by id: the tables that were there become the
 * first partitions, in place. Which follow: src/scheduling/partitions.service.ts.
 *
 * Attaching reads each table once, to see that its ids are below the partition's end; a constraint `TABLE_bound`, added
 * and validated while the service still ran, spares that (docs/operations.md).
 */
export class Partitions1763820000121 implements MigrationInterface {
  name = 'Partitions1763820000121';

  async up(runner: QueryRunner): Promise<void> {
    const messages = await boundOf(runner, 'message_logs', 'message_logs_id_seq');
    const inbox = await boundOf(runner, 'webhook_inbox', 'webhook_inbox_id_seq');
    await runner.query(`
      DROP TRIGGER message_logs_retry ON message_logs;
      DROP TRIGGER ledger_entries_append_only ON ledger_entries;
    `);
    await part(runner, MESSAGE_LOGS, messages);
    await part(runner, MESSAGE_EVENTS, messages);
    await part(runner, LEDGER_ENTRIES, messages);
    await part(runner, WEBHOOK_INBOX, inbox);
    await runner.query(`
      CREATE TRIGGER message_logs_retry AFTER INSERT ON message_logs FOR EACH ROW WHEN (NEW.retry_of IS NOT NULL)
        EXECUTE FUNCTION note_message_retry();
      -- For each row: it is given to the partitions as well.
      CREATE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE ON ledger_entries
        FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER message_logs_retry ON message_logs;
      DROP TRIGGER ledger_entries_append_only ON ledger_entries;
    `);
    for (const table of [MESSAGE_LOGS, MESSAGE_EVENTS, LEDGER_ENTRIES, WEBHOOK_INBOX])
      await unite(runner, table);
    await runner.query(`
      CREATE TRIGGER message_logs_retry AFTER INSERT ON message_logs FOR EACH ROW WHEN (NEW.retry_of IS NOT NULL)
        EXECUTE FUNCTION note_message_retry();
      CREATE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE ON ledger_entries
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();
    `);
  }
}

/** Ids of a partition at least; smaller ones would cost statements more than they spare. */
const SPAN = 10_000_000;

/** Ids that the first partition has room for at least, beyond those that are used. */
const ROOM = 1_000_000;

interface Table {
  name: string;
  key: string;
  /** Wide columns first, so that no byte is lost between them. */
  columns: string;
  indexes: string;
  storage?: string;
}

const MESSAGE_LOGS: Table = {
  name: 'message_logs',
  key: 'id',
  columns: `
    id bigint NOT NULL,
    created_at timestamptz NOT NULL,
    scheduled_at timestamptz,
    sent_at timestamptz,
    delivered_at timestamptz,
    read_at timestamptz,
    failed_at timestamptz,
    canceled_at timestamptz,
    retry_of bigint,
    messaging_account_id integer NOT NULL,
    template_id integer NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    campaign_id integer,
    campaign_row integer,
    retry_count smallint NOT NULL DEFAULT 0,
    auto_retry_on_frequency_cap boolean NOT NULL,
    tenant_id uuid NOT NULL,
    accept_token uuid,
    phone text NOT NULL,
    template_name text NOT NULL,
    language text NOT NULL,
    status text NOT NULL CONSTRAINT message_logs_status_check
      CHECK (status IN ('scheduled', 'queued', 'sent', 'delivered', 'read', 'failed', 'canceled')),
    conversation_category text NOT NULL,
    cost numeric(14,6) NOT NULL,
    currency text NOT NULL,
    timezone text,
    provider_message_id text,
    components jsonb NOT NULL,
    error jsonb,
    CONSTRAINT message_logs_pkey PRIMARY KEY (id)`,
  indexes: `
    CREATE INDEX message_logs_tenant_idx ON message_logs (tenant_id, created_at);
    CREATE INDEX message_logs_phone_idx ON message_logs (phone, created_at);
    CREATE INDEX message_logs_list_undelivered_idx ON message_logs (tenant_id, created_at, id)
      WHERE failed_at IS NOT NULL OR canceled_at IS NOT NULL;
    CREATE INDEX message_logs_list_retries_idx ON message_logs (tenant_id, created_at, id) WHERE retry_count = 1;
    CREATE INDEX message_logs_campaign_idx ON message_logs (campaign_id) WHERE campaign_id IS NOT NULL;`,
  storage: 'WITH (fillfactor = 50)',
};

const MESSAGE_EVENTS: Table = {
  name: 'message_events',
  key: 'message_log_id',
  columns: `
    id bigint NOT NULL,
    message_log_id bigint NOT NULL,
    occurred_at timestamptz NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT now(),
    event text NOT NULL,
    details jsonb,
    CONSTRAINT message_events_pkey PRIMARY KEY (message_log_id, id)`,
  indexes: `
    CREATE INDEX message_events_provider_id_idx ON message_events
      (hashtextextended(coalesce(details ->> 'messageId', details ->> 'provider_message_id'), 0))
      WHERE coalesce(details ->> 'messageId', details ->> 'provider_message_id') IS NOT NULL;`,
};

const LEDGER_ENTRIES: Table = {
  name: 'ledger_entries',
  key: 'message_log_id',
  columns: `
    id bigint NOT NULL,
    message_log_id bigint NOT NULL,
    created_at timestamptz NOT NULL,
    tenant_id uuid NOT NULL,
    ordinal smallint NOT NULL DEFAULT 1,
    kind text NOT NULL CONSTRAINT ledger_entries_kind_check CHECK (kind IN ('charge', 'refund')),
    currency text NOT NULL,
    amount numeric(14,6) NOT NULL CONSTRAINT ledger_entries_amount_check CHECK (amount >= 0),
    CONSTRAINT ledger_entries_once_key PRIMARY KEY (message_log_id, kind, ordinal)`,
  indexes: '',
};

const WEBHOOK_INBOX: Table = {
  name: 'webhook_inbox',
  key: 'id',
  columns: `
    id bigint NOT NULL,
    received_at timestamptz NOT NULL,
    next_try_at timestamptz NOT NULL,
    processed_at timestamptz,
    parked_at timestamptz,
    tries integer NOT NULL DEFAULT 0,
    payload text NOT NULL,
    error text,
    unknown_accounts text[],
    CONSTRAINT webhook_inbox_pkey PRIMARY KEY (id)`,
  indexes: `
    CREATE INDEX webhook_inbox_parked_idx ON webhook_inbox (id) WHERE parked_at IS NOT NULL;
    CREATE INDEX webhook_inbox_unknown_idx ON webhook_inbox (id)
      WHERE parked_at IS NOT NULL AND unknown_accounts IS NOT NULL;
    CREATE INDEX webhook_inbox_pending_idx ON webhook_inbox (next_try_at)
      WHERE processed_at IS NULL AND parked_at IS NULL;`,
};

/** Where the first partition ends: by the constraint that was made for it, else some way beyond the last id. */
async function boundOf(runner: QueryRunner, table: string, sequence: string): Promise<number> {
  const [constraint] = await runner.query(
    `SELECT substring(pg_get_constraintdef(oid) FROM '< ''?(\\d+)') AS bound FROM pg_constraint
     WHERE conrelid = $1::regclass AND conname = $2 AND convalidated`,
    [table, `${table}_bound`],
  );
  const [{ last }] = await runner.query(`SELECT last_value AS last FROM ${sequence}`);
  const usual = Math.ceil((Number(last) + ROOM) / SPAN) * SPAN;
  return Math.max(usual, Number(constraint?.bound ?? 0));
}

/**
 * Makes the table the first partition of a new one of its name, which takes over its names, sequence and indexes. An empty
 * one is made anew, with its columns in their new order.
 */
async function part(
  runner: QueryRunner,
  { name, key, columns, indexes, storage = '' }: Table,
  bound: number,
) {
  const first = `${name}_from_0`;
  const sequence = `${name}_id_seq`;
  const rows = await runner.query(`SELECT 1 FROM ${name} LIMIT 1`);
  const [{ last, called }] = await runner.query(
    `SELECT last_value AS last, is_called AS called FROM ${sequence}`,
  );
  if (rows.length > 0) await stepAside(runner, name, first);
  else await runner.query(`DROP TABLE ${name}`);
  await runner.query(`
    CREATE TABLE ${name} (${columns}) PARTITION BY RANGE (${key});
    ${indexes}
    ALTER TABLE ${name} ALTER id ADD GENERATED BY DEFAULT AS IDENTITY (SEQUENCE NAME ${sequence});
    SELECT setval('${sequence}', ${last}, ${called});
    CREATE TABLE ${name}_from_${bound} PARTITION OF ${name} FOR VALUES FROM (${bound}) TO (MAXVALUE) ${storage};
  `);
  await runner.query(
    rows.length > 0
      ? `ALTER TABLE ${name} ATTACH PARTITION ${first} FOR VALUES FROM (MINVALUE) TO (${bound});
         ALTER TABLE ${first} DROP CONSTRAINT IF EXISTS ${name}_bound`
      : `CREATE TABLE ${first} PARTITION OF ${name} FOR VALUES FROM (MINVALUE) TO (${bound}) ${storage}`,
  );
}

/** Gives its names, and its sequence, free. */
async function stepAside(runner: QueryRunner, name: string, first: string) {
  await runner.query(`ALTER TABLE ${name} RENAME TO ${first}`);
  const own: { index: string }[] = await runner.query(
    'SELECT indexrelid::regclass::text AS index FROM pg_index WHERE indrelid = $1::regclass',
    [first],
  );
  for (const { index } of own)
    await runner.query(`ALTER INDEX ${index} RENAME TO ${index.replace(name, first)}`);
  await runner.query(`ALTER TABLE ${first} ALTER id DROP IDENTITY`);
}

/** Moves the rows of all partitions into the first, which becomes a table by itself again. */
async function unite(runner: QueryRunner, { name }: Table) {
  const [{ first }] = await runner.query(
    `SELECT inhrelid::regclass::text AS first FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid
     WHERE inhparent = $1::regclass ORDER BY (regexp_match(pg_get_expr(c.relpartbound, c.oid), 'TO \\(''?(\\d+)'))[1]::bigint
     LIMIT 1`,
    [name],
  );
  const [{ columns }] = await runner.query(
    `SELECT string_agg(quote_ident(attname), ', ') AS columns FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
    [name],
  );
  const names = await runner.query(
    `SELECT own.indexrelid::regclass::text AS own, i.inhparent::regclass::text AS former
     FROM pg_index own JOIN pg_inherits i ON i.inhrelid = own.indexrelid WHERE own.indrelid = $1::regclass`,
    [first],
  );
  const [{ last, called }] = await runner.query(
    `SELECT last_value AS last, is_called AS called FROM ${name}_id_seq`,
  );
  await runner.query(`
    ALTER TABLE ${name} DETACH PARTITION ${first};
    INSERT INTO ${first} (${columns}) SELECT ${columns} FROM ${name};
    DROP TABLE ${name};
    ALTER TABLE ${first} RENAME TO ${name};
    ALTER TABLE ${name} ALTER id ADD GENERATED BY DEFAULT AS IDENTITY (SEQUENCE NAME ${name}_id_seq);
    SELECT setval('${name}_id_seq', ${last}, ${called});
  `);
  for (const { own, former } of names as { own: string; former: string }[])
    await runner.query(`ALTER INDEX ${own} RENAME TO ${former}`);
}
