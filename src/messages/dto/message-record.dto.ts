import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { DELIVERY_VERDICTS, type DeliveryVerdict } from '../domain/delivery-verdict.js';
import { MESSAGE_STATUSES, type MessageStatus } from '../domain/message-status.js';
import { SuccessResponse } from '../../openapi/dto/success-response.dto.js';
import { ComponentDto } from './component.dto.js';
import { ExpectationDto } from './send-message.dto.js';

const CATEGORIES = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const;
const ID = { type: 'integer', format: 'int64', minimum: 1 } as const;
const TIME = { type: 'string', format: 'date-time' } as const;
const NULLABLE_TIME = { ...TIME, nullable: true } as const;

const MESSAGE_STATUS_MEANINGS = `
| status | meaning |
| --- | --- |
| \`scheduled\` | accepted, due later |
| \`queued\` | accepted and due |
| \`sending\` | claimed; the provider may be receiving it |
| \`sent\` | the provider has taken it |
| \`delivered\`, \`read\` | by the provider's receipts |
| \`failed\` | ended without delivery; \`error\` says why; the charge is refunded |
| \`canceled\` | withdrawn before it was claimed; the charge is refunded |`.trim();

@ApiSchema({ name: 'TemplateReference', description: 'The template that a message was made from.' })
export class TemplateReference {
  /**
   * Stands for the content that the message was made from, as `template.version` in the answer of validate does; null for
   * messages from before versions were noted.
   */
  @ApiProperty({ type: String, nullable: true, example: '90cb4669c449c84b174f865118b608e2' })
  version: string | null;

  /**
   * Template name.
   * @example 'order_update'
   */
  name: string;

  /**
   * Language code.
   * @example 'en_US'
   */
  language: string;
}

@ApiSchema({ name: 'MessageError', description: 'Why a message ended without delivery.' })
export class MessageErrorDto {
  /**
   * The provider's error code; or `EXPIRED`, `COST_ABOVE_MAX` or `EXPECTATION_FAILED`, when the message is not wanted any
   * more under the conditions that it was sent with; or `RECIPIENT_OPTED_OUT`; null for other faults that the service found. More names may come.
   */
  @ApiProperty({ oneOf: [{ type: 'integer' }, { type: 'string' }], nullable: true, example: 131026 })
  code: number | string | null;

  /**
   * What went wrong.
   * @example 'Message undeliverable'
   */
  @ApiProperty()
  title: string;

  /** More about it, if there is more to say. */
  @ApiProperty({ type: String, nullable: true, example: 'Message Undeliverable.' })
  details: string | null;
}

@ApiSchema({ name: 'MessageEvent', description: 'Something that happened to the message.' })
export class MessageEventDto {
  /**
   * `accepted`, `sent`, `delivered`, `read`, `failed`, `canceled`; and `retry`, `held`, `outcome_unknown`, `sent_again`,
   * `late_answer` while it is being sent. More may come.
   * @example 'delivered'
   */
  @ApiProperty()
  event: string;

  /** When it happened; by the provider's clock where the provider says so. */
  @ApiProperty({ ...TIME, example: '2026-11-21T10:00:02.000Z' })
  occurred_at: string;

  /** When the service wrote it down. */
  @ApiProperty({ ...TIME, example: '2026-11-21T10:00:02.353Z' })
  recorded_at: string;

  /** What the provider said of it, in its own words. */
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    example: { source: 'receipt', recipient_id: '12025550100' },
  })
  details: Record<string, unknown> | null;
}

@ApiSchema({
  name: 'MessageSummary',
  description: 'The message log record without its history; times are ISO 8601 UTC.',
})
export class MessageSummary {
  /** Identifier of the message log record. */
  @ApiProperty({ ...ID, example: 1 })
  message_log_id: number;

  /**
   * The account that sends it.
   * @example 'acc_DemoSalesNumber00001'
   */
  @ApiProperty()
  messaging_account_id: string;

  /**
   * The recipient's number, digits only.
   * @example '12025550100'
   */
  @ApiProperty({ pattern: String.raw`^\d+$` })
  phone: string;

  /** Your own id of it; not unique. */
  @ApiProperty({ type: String, nullable: true, example: 'order-A-1001' })
  client_reference: string | null;

