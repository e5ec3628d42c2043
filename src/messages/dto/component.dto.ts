import { ApiProperty } from '@nestjs/swagger';
import {
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  MaxLength,
  ValidateIf,
} from 'class-validator';
import { IsNumeric, NestedObject, NestedObjects } from '../../common/validators.js';

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
const BUTTON_TYPES = ['quick_reply', 'url', 'copy_code', 'flow', 'catalog'] as const;

/** The field of the same name as the parameter's type is required. */
const RequiredFor = (type: (typeof PARAMETER_TYPES)[number]) =>
  ValidateIf((parameter: ParameterDto, value) => parameter.type === type || value !== undefined);

const IsCoordinate = () => IsNumeric(/^-?\d{1,3}(\.\d+)?$/, 'a coordinate in degrees');
const IsIndex = () => IsNumeric(/^\d{1,3}$/, 'a position from 0');

/** A media reference; which of them is usable is decided by the template's rules. */
export class MediaDto {
  /**
   * A public URL.
   * @example 'https://example.com/receipt.pdf'
   */
  @IsOptional()
  @IsString()
  @MaxLength(2_000)
  link?: string;

  /** The id of media uploaded to the provider before. */
  @IsOptional()
  @IsString()
  @MaxLength(200)
  id?: string;

  /** The name that the recipient sees; documents only. */
  @IsOptional()
  @IsString()
  @MaxLength(240)
  filename?: string;
}

export class CurrencyDto {
  /** @example '$100.99' */
  @IsString()
  @MaxLength(1_024)
  fallback_value: string;

  /** @example 'USD' */
  @IsString()
  @MaxLength(3)
  code: string;

  /**
   * The amount multiplied by 1000.
   * @example 100990
   */
  @IsNumber()
  amount_1000: number;
}

export class DateTimeDto {
  /** @example 'February 25, 1977' */
  @IsString()
  @MaxLength(1_024)
  fallback_value: string;
}

export class LocationDto {
  @ApiProperty({ oneOf: [{ type: 'number' }, { type: 'string' }], example: 25.2 })
  @IsCoordinate()
  latitude: number | string;

  @ApiProperty({ oneOf: [{ type: 'number' }, { type: 'string' }], example: 55.27 })
  @IsCoordinate()
  longitude: number | string;

  @IsOptional()
  @IsString()
  @MaxLength(1_000)
  name?: string;

  @IsOptional()
  @IsString()
  @MaxLength(1_000)
  address?: string;
}

export class LimitedTimeOfferDto {
  /** Unix milliseconds. */
  @IsInt()
  expiration_time_ms: number;
}

/** One parameter of a component; the field named like its `type` carries the value. */
export class ParameterDto {
  @ApiProperty({ enum: PARAMETER_TYPES, example: 'text' })
  @IsIn(PARAMETER_TYPES)
  type: (typeof PARAMETER_TYPES)[number];

  /** @example 'Amal' */
  @RequiredFor('text')
  @IsString()
  @MaxLength(32_768)
  text?: string;

  /** For templates with named placeholders. */
  @IsOptional()
  @IsString()
  @MaxLength(512)
  parameter_name?: string;

  @RequiredFor('currency')
  @NestedObject(() => CurrencyDto)
  currency?: CurrencyDto;

  @RequiredFor('date_time')
  @NestedObject(() => DateTimeDto)
  date_time?: DateTimeDto;

  @IsOptional()
  @NestedObject(() => MediaDto)
  image?: MediaDto;

  @IsOptional()
  @NestedObject(() => MediaDto)
  video?: MediaDto;

  @IsOptional()
  @NestedObject(() => MediaDto)
  document?: MediaDto;

  @RequiredFor('location')
  @NestedObject(() => LocationDto)
  location?: LocationDto;

  @RequiredFor('payload')
  @IsString()
  @MaxLength(32_768)
  payload?: string;

  @RequiredFor('coupon_code')
  @IsString()
  @MaxLength(1_000)
  coupon_code?: string;

  /** Of flow and catalog buttons: passed on as it is. */
  @RequiredFor('action')
  @IsObject()
  action?: Record<string, unknown>;

  @RequiredFor('limited_time_offer')
  @NestedObject(() => LimitedTimeOfferDto)
  limited_time_offer?: LimitedTimeOfferDto;
}

/** A component of a template message in the provider's format, carrying the parameters of one part of the template. */
export class ComponentDto {
  @ApiProperty({ enum: COMPONENT_TYPES, example: 'body' })
  @IsIn(COMPONENT_TYPES)
  type: (typeof COMPONENT_TYPES)[number];

  /** In the order of the placeholders. */
  @IsOptional()
  @NestedObjects(() => ParameterDto, 1_024)
  parameters?: ParameterDto[];

  /** Buttons only. */
  @ApiProperty({ enum: BUTTON_TYPES, required: false })
  @ValidateIf((component: ComponentDto, value) => component.type === 'button' || value !== undefined)
  @IsIn(BUTTON_TYPES)
  sub_type?: (typeof BUTTON_TYPES)[number];

  /** Buttons only: the button's position, from 0. */
  @ApiProperty({ oneOf: [{ type: 'integer' }, { type: 'string' }], required: false })
  @ValidateIf((component: ComponentDto, value) => component.type === 'button' || value !== undefined)
  @IsIndex()
  index?: number | string;

  /** Carousels only. */
  @IsOptional()
  @NestedObjects(() => CardDto, 10)
  cards?: CardDto[];
}

/** One card of a carousel. */
export class CardDto {
  /** The card's position, from 0. */
  @ApiProperty({ type: 'integer' })
  @IsInt()
  card_index: number;

  @NestedObjects(() => ComponentDto, 10)
  components: ComponentDto[];
}
