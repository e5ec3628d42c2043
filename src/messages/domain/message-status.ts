/** The states of a message, in the order of its life; decisions.md says what each means. */
export const MESSAGE_STATUSES = [
  'scheduled',
  'queued',
  'sending',
  'sent',
  'delivered',
  'read',
  'failed',
  'canceled',
] as const;

export type MessageStatus = (typeof MESSAGE_STATUSES)[number];
