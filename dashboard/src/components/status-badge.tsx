import {
  IconBan,
  IconCalendarTime,
  IconCheck,
  IconChecks,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconEye,
  IconHourglass,
  IconLoader,
  IconPlayerPause,
  IconQuestionMark,
  type TablerIcon,
} from '@tabler/icons-react';
import type { MantineSize } from '@mantine/core';
import { strings } from '../strings';
import { type Tone, ToneBadge } from './tone-badge';

interface Look {
  tone: Tone;
  icon: TablerIcon;
}

const LOOKS: Record<string, Look> = {
  PENDING: { tone: 'info', icon: IconHourglass },
  APPROVED: { tone: 'good', icon: IconCircleCheck },
  REJECTED: { tone: 'bad', icon: IconCircleX },
  PAUSED: { tone: 'warn', icon: IconPlayerPause },
  DISABLED: { tone: 'neutral', icon: IconBan },
  scheduled: { tone: 'info', icon: IconCalendarTime },
  queued: { tone: 'neutral', icon: IconClock },
  sending: { tone: 'busy', icon: IconLoader },
  sent: { tone: 'info', icon: IconCheck },
  delivered: { tone: 'good', icon: IconChecks },
  read: { tone: 'good', icon: IconEye },
  failed: { tone: 'bad', icon: IconCircleX },
  canceled: { tone: 'neutral', icon: IconBan },
};

const LABELS: Record<string, string> = {
  ...strings.components.templateStatus,
  ...strings.components.messageStatus,
};

interface StatusBadgeProps {
  /** The status of a template or message; an unknown one is shown as it is. */
  status: string;
  reason?: string | null | undefined;
  size?: MantineSize;
}

export function StatusBadge({ status, ...rest }: StatusBadgeProps) {
  const { tone, icon } = LOOKS[status] ?? { tone: 'neutral', icon: IconQuestionMark };
  return <ToneBadge tone={tone} icon={icon} label={LABELS[status] ?? status} {...rest} />;
}
