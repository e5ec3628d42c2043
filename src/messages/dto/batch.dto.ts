import { ApiExtraModels, ApiProperty, ApiSchema, getSchemaPath } from '@nestjs/swagger';
import { ApiErrorDto } from '../../openapi/dto/error-response.dto.js';
import { SuccessResponse } from '../../openapi/dto/success-response.dto.js';
import { SendAcknowledgement } from './send-acknowledgement.dto.js';
import { SendMessageDto } from './send-message.dto.js';

const INDEX = { type: 'integer', minimum: 0, maximum: 999 } as const;

@ApiSchema({
  name: 'BatchRequest',
  description: 'Messages to send, in any mixture of accounts and templates.',
})
export class BatchRequest {
  /** Bodies of sends. */
  @ApiProperty({ type: [SendMessageDto], minItems: 1, maxItems: 1_000 })
  messages: SendMessageDto[];
}

@ApiSchema({ name: 'AcceptedResult', description: 'The message is accepted, and on disk.' })
export class AcceptedResult extends SendAcknowledgement {
  /**
   * Its place in `messages`, from 0.
   * @example 0
   */
  @ApiProperty(INDEX)
  index: number;
}

@ApiSchema({
  name: 'RefusedResult',
  description: 'The message is refused; nothing of it is stored or charged.',
})
export class RefusedResult {
  /**
   * Its place in `messages`, from 0.
   * @example 1
   */
  @ApiProperty(INDEX)
  index: number;

  /** What a send of it alone would be answered with. */
  error: ApiErrorDto;
}

export type BatchResult = AcceptedResult | RefusedResult;

@ApiExtraModels(AcceptedResult, RefusedResult)
@ApiSchema({ name: 'BatchAnswer', description: 'What came of each message.' })
export class BatchAnswer {
  /**
   * Messages that are accepted.
   * @example 1
   */
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 1_000 })
  accepted: number;

  /**
   * Messages that are refused.
   * @example 1
   */
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 1_000 })
  refused: number;

  /** One for each message, in their order. */
  @ApiProperty({
    type: 'array',
    minItems: 1,
    maxItems: 1_000,
    items: { oneOf: [{ $ref: getSchemaPath(AcceptedResult) }, { $ref: getSchemaPath(RefusedResult) }] },
  })
  results: BatchResult[];
}

@ApiSchema({ name: 'BatchResponse' })
export class BatchResponse extends SuccessResponse {
  /** What came of the batch. */
  data: BatchAnswer;
}
