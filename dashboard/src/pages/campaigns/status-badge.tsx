import {
  IconBan,
  IconCalendarTime,
  IconCircleCheck,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  type TablerIcon,
} from '@tabler/icons-react';
import type { CampaignStatus } from '../../../../src/campaigns/domain/campaign-status';
import { type Tone, ToneBadge } from '../../components/tone-badge';
import { strings } from '../../strings';

const LOOKS: Record<CampaignStatus, { tone: Tone; icon: TablerIcon }> = {
  draft: { tone: 'neutral', icon: IconPencil },
  scheduled: { tone: 'info', icon: IconCalendarTime },
  running: { tone: 'busy', icon: IconPlayerPlay },
  paused: { tone: 'warn', icon: IconPlayerPause },
  canceled: { tone: 'neutral', icon: IconBan },
  finished: { tone: 'good', icon: IconCircleCheck },
};

interface CampaignStatusBadgeProps {
  status: CampaignStatus;
  reason?: string | undefined;
}

export function CampaignStatusBadge({ status, reason }: CampaignStatusBadgeProps) {
  return <ToneBadge {...LOOKS[status]} label={strings.campaigns.status[status]} reason={reason} />;
}
