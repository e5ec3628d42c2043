import type { Statement } from '../database/database.js';

/** A table in partitions by the ids of `key`. */
export interface PartedTable {
  name: string;
  key: string;
  /** What a partition is made with; no partition inherits it. */
  storage: string;
}

/** A table whose ids come from one sequence, so that its partitions by id are partitions by time. */
export interface PartedByTime extends PartedTable {
  sequence: string;
  /** The column with the time at which a row was made. */
  madeAt: string;
  /** SQL of what has outlived its time ($1) in it. */
  isOld: string;
  /** Ids of a partition at least: smaller ones would cost statements more than they spare. */
  leastSpan: number;
  /** Done before a partition is dropped; $1 is its end. */
  beforeDrop?: Statement;
  /** Tables with the same ids that get the same partitions. */
  companions: (PartedTable & { isKept: boolean })[];
  /** A table, which is not parted, whose rows go with those that they name. */
  guard?: { name: string; key: string };
}

/** What was scheduled far ahead is as old as its last change. The ledger is kept for ever. */
export const MESSAGES: PartedByTime = {
  name: 'message_logs',
  key: 'id',
  storage: 'WITH (fillfactor = 50)',
  sequence: 'message_logs_id_seq',
  madeAt: 'created_at',
  leastSpan: 10_000_000,
  isOld: `status IN ('sent', 'delivered', 'read', 'failed', 'canceled')
        AND greatest(created_at, sent_at, delivered_at, read_at, failed_at, canceled_at) < $1::timestamptz`,
  companions: [
    { name: 'message_events', key: 'message_log_id', storage: '', isKept: false },
    { name: 'ledger_entries', key: 'message_log_id', storage: '', isKept: true },
  ],
  guard: { name: 'message_retries', key: 'retry_of' },
};

export const INBOX: PartedByTime = {
  name: 'webhook_inbox',
  key: 'id',
  storage: '',
  sequence: 'webhook_inbox_id_seq',
  madeAt: 'received_at',
  leastSpan: 10_000_000,
  isOld: 'processed_at < $1::timestamptz AND parked_at IS NULL',
  companions: [],
};

/** What was the last entry in it: readers with an earlier position are told that they have missed something. */
export const NOTE_DROPPED: Statement = {
  name: 'events_note_dropped',
  text: `
    UPDATE installation SET events_deleted_to = greatest(events_deleted_to,
      (SELECT id FROM event_stream WHERE id < $1 ORDER BY id DESC LIMIT 1))`,
};

/** Each entry may be of many messages. */
export const EVENTS: PartedByTime = {
  name: 'event_stream',
  key: 'id',
  storage: '',
  sequence: 'event_stream_id_seq',
  madeAt: 'recorded_at',
  isOld: 'recorded_at < $1::timestamptz',
  leastSpan: 1_000_000,
  beforeDrop: NOTE_DROPPED,
  companions: [],
};
