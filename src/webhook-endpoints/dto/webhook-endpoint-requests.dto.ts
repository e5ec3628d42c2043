import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateIf,
} from 'class-validator';
import { EVENT_TYPES, type EventType } from '../../events/domain/event-types.js';
import { MayBeMissing } from '../../http/validators.js';
import { LONGEST_URL } from '../domain/endpoint-address.js';
import { KEPT_ATTEMPTS } from '../endpoint-push.sql.js';

const TYPES = {
  enum: EVENT_TYPES,
  enumName: 'EventType',
  isArray: true,
  nullable: true,
  required: false,
} as const;
const DESCRIPTION = /^[^\p{Cc}]{1,200}$/u;
const IsDescription = () =>
  Matches(DESCRIPTION, { message: '$property must be text of 1 to 200 characters' });

/** May be missing, or null for "none". */
const MayBeNull = () => ValidateIf((_object, value) => value !== undefined && value !== null);

@ApiSchema({ name: 'CreateWebhookEndpointRequest', description: 'Where to post events, and which.' })
export class CreateEndpointRequest {
  /**
   * Where the events are posted to: an https URL with a public address. In the sandbox, http on the service's own
   * machine is possible too.
   * @example 'https://example.com/webhooks'
   */
  @ApiProperty({ minLength: 1 })
  @IsString()
  @IsNotEmpty()
  @MaxLength(LONGEST_URL)
  url: string;

  /** Only events of these types; all, if it is missing or null. */
  @ApiProperty({ ...TYPES, example: ['message.delivered', 'message.failed'] })
  @MayBeNull()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(EVENT_TYPES.length)
  @ArrayUnique()
  @IsIn(EVENT_TYPES, { each: true })
  types?: EventType[] | null;

  /** A note for people. */
  @ApiProperty({ type: String, nullable: true, required: false, example: 'Order system' })
  @MayBeNull()
  @IsDescription()
  description?: string | null;
}

@ApiSchema({ name: 'ChangeWebhookEndpointRequest', description: 'What to change of an endpoint.' })
export class ChangeEndpointRequest {
  /**
   * As when it is made.
   * @example 'https://example.com/webhooks'
   */
  @ApiProperty({ minLength: 1, required: false })
  @MayBeMissing()
  @IsString()
  @IsNotEmpty()
  @MaxLength(LONGEST_URL)
  url?: string;

  /** As when it is made; null: all types. */
  @ApiProperty(TYPES)
  @MayBeNull()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(EVENT_TYPES.length)
  @ArrayUnique()
  @IsIn(EVENT_TYPES, { each: true })
  types?: EventType[] | null;

  /** As when it is made; null: none. */
  @ApiProperty({ type: String, nullable: true, required: false })
  @MayBeNull()
  @IsDescription()
  description?: string | null;

  /** False stops the requests; true goes on at once from where they ended, also before the next try of one that fails. */
  @ApiProperty({ required: false })
  @MayBeMissing()
  @IsBoolean()
  enabled?: boolean;
}

@ApiSchema({ name: 'ReplayRequest', description: 'From where on to post events again.' })
export class ReplayRequest {
  /** The `cursor` of an event, or a `next_cursor`: what came after it is posted again. */
  @ApiProperty({ minLength: 1, example: 'MTIzLjE' })
  @IsString()
  @IsNotEmpty()
  @MaxLength(100)
  after: string;
}

export class ListAttemptsQuery {
  /** Requests in the answer; the last 500 are kept. */
  @ApiProperty({ type: 'integer', required: false })
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(KEPT_ATTEMPTS)
  limit: number = 50;
}
