import { Injectable } from '@nestjs/common';
import { ApiError } from '../common/errors.js';
import type { MessageRecord } from './dto/message-record.dto.js';
import { MessageLogStore } from './message-log.store.js';
import { MessageQueries } from './lists/message-queries.js';

/** Withdraws messages that nobody has claimed yet. */
@Injectable()
export class CancelService {
  constructor(
    private readonly store: MessageLogStore,
    private readonly queries: MessageQueries,
  ) {}

  /**
   * The canceled record; the same again when it was canceled before.
   * @throws ApiError MESSAGE_NOT_CANCELABLE when it has been claimed or has ended
   */
  async cancel(tenantId: string, { message_log_id: id }: MessageRecord): Promise<MessageRecord> {
    await this.store.cancel(tenantId, id);
    const record = (await this.queries.find(tenantId, id)) as MessageRecord;
    if (record.status === 'canceled') return record;
    throw new ApiError(
      'MESSAGE_NOT_CANCELABLE',
      `The message is no longer waiting; its status is ${record.status}.`,
      [{ field: 'message_log_id', status: record.status }],
    );
  }
}
