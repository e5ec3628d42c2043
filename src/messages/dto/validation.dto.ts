import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ApiErrorDto } from '../../openapi/dto/error-response.dto.js';
import { SuccessResponse } from '../../openapi/dto/success-response.dto.js';
import { WARNING_CODES, type WarningCode } from '../domain/warnings.js';

const CATEGORIES = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const;
const STATUSES = ['PENDING', 'APPROVED', 'REJECTED', 'PAUSED', 'DISABLED'] as const;
const HEADER_TYPES = ['text', 'image', 'video', 'document', 'location'] as const;
const BUTTON_TYPES = ['reply', 'link', 'phone', 'copy', 'catalog', 'other'] as const;
const RATE_CATEGORIES = [...CATEGORIES, 'AUTHENTICATION_INTERNATIONAL'] as const;
const TEXT_OR_NULL = { type: String, nullable: true } as const;

const WARNINGS: Record<WarningCode, string> = {
  NUMBER_ON_HOLD: 'messages of the number wait, so this one would wait too',
  TEMPLATE_QUALITY_LOW: 'recipients rate the template badly: the provider may pause it',
  RECIPIENT_CAPPED_RECENTLY:
    'a message to the recipient failed with 131049 in the last 24 hours: the cap is for marketing only',
  RECIPIENT_UNDELIVERABLE_RECENTLY: 'a message to the recipient failed with 131026 in the last 24 hours',
  COUNTRY_NOT_DELIVERED: 'the provider delivers no marketing to numbers of the United States',
  LIMIT_NEARLY_REACHED: 'nine tenths of the people are reached whom the provider allows in 24 hours',
  CATEGORY_CHANGE_ANNOUNCED: 'the provider has announced another category for the template',
  PRICE_CHANGES_BEFORE_SEND: 'the rate card that is in force at `scheduled_at` has another price',
};
const WARNINGS_DESCRIPTION = `
| code | when |
| --- | --- |
${WARNING_CODES.map((code) => `| \`${code}\` | ${WARNINGS[code]} |`).join('\n')}`.trim();

@ApiSchema({ name: 'ValidatedTemplate', description: 'The template that the send names.' })
export class ValidatedTemplate {
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

  /** Its category at the provider. */
  @ApiProperty({ enum: CATEGORIES, enumName: 'TemplateCategory' })
  category: (typeof CATEGORIES)[number];

  /** Only APPROVED templates can be sent. */
  @ApiProperty({ enum: STATUSES, enumName: 'TemplateStatus' })
  status: (typeof STATUSES)[number];

  /**
   * Stands for what the template says and takes: it is the same as long as its texts, buttons and placeholders are.
   * @example '90cb4669c449c84b174f865118b608e2'
   */
  version: string;
}

@ApiSchema({ name: 'RenderedHeader', description: 'The header as its recipient sees it.' })
export class RenderedHeaderDto {
  /** What it is. */
  @ApiProperty({ enum: HEADER_TYPES })
  type: (typeof HEADER_TYPES)[number];

  /** The text of a text header; the name and address of a location, where they are given. */
  @ApiProperty({ ...TEXT_OR_NULL, example: 'Hello Amal' })
  text: string | null;

  /** The link of an image, video or document; null where it is sent by its id. */
  @ApiProperty({ ...TEXT_OR_NULL, example: null })
  url: string | null;

  /** The name of a document. */
  @ApiProperty({ ...TEXT_OR_NULL, example: null })
  file_name: string | null;
}

@ApiSchema({ name: 'RenderedButton', description: 'A button as its recipient sees it.' })
export class RenderedButtonDto {
  /** What it does. */
  @ApiProperty({ enum: BUTTON_TYPES })
  type: (typeof BUTTON_TYPES)[number];

  /**
   * Its label.
   * @example 'Track order'
   */
  text: string;

  /** The address that it opens, the number that it calls, or the code that it copies. */
  @ApiProperty({ ...TEXT_OR_NULL, example: 'https://shop.example/orders/A-1001' })
  target: string | null;
}

@ApiSchema({ name: 'RenderedCard', description: 'A card of a carousel.' })
export class RenderedCardDto {
  /** Null without a header. */
  @ApiProperty({ type: RenderedHeaderDto, nullable: true })
  header: RenderedHeaderDto | null;

  /** The text, with its placeholders filled in. */
  @ApiProperty({ ...TEXT_OR_NULL, example: 'A bunch of tulips for Amal' })
  body: string | null;

  /** In their order. */
  buttons: RenderedButtonDto[];
}

@ApiSchema({ name: 'RenderedMessage', description: 'The message as its recipient will read it.' })
export class RenderedMessageDto extends RenderedCardDto {
  /** Null without a footer. */
  @ApiProperty({ ...TEXT_OR_NULL, example: 'Thank you for your order' })
  footer: string | null;

  /** The text of a limited-time offer. */
  @ApiProperty({ ...TEXT_OR_NULL, example: null })
  offer: string | null;

  /** The cards of a carousel; empty without one. */
  cards: RenderedCardDto[];
}

@ApiSchema({
  name: 'ValidatedMessage',
  description: 'What the send would become. What could not be found out, because of a fault, is null.',
})
export class ValidatedMessage {
  /** The recipient's number as it would be stored: digits only. */
  @ApiProperty({ ...TEXT_OR_NULL, example: '12025550100' })
  phone: string | null;

  /** Null when the account has no such template. */
  @ApiProperty({ type: ValidatedTemplate, nullable: true })
  template: ValidatedTemplate | null;

  /** Null when the parameters do not fit the template. */
  @ApiProperty({ type: RenderedMessageDto, nullable: true })
  rendered: RenderedMessageDto | null;

  /** When it would go out. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-12-24T14:00:00.000Z' })
  due_at: string | null;

  /** The time zone of `scheduled_at`; null for a message that goes out at once. */
  @ApiProperty({ ...TEXT_OR_NULL, example: 'Asia/Dubai' })
  timezone: string | null;
}

@ApiSchema({ name: 'MessagePrice', description: 'What the message would cost if it were accepted now.' })
export class MessagePrice {
  /**
   * A decimal with at most six places; the `cost` of the acknowledgement.
   * @example 0.004
   */
  @ApiProperty({ format: 'double', minimum: 0 })
  amount: number;

  /**
   * ISO 4217.
   * @example 'USD'
   */
  currency: string;

  /**
   * The market of the rate card that was applied; `Other` where the recipient's has no rate of its own.
   * @example 'North America'
   */
  market: string;

  /** The category of the rate card that was applied. */
  @ApiProperty({ enum: RATE_CATEGORIES })
  category: (typeof RATE_CATEGORIES)[number];
}

@ApiSchema({ name: 'SendWarning', description: 'No fault, and worth to know before the send.' })
export class SendWarning {
  /** The name of the warning. */
  @ApiProperty({
    enum: WARNING_CODES,
    enumName: 'WarningCode',
    enumSchema: { description: WARNINGS_DESCRIPTION },
    example: 'TEMPLATE_QUALITY_LOW',
  })
  code: WarningCode;

  /**
   * For people. It may change; do not compare it.
   * @example 'Recipients rate this template badly: the provider may pause or disable it.'
   */
  message: string;
}

@ApiSchema({ name: 'SendValidation', description: 'What would become of a send.' })
export class SendValidation {
  /** Whether the send would be accepted: there are no errors. */
  valid: boolean;

  /**
   * Every fault, in the order of the checks; the first is the one that a send would be answered with. Where one makes a
   * later check impossible, as an unknown template does for its parameters, that check has nothing to say.
   */
  errors: ApiErrorDto[];

  /** What the send would become. */
  message: ValidatedMessage;

  /** Null when account, template or recipient are not known. */
  @ApiProperty({ type: MessagePrice, nullable: true })
  price: MessagePrice | null;

  /** In no way faults: the send would be accepted. */
  warnings: SendWarning[];
}

@ApiSchema({ name: 'ValidateResponse' })
export class ValidateResponse extends SuccessResponse {
  /** What would become of the send. */
  data: SendValidation;
}
