/** See delivery.queue.ts for the rules of names. */
export const RETRY_QUEUE = '{tms-retry}';

/** Wakes the dispatcher when a retry of a number becomes due; PostgreSQL says what is. */
export interface RetryJob {
  version: 1;
  messagingAccountId: number;
}

/** False for what is none; see delivery.queue.ts. */
export function isRetryJob(data: Partial<RetryJob>): data is RetryJob {
  return data.version === 1 && Number.isInteger(data.messagingAccountId);
}
