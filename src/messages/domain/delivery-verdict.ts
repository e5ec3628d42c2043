import { secondsToLive } from '../../templates/domain/time-to-live.js';
import type { MessageStatus } from './message-status.js';

export const DELIVERY_VERDICTS = ['presumed_dropped'] as const;
export type DeliveryVerdict = (typeof DELIVERY_VERDICTS)[number];

/** Milliseconds that a receipt of the last moment may take to be here. */
const MARGIN = 2 * 60_000;

/** What of a message its verdict depends on. */
export interface JudgedMessage {
  status: MessageStatus;
  conversation_category: string;
  sent_at: Date | null;
  /** Of its template; null for the provider's default. */
  time_to_live: number | null;
}

/**
 * The provider says nothing when it gives up a message: one that has been `sent` for longer than its template's time to
 * live is taken for dropped, until a receipt says otherwise.
 */
export function deliveryVerdict(message: JudgedMessage, now: Date): DeliveryVerdict | null {
  const { status, conversation_category: category, sent_at: sentAt, time_to_live: stored } = message;
  if (status !== 'sent' || sentAt === null) return null;
  const end = sentAt.getTime() + secondsToLive(category, stored) * 1000 + MARGIN;
  return now.getTime() > end ? 'presumed_dropped' : null;
}
