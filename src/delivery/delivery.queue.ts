/** Queue and job names are kept in Redis: never renamed. The hash tag keeps each queue on one node of a cluster. */
export const DELIVERY_QUEUE = '{tms-delivery}';

/**
 * A permit to claim and send up to `permits` due messages of one number. It names no rows: the processor claims
 * them itself, so a permit that is lost, repeated or late can neither lose nor repeat a message.
 */
export interface DeliveryJob {
  version: 1;
  messagingAccountId: number;
  permits: number;
  /** The number is on hold, and this one message tries whether the cause is gone. */
  probe?: boolean;
}

/** False for what is no permit: a Redis that was killed and came back empty hands out jobs without their data. */
export function isDeliveryJob(data: Partial<DeliveryJob>): data is DeliveryJob {
  return data.version === 1 && Number.isInteger(data.messagingAccountId) && Number.isInteger(data.permits);
}

/** Messages of one permit at most. */
export const MAX_PERMITS = 50;
