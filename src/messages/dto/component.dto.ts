import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import {
  IsIn,
  IsInt,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  ValidateIf,
} from 'class-validator';
import { IsNumeric, NestedObject, NestedObjects } from '../../http/validators.js';
import { BUTTON_INDEX } from '../components/component-shape.js';

const PARAMETER_TYPES = [
  'text',
  'currency',
  'date_time',
  'image',
  'video',
  'document',
  'location',
  'payload',
  'coupon_code',
  'action',
  'limited_time_offer',
] as const;
const COMPONENT_TYPES = ['header', 'body', 'button', 'limited_time_offer', 'carousel'] as const;
const BUTTON_TYPES = ['quick_reply', 'url', 'copy_code', 'flow', 'catalog', 'mpm'] as const;

/** The field of the same name as the parameter's type is required. */
const RequiredFor = (type: (typeof PARAMETER_TYPES)[number]) =>
  ValidateIf((parameter: ParameterDto, value) => parameter.type === type || value !== undefined);

const IsCoordinate = (most: number) =>
  IsNumeric(/^-?\d{1,3}(\.\d+)?$/, `a coordinate of ${most} degrees at most`, most);
const coordinate = (most: number) => ({
  oneOf: [
    { type: 'number', minimum: -most, maximum: most },
    { type: 'string', pattern: String.raw`^-?\d{1,3}(\.\d+)?$` },
  ],
});
const IsIndex = () => IsNumeric(BUTTON_INDEX, 'a position from 0 to 99');

@ApiSchema({
  name: 'Media',
  description: 'Media of a header: either a public `link` or the `id` of an upload.',
})
export class MediaDto {
  /**
   * A public http or https URL that the provider can read.
   * @example 'https://example.com/samples/spring.jpg'
   */
  @IsOptional()
  @IsString()
  @MaxLength(2_000)
  link?: string;

  /**
   * The id of media that was uploaded to the provider before.
   * @example '1013859600285441'
   */
  @IsOptional()
  @IsString()
  @MaxLength(200)
  id?: string;

  /**
   * The file name that the recipient sees; documents only.
   * @example 'receipt.pdf'
   */
  @IsOptional()
  @IsString()
  @MaxLength(240)
  filename?: string;
}

@ApiSchema({
  name: 'Currency',
  description: 'An amount that the network writes as the recipient is used to.',
})
export class CurrencyDto {
  /**
   * What is shown where the amount cannot be localised.
   * @example '$100.99'
   */
  @ApiProperty({ minLength: 1 })
  @IsString()
  @IsNotEmpty()
  @MaxLength(1_024)
  fallback_value: string;

  /**
   * ISO 4217 currency code.
   * @example 'USD'
   */
  @ApiProperty({ pattern: '^[A-Z]{3}$' })
  @IsString()
  @Matches(/^[A-Z]{3}$/, { message: '$property must be an ISO 4217 currency code, as in USD' })
  code: string;

  /**
   * The amount multiplied by 1000.
   * @example 100990
   */
  @ApiProperty({ type: 'integer', format: 'int64' })
  @IsInt()
  amount_1000: number;
}

@ApiSchema({ name: 'DateTime', description: 'A date and time as text.' })
export class DateTimeDto {
  /**
   * The text that is shown.
   * @example 'February 25, 1977'
   */
  @ApiProperty({ minLength: 1 })
  @IsString()
  @IsNotEmpty()
  @MaxLength(1_024)
  fallback_value: string;
}

@ApiSchema({ name: 'Location', description: 'A place, of a location header.' })
export class LocationDto {
  @ApiProperty({ ...coordinate(90), description: 'Degrees north.', example: 25.2 })
  @IsCoordinate(90)
  latitude: number | string;

  @ApiProperty({ ...coordinate(180), description: 'Degrees east.', example: 55.27 })
  @IsCoordinate(180)
  longitude: number | string;

  /**
   * The name of the place.
   * @example 'Demo shop'
   */
  @IsOptional()
  @IsString()
  @MaxLength(1_000)
  name?: string;

  /**
   * Its address.
   * @example '1 Sheikh Zayed Road, Dubai'
   */
  @IsOptional()
  @IsString()
  @MaxLength(1_000)
  address?: string;
}

@ApiSchema({ name: 'LimitedTimeOffer', description: 'When an offer ends.' })
export class LimitedTimeOfferDto {
  /**
   * Unix milliseconds.
   * @example 1798675200000
   */
  @ApiProperty({ type: 'integer', format: 'int64' })
  @IsInt()
  expiration_time_ms: number;
}

