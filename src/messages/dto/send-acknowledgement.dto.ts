import { ApiProperty } from '@nestjs/swagger';

const CATEGORIES = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const;

/** The answer to an accepted send: the message is on disk. */
export class SendAcknowledgement {
  @ApiProperty({ enum: ['queued'], example: 'queued' })
  status: 'queued';

  /**
   * Identifier of the message log record.
   * @example 1
   */
  @ApiProperty({ type: 'integer' })
  message_log_id: number;

  /** Derived from the template's category at the provider. */
  @ApiProperty({ enum: CATEGORIES, enumName: 'TemplateCategory', example: 'UTILITY' })
  conversation_category: (typeof CATEGORIES)[number];

  /**
   * Charged at acceptance, with at most six decimal places.
   * @example 0.0157
   */
  cost: number;
}
