import type { MantineSize } from '@mantine/core';
import {
  IconAntennaBars2,
  IconAntennaBars3,
  IconAntennaBars5,
  IconAntennaBarsOff,
  type TablerIcon,
} from '@tabler/icons-react';
import { strings } from '../strings';
import { type Tone, ToneBadge } from './tone-badge';

export type Quality = 'GREEN' | 'YELLOW' | 'RED' | 'UNKNOWN';

const LOOKS: Record<Quality, { tone: Tone; icon: TablerIcon }> = {
  GREEN: { tone: 'good', icon: IconAntennaBars5 },
  YELLOW: { tone: 'warn', icon: IconAntennaBars3 },
  RED: { tone: 'bad', icon: IconAntennaBars2 },
  UNKNOWN: { tone: 'neutral', icon: IconAntennaBarsOff },
};

interface QualityBadgeProps {
  /** The provider's rating of a template or number; unknown ones count as UNKNOWN. */
  quality: string | null | undefined;
  reason?: string | null | undefined;
  size?: MantineSize;
}

export function QualityBadge({ quality, ...rest }: QualityBadgeProps) {
  const known = isQuality(quality) ? quality : 'UNKNOWN';
  return <ToneBadge {...LOOKS[known]} label={strings.components.quality[known]} {...rest} />;
}

function isQuality(value: unknown): value is Quality {
  return typeof value === 'string' && Object.hasOwn(LOOKS, value);
}
