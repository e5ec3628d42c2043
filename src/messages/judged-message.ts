import { type Expectation, keptMaxCost } from './domain/conditions.js';
import type { SendMessageDto } from './dto/send-message.dto.js';
import type { Judgement, Sender } from './judgement.service.js';
import type { NewMessage } from './message-log.store.js';

/** What tells a message from its repetition. */
export type Origin = Pick<NewMessage, 'idempotency_key' | 'body_hash' | 'campaign_id' | 'campaign_row'>;

/** A message that has passed every rule, before it is accepted. */
export type JudgedMessage = Omit<NewMessage, keyof Origin>;

/** Of a message that stands for itself, without a key. */
export const NOBODYS: Origin = {
  idempotency_key: null,
  body_hash: null,
  campaign_id: null,
  campaign_row: null,
};

/** The message as it would be stored. */
export function messageOf(judged: Judgement, body: SendMessageDto, { apiKeyId }: Sender): JudgedMessage {
  const { account, template, components, phone, schedule, validUntil, price } = judged;
  return {
    tenant_id: account.tenantId,
    messaging_account_id: account.id,
    template_id: template.id,
    template_revision: template.revision,
    phone: phone.digits,
    template_name: template.name,
    language: template.language,
    components,
    due_at: schedule.dueAt,
    scheduled_at: schedule.scheduledAt,
    timezone: schedule.timezone,
    auto_retry: body.auto_retry_on_frequency_cap ?? false,
    category: template.category,
    cost: price.cost,
    currency: price.currency,
    template_version: template.version,
    client_reference: body.client_reference,
    metadata: body.metadata,
    valid_until: validUntil,
    max_cost: body.max_cost == null ? null : keptMaxCost(body.max_cost),
    expect: expectationOf(body),
    api_key_id: apiKeyId,
  };
}

/** Null where nothing is expected. */
function expectationOf({ expect }: SendMessageDto): Expectation | null {
  const { category, template_version } = expect ?? {};
  if (!category && !template_version) return null;
  return { ...(category && { category }), ...(template_version && { template_version }) };
}
