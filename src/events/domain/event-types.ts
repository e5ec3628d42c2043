/** Every type of event, as callers ask for it. */
export const EVENT_TYPES = [
  'message.accepted',
  'message.sent',
  'message.delivered',
  'message.read',
  'message.failed',
  'message.canceled',
  'message.retried',
  'message.inbound',
  'recipient.opted_out',
  'recipient.opted_in',
  'campaign.started',
  'campaign.paused',
  'campaign.finished',
  'template.status',
  'template.category',
  'template.quality',
  'template.content',
  'number.quality',
  'number.limit',
  'number.hold',
  'account.hold',
  'account.alert',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];
