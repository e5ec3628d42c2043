import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { SuccessResponse } from '../../openapi/dto/success-response.dto.js';

const CATEGORIES = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const;

@ApiSchema({ name: 'SendAcknowledgement', description: 'The message is accepted, and on disk.' })
export class SendAcknowledgement {
  /** Always `queued`; the message log record tells how it goes on. */
  @ApiProperty({ enum: ['queued'], example: 'queued' })
  status: 'queued';

  /**
   * Identifier of the message log record.
   * @example 1
   */
  @ApiProperty({ type: 'integer', format: 'int64', minimum: 1 })
  message_log_id: number;

  /** Derived from the template's category at the provider. */
  @ApiProperty({ enum: CATEGORIES, enumName: 'TemplateCategory', example: 'UTILITY' })
  conversation_category: (typeof CATEGORIES)[number];

  /**
   * The cost, charged at acceptance: a decimal with at most six places. It is refunded if the message fails.
   * @example 0.004
   */
  @ApiProperty({ format: 'double', minimum: 0 })
  cost: number;
}

@ApiSchema({ name: 'SendResponse' })
export class SendResponse extends SuccessResponse {
  /** What was accepted. */
  data: SendAcknowledgement;
}
