import { Badge, type MantineSize, Tooltip } from '@mantine/core';
import type { TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'busy' | 'neutral';

const COLORS: Record<Tone, string> = {
  good: 'green',
  warn: 'yellow',
  bad: 'red',
  info: 'blue',
  busy: 'violet',
  neutral: 'gray',
};

interface ToneBadgeProps {
  tone: Tone;
  icon: TablerIcon;
  label: ReactNode;
  /** The reason of the state, shown on hover and focus. */
  reason?: string | null | undefined;
  size?: MantineSize;
}

/** Shows a state by colour, icon and text, so that nobody depends on one of the three. */
export function ToneBadge({ tone, icon: Icon, label, reason, size = 'md' }: ToneBadgeProps) {
  const badge = (
    <Badge
      variant="light"
      size={size}
      tt="none"
      fw={600}
      flex="none"
      color={COLORS[tone]}
      leftSection={<Icon size={14} aria-hidden />}
      tabIndex={reason ? 0 : undefined}
    >
      {label}
    </Badge>
  );
  if (!reason) return badge;
  return (
    <Tooltip label={reason} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
      {badge}
    </Tooltip>
  );
}
