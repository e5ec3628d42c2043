import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ERROR_STATUS, type ErrorCode } from '../../common/errors.js';
import { ERROR_EXAMPLES } from './error-examples.dto.js';

const CODES = Object.keys(ERROR_STATUS) as ErrorCode[];

const ROWS = CODES.map((code) => `| \`${code}\` | ${ERROR_STATUS[code]} | ${ERROR_EXAMPLES[code].when} |`);
const CODES_DESCRIPTION = `
Names that stay: what a program decides by.

| code | status | when |
| --- | --- | --- |
${ROWS.join('\n')}`.trim();

@ApiSchema({
  name: 'ErrorDetail',
  description: 'One fault within the request. Which other fields stand beside `field` depends on the code.',
})
export class ErrorDetailDto {
  /**
   * The JSON path of the field, or the name of the header or parameter.
   * @example 'data.components[0].parameters'
   */
  @ApiProperty()
  field?: string;

  /**
   * What is wrong with the field.
   * @example 'scheduled_at requires timezone, as in Europe/Berlin.'
   */
  @ApiProperty()
  message?: string;

  @ApiProperty({
    description: 'The status of the template or message that stands in the way.',
    example: 'PENDING',
  })
  status?: string;

  /**
   * The scope that the API key lacks.
   * @example 'messages:send'
   */
  @ApiProperty()
  scope?: string;

  @ApiProperty({
    required: false,
    oneOf: [{ type: 'number' }, { type: 'string' }, { type: 'array', items: { type: 'string' } }],
    description: 'What the template needs: a count, a kind or names.',
    example: 2,
  })
  expected?: unknown;

  @ApiProperty({
    required: false,
    oneOf: [{ type: 'number' }, { type: 'string' }, { type: 'null' }],
    description: 'What the request has instead.',
    example: 3,
  })
  actual?: unknown;

  /**
   * The names of the template's parameters that the request does not have.
   * @example ['from', 'to']
   */
  @ApiProperty()
  missing?: string[];

  /**
   * The position of the button, from 0, for which the request has no component.
   * @example 0
   */
  @ApiProperty({ type: 'integer', minimum: 0 })
  button_index?: number;

  /**
   * The currency of `expected` and `actual`, where these are costs.
   * @example 'USD'
   */
  @ApiProperty()
  currency?: string;

  /**
   * When the message would be due.
   * @example '2026-12-24T14:00:00.000Z'
   */
  @ApiProperty({ format: 'date-time' })
  due_at?: string;
}

@ApiSchema({ name: 'ApiError', description: 'What is wrong with a request, for programs and for people.' })
export class ApiErrorDto {
  /** The name of the error. */
  @ApiProperty({
    enum: CODES,
    enumName: 'ErrorCode',
    enumSchema: { description: CODES_DESCRIPTION },
    example: 'INVALID_PHONE',
  })
  code: ErrorCode;

  /**
   * For people: what is wrong and what to do. It may change; do not compare it.
   * @example 'The phone number is not a possible international number. Give the country code and the number, as in +971501234567.'
   */
  message: string;

  /** One for each fault; empty when there is nothing to add. */
  details: ErrorDetailDto[];
}

@ApiSchema({ name: 'ErrorResponse', description: 'The body of every answer that is not a success.' })
export class ErrorResponse {
  @ApiProperty({ enum: [false], description: 'Always false.' })
  success: false;

  /** What is wrong. */
  error: ApiErrorDto;

  /**
   * The same as the `X-Request-Id` header; name it when you report a problem.
   * @example '6f0c1f4e-5d0b-4f3a-9a43-6b1f0c1d2e3f'
   */
  request_id: string;
}
