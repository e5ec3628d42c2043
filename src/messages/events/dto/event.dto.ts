import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsNotEmpty, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import { EVENT_TYPES, type EventType } from '../../../events/domain/event-types.js';
import { SuccessResponse } from '../../../openapi/dto/success-response.dto.js';

const TIME = { type: 'string', format: 'date-time' } as const;

const TYPE_MEANINGS = `
| type | what has happened |
| --- | --- |
| \`message.accepted\` | a send was accepted, or an auto-retry made |
| \`message.sent\` | the provider has taken the message |
| \`message.delivered\`, \`message.read\` | by the provider's receipts |
| \`message.failed\` | it ended without delivery; \`error\` says why |
| \`message.canceled\` | it was withdrawn |
| \`message.retried\` | the message that failed is sent again as \`retry_message_log_id\` |
| \`message.inbound\` | a recipient has written, or tapped a button |
| \`recipient.opted_out\`, \`recipient.opted_in\` | an opt-out was set or changed, or lifted |
| \`campaign.started\`, \`campaign.paused\`, \`campaign.finished\` | a campaign sends from now on, sends nothing for a while, or is over |
| \`template.status\`, \`template.category\`, \`template.quality\` | what the provider says of a template is another than \`previous\` |
| \`template.content\` | a template has another text, with its \`version\` |
| \`number.quality\`, \`number.limit\` | what the provider says of a number is another than \`previous\` |
| \`number.hold\`, \`account.hold\` | messages of a number or business account wait (\`held\`), or no longer do |
| \`account.alert\` | an alert was raised, or has come again |`.trim();

@ApiSchema({ name: 'Event', description: 'Something that has happened to what the tenant owns.' })
export class EventDto {
  /**
   * The same each time this event is read.
   * @example 'evt_4711_1'
   */
  @ApiProperty()
  id: string;

  /** What has happened. More types may come. */
  @ApiProperty({ enum: EVENT_TYPES, enumName: 'EventType', enumSchema: { description: TYPE_MEANINGS } })
  type: EventType;

  /** When it happened; by the provider's clock where the provider says so. */
  @ApiProperty({ ...TIME, example: '2026-11-21T10:00:02.000Z' })
  occurred_at: string;

  /** When the service wrote it down. */
  @ApiProperty({ ...TIME, example: '2026-11-21T10:00:02.353Z' })
  recorded_at: string;

  /**
   * Read on after this event by it.
   * @example 'NDcxMS4x'
   */
  @ApiProperty()
  cursor: string;

  /** What it tells; the fields are those of the examples of its type. More may come. */
  @ApiProperty({ type: 'object', additionalProperties: true, example: { message_log_id: 1, status: 'read' } })
  data: Record<string, unknown>;
}

@ApiSchema({ name: 'EventListResponse' })
export class EventListResponse extends SuccessResponse {
  /** Events, oldest first. */
  @ApiProperty({ type: () => [EventDto] })
  data: EventDto[];

  /** Where to read on, also where there is no event. */
  @ApiProperty({ example: 'NDcxMS4x' })
  next_cursor: string;
}

/** Types that are separated by commas. */
const ONE_TYPE = `(${EVENT_TYPES.join('|').replaceAll('.', '\\.')})`;
const TYPE_LIST = new RegExp(`^${ONE_TYPE}(,${ONE_TYPE})*$`);

export class ListEventsQuery {
  /** The `next_cursor` of an earlier answer, or the `cursor` of an event. Without it, the oldest events that are kept. */
  @ApiProperty({ required: false, minLength: 1, maxLength: 64, examples: ['NDcxMS4x'] })
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(64)
  after?: string;

  /** Only events of these types, separated by commas. */
  @ApiProperty({ required: false, maxLength: 1_000, examples: ['message.delivered,message.failed'] })
  @IsOptional()
  @IsString()
  @MaxLength(1_000)
  @Matches(TYPE_LIST, { message: 'types must be types of events, separated by commas' })
  types?: string;

  /** Events in an answer at most. */
  @ApiProperty({ type: 'integer', required: false })
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(1_000)
  limit: number = 100;

  /** Seconds to wait for the first event, if there is none. */
  @ApiProperty({ type: 'integer', required: false })
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(20)
  wait: number = 0;
}