@ApiSchema({
  name: 'ComponentParameter',
  description: 'One parameter of a component; the field named like its `type` carries the value.',
})
export class ParameterDto {
  @ApiProperty({
    enum: PARAMETER_TYPES,
    description: 'What the parameter is, and which of the other fields it needs.',
    example: 'text',
  })
  @IsIn(PARAMETER_TYPES)
  type: (typeof PARAMETER_TYPES)[number];

  /**
   * Text for a placeholder, or for the variable at the end of a button's URL; not empty.
   * @example 'Amal'
   */
  @ApiProperty({ minLength: 1 })
  @RequiredFor('text')
  @IsString()
  @MaxLength(32_768)
  text?: string;

  /**
   * The name of the placeholder, of templates with named ones.
   * @example 'customer'
   */
  @ApiProperty()
  @IsOptional()
  @IsString()
  @MaxLength(512)
  parameter_name?: string;

  /** An amount of money for a placeholder. */
  @ApiProperty()
  @RequiredFor('currency')
  @NestedObject(() => CurrencyDto)
  currency?: CurrencyDto;

  /** A date and time for a placeholder. */
  @ApiProperty()
  @RequiredFor('date_time')
  @NestedObject(() => DateTimeDto)
  date_time?: DateTimeDto;

  /** The image of a header. */
  @ApiProperty()
  @IsOptional()
  @NestedObject(() => MediaDto)
  image?: MediaDto;

  /** The video of a header. */
  @ApiProperty()
  @IsOptional()
  @NestedObject(() => MediaDto)
  video?: MediaDto;

  /** The document of a header. */
  @ApiProperty()
  @IsOptional()
  @NestedObject(() => MediaDto)
  document?: MediaDto;

  /** The place of a location header. */
  @ApiProperty()
  @RequiredFor('location')
  @NestedObject(() => LocationDto)
  location?: LocationDto;

  /**
   * What comes back when a quick reply is pressed.
   * @example 'CONFIRM'
   */
  @ApiProperty()
  @RequiredFor('payload')
  @IsString()
  @MaxLength(32_768)
  payload?: string;

  /**
   * The code that a copy-code button copies.
   * @example 'SPRING20'
   */
  @ApiProperty()
  @RequiredFor('coupon_code')
  @IsString()
  @MaxLength(1_000)
  coupon_code?: string;

  /** Of flow and catalog buttons: passed on to the provider as it is. */
  @ApiProperty({ type: 'object', additionalProperties: true, example: { flow_token: 'A-1001' } })
  @RequiredFor('action')
  @IsObject()
  action?: Record<string, unknown>;

  /** When the offer ends. */
  @ApiProperty()
  @RequiredFor('limited_time_offer')
  @NestedObject(() => LimitedTimeOfferDto)
  limited_time_offer?: LimitedTimeOfferDto;
}

@ApiSchema({
  name: 'Component',
  description: "The parameters of one part of the template, in the form of the provider's template messages.",
})
export class ComponentDto {
  @ApiProperty({
    enum: COMPONENT_TYPES,
    description: 'The part of the template.',
    example: 'body',
  })
  @IsIn(COMPONENT_TYPES)
  type: (typeof COMPONENT_TYPES)[number];

  /** One for each placeholder, in their order; of a media header, the one medium. */
  @ApiProperty({ maxItems: 1_024 })
  @IsOptional()
  @NestedObjects(() => ParameterDto, 1_024)
  parameters?: ParameterDto[];

  /** Buttons only, and required there: the button's kind. */
  @ApiProperty({ enum: BUTTON_TYPES, required: false, example: 'url' })
  @ValidateIf((component: ComponentDto, value) => component.type === 'button' || value !== undefined)
  @IsIn(BUTTON_TYPES)
  sub_type?: (typeof BUTTON_TYPES)[number];

  /** Buttons only, and required there: the button's position, from 0. */
  @ApiProperty({
    oneOf: [
      { type: 'integer', minimum: 0, maximum: 99 },
      { type: 'string', pattern: BUTTON_INDEX.source },
    ],
    required: false,
    example: 0,
  })
  @ValidateIf((component: ComponentDto, value) => component.type === 'button' || value !== undefined)
  @IsIndex()
  index?: number | string;

  /** Carousels only, and required there. */
  @ApiProperty({ maxItems: 10 })
  @IsOptional()
  @NestedObjects(() => CardDto, 10)
  cards?: CardDto[];
}

@ApiSchema({ name: 'CarouselCard', description: 'One card of a carousel.' })
export class CardDto {
  /** The card's position, from 0. */
  @ApiProperty({ type: 'integer', example: 0 })
  @IsInt()
  card_index: number;

  /** The header, body and buttons of the card. */
  @ApiProperty({ maxItems: 10 })
  @NestedObjects(() => ComponentDto, 10)
  components: ComponentDto[];
}
