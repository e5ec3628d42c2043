import type { ComponentDto } from '../messages/dto/component.dto.js';
import type { SendMessageDto } from '../messages/dto/send-message.dto.js';
import type { CampaignRow } from './campaign.store.js';
import type { FilledRow } from './domain/mapping.js';

/** The body of the send that a row stands for. */
export function bodyOf(
  campaign: Pick<CampaignRow, 'messaging_account_id' | 'template_name' | 'language' | 'auto_retry'>,
  { phone, components }: FilledRow,
): SendMessageDto {
  return {
    messaging_account_id: campaign.messaging_account_id,
    phone,
    message_type: 'template',
    data: {
      name: campaign.template_name,
      language_code: campaign.language,
      ...(components.length > 0 && { components: components as ComponentDto[] }),
    },
    auto_retry_on_frequency_cap: campaign.auto_retry,
  };
}
