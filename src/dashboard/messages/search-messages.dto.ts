import { IntersectionType, OmitType, PickType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsIn, IsOptional } from 'class-validator';
import { MESSAGE_STATUSES, type MessageStatus } from '../../messages/domain/message-status.js';
import { ListMessagesQuery } from '../../messages/dto/list-messages.dto.js';
import { RETRY_FILTERS, type RetryFilter } from '../../messages/lists/message-list.sql.js';

const PAGING = ['limit', 'cursor'] as const;

/** The public list's filters, with several statuses and by retry. */
export class FilterMessagesQuery extends OmitType(ListMessagesQuery, ['status', ...PAGING]) {
  /** Messages with any of these: `status=queued&status=scheduled`. */
  @Transform(({ value }) => (value === undefined ? undefined : [value].flat()))
  @IsOptional()
  @ArrayMaxSize(MESSAGE_STATUSES.length)
  @IsIn(MESSAGE_STATUSES, { each: true })
  status?: MessageStatus[];

  @IsOptional()
  @IsIn(RETRY_FILTERS)
  retry?: RetryFilter;
}

export class SearchMessagesQuery extends IntersectionType(
  FilterMessagesQuery,
  PickType(ListMessagesQuery, PAGING),
) {}
