import { IconLock, IconSpeakerphone, IconTag, IconTool, type TablerIcon } from '@tabler/icons-react';
import { strings } from '../strings';
import { ToneBadge } from './tone-badge';

const ICONS: Record<string, TablerIcon> = {
  MARKETING: IconSpeakerphone,
  UTILITY: IconTool,
  AUTHENTICATION: IconLock,
};

const LABELS: Record<string, string> = strings.components.category;

/** A template's category: a kind, not a state, so it has no colour. */
export function CategoryBadge({ category }: { category: string }) {
  return <ToneBadge tone="neutral" icon={ICONS[category] ?? IconTag} label={LABELS[category] ?? category} />;
}
