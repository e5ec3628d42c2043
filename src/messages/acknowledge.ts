import type { TemplateCategory } from '../provider/wire.js';
import type { SendAcknowledgement } from './dto/send-acknowledgement.dto.js';

/** The data of the 202: always the same for a message, so that a repeated request gets the first answer again. */
export function acknowledge(id: number, category: TemplateCategory, cost: string): SendAcknowledgement {
  return { status: 'queued', message_log_id: id, conversation_category: category, cost: Number(cost) };
}
