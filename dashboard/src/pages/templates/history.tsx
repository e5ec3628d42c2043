import { Button, Group, Text, Timeline } from '@mantine/core';
import {
  IconAntennaBars5,
  IconCategory,
  IconFlag,
  IconPencil,
  IconPlus,
  IconTrash,
  type TablerIcon,
} from '@tabler/icons-react';
import { Time } from '../../components/time';
import { strings } from '../../strings';
import type { TemplateChange } from './types';

const texts = strings.templates;

const ICONS: Record<TemplateChange['kind'], TablerIcon> = {
  created: IconPlus,
  status: IconFlag,
  category: IconCategory,
  quality: IconAntennaBars5,
  content: IconPencil,
  removed: IconTrash,
};

/** Words for the values of each kind of change; unknown values are shown as they are. */
const WORDS: Partial<Record<TemplateChange['kind'], Record<string, string>>> = {
  status: strings.components.templateStatus,
  category: strings.components.category,
  quality: strings.components.quality,
};

interface HistoryProps {
  /** The changes, newest first. */
  changes: TemplateChange[];
  /** The change whose version the preview shows; null for the current version. */
  shown: number | null;
  onShow: (change: TemplateChange) => void;
}

/** The history of a template, with its versions. */
export function History({ changes, shown, onShow }: HistoryProps) {
  const versions = versionsOf(changes);
  return (
    <Timeline bulletSize={26} lineWidth={2}>
      {changes.map((change) => {
        const Icon = ICONS[change.kind];
        const version = versions.get(change.change_id);
        return (
          <Timeline.Item
            key={change.change_id}
            bullet={<Icon size={14} aria-hidden />}
            title={titleOf(change)}
          >
            {change.reason && <Text size="sm">{change.reason}</Text>}
            <Group gap="xs">
              <Text size="sm" c="dimmed" component="span">
                <Time at={change.occurred_at} />
              </Text>
              {version !== undefined && versions.size > 1 && (
                <Button
                  size="compact-xs"
                  variant={shown === change.change_id ? 'light' : 'subtle'}
                  aria-pressed={shown === change.change_id}
                  onClick={() => onShow(change)}
                >
                  {texts.showVersion} {texts.version(version).toLowerCase()}
                </Button>
              )}
            </Group>
          </Timeline.Item>
        );
      })}
    </Timeline>
  );
}

/** The number of each version, from 1, by the change that brought it. */
export function versionsOf(changes: TemplateChange[]): Map<number, number> {
  const bringing = changes.filter(({ components }) => components !== null).toReversed();
  return new Map(bringing.map(({ change_id }, i) => [change_id, i + 1]));
}

function titleOf({ kind, old_value, new_value }: TemplateChange): string {
  const words = WORDS[kind];
  if (!words) return texts.changes[kind as 'created' | 'content' | 'removed'];
  const word = (value: string | null) => words[value ?? 'UNKNOWN'] ?? value ?? strings.common.none;
  return texts.changes[kind as 'status' | 'category' | 'quality'](word(old_value), word(new_value));
}