  /** Your own data. */
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    nullable: true,
    example: { shop: '7' },
  })
  metadata: Record<string, string> | null;

  /** The template that it was made from. */
  @ApiProperty()
  template: TemplateReference;

  /** What is sent: a copy made at acceptance, which a later edit of the template does not change. */
  @ApiProperty({ type: () => [ComponentDto] })
  components: ComponentDto[];

  /** Where it stands. It only moves forward. */
  @ApiProperty({
    enum: MESSAGE_STATUSES,
    enumName: 'MessageStatus',
    enumSchema: { description: MESSAGE_STATUS_MEANINGS },
    example: 'read',
  })
  status: MessageStatus;

  /** Derived from the template's category at the provider. */
  @ApiProperty({ enum: CATEGORIES, enumName: 'TemplateCategory', example: 'UTILITY' })
  conversation_category: (typeof CATEGORIES)[number];

  /**
   * Charged at acceptance, with at most six decimal places; refunded when the message fails or is canceled.
   * @example 0.004
   */
  @ApiProperty({ format: 'double', minimum: 0 })
  cost: number;

  /**
   * ISO 4217 code of the cost's currency.
   * @example 'USD'
   */
  @ApiProperty()
  currency: string;

  /** When it is to be sent; null for one that was sent at once. */
  @ApiProperty({ ...NULLABLE_TIME, example: null })
  scheduled_at: string | null;

  /** The IANA time zone that came with `scheduled_at`. */
  @ApiProperty({ type: String, nullable: true, example: null })
  timezone: string | null;

  /** By when it has to be handed to the provider, else it fails with `EXPIRED`; null without an end. */
  @ApiProperty({ ...NULLABLE_TIME, example: null })
  valid_until: string | null;

  /** What it may cost when it leaves, else it fails with `COST_ABOVE_MAX`; null for whatever it costs. */
  @ApiProperty({ type: 'number', format: 'double', minimum: 0, nullable: true, example: null })
  max_cost: number | null;

  /** What its template has to be when it leaves, else it fails with `EXPECTATION_FAILED`; null for anything. */
  @ApiProperty({ type: ExpectationDto, nullable: true, example: null })
  expect: ExpectationDto | null;

  /**
   * Whether it is tried once more, 26 hours later, when the recipient's marketing cap is reached.
   * @example false
   */
  @ApiProperty()
  auto_retry_on_frequency_cap: boolean;

  /** 1 on the message that an auto-retry made, else 0. */
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 1, example: 0 })
  retry_count: number;

  /** The `message_log_id` of the message that this auto-retry repeats. */
  @ApiProperty({ ...ID, nullable: true, example: null })
  retry_of: number | null;

  /** Calls to the provider so far. */
  @ApiProperty({ type: 'integer', minimum: 0, example: 1 })
  attempts: number;

  /** The provider's id of the message, once it has one. */
  @ApiProperty({ type: String, nullable: true, example: 'wamid.HBgLMTIwMjU1NTAxMDA' })
  provider_message_id: string | null;

  /** Why it failed; null unless it did. */
  @ApiProperty({ type: () => MessageErrorDto, nullable: true })
  error: MessageErrorDto | null;

  /** When it was accepted. */
  @ApiProperty({ ...TIME, example: '2026-11-21T10:00:00.160Z' })
  created_at: string;

  /** When the provider took it. */
  @ApiProperty({ ...NULLABLE_TIME, example: '2026-11-21T10:00:00.193Z' })
  sent_at: string | null;

  /** When it reached the phone. */
  @ApiProperty({ ...NULLABLE_TIME, example: '2026-11-21T10:00:02.000Z' })
  delivered_at: string | null;

  /** When it was read. */
  @ApiProperty({ ...NULLABLE_TIME, example: '2026-11-21T10:00:05.000Z' })
  read_at: string | null;

  /** When it failed. */
  @ApiProperty({ ...NULLABLE_TIME, example: null })
  failed_at: string | null;

  /** When it was canceled. */
  @ApiProperty({ ...NULLABLE_TIME, example: null })
  canceled_at: string | null;

  /**
   * `presumed_dropped` when it has been `sent` for longer than the provider tries to deliver it: the time to live of its
   * template, by default 10 minutes for authentication and 30 days for the others, and two minutes more. The provider
   * does not tell that it gave up; a later receipt wins, and this is null again.
   */
  @ApiProperty({ enum: DELIVERY_VERDICTS, nullable: true, example: null })
  delivery_verdict: DeliveryVerdict | null;
}

@ApiSchema({ name: 'MessageRecord', description: 'The message log record; times are ISO 8601 UTC.' })
export class MessageRecord extends MessageSummary {
  /** What happened to it, oldest first. */
  events: MessageEventDto[];
}

@ApiSchema({ name: 'MessageResponse' })
export class MessageResponse extends SuccessResponse {
  /** The message log record. */
  data: MessageRecord;
}

@ApiSchema({ name: 'MessageListResponse' })
export class MessageListResponse extends SuccessResponse {
  /** A page of messages, newest first. */
  @ApiProperty({ type: () => [MessageSummary] })
  data: MessageSummary[];

  /** The `cursor` of the next page, also where this one is not full; null on the last one only. */
  @ApiProperty({ type: String, nullable: true, example: null })
  next_cursor: string | null;
}
