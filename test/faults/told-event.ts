import type { ReceivedEvent } from '../support/event-receiver.js';

/** An event of the stream, as far as it is compared. */
export interface ToldEvent {
  id: string;
  type: string;
  /** The message that it is of; null where it is of something else. */
  message: number | null;
  /** Of `message.retried`: the message that repeats it. */
  retry: number | null;
}

/** What an answer or a request of the service tells. */
export const toldBy = ({ id, type, data }: ReceivedEvent): ToldEvent => ({
  id,
  type,
  message: data['message_log_id'] ?? null,
  retry: data['retry_message_log_id'] ?? null,
});
