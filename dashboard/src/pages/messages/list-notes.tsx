import { Button, Stack, Text } from '@mantine/core';
import { IconBolt, IconBoltOff, IconLoader, IconPlayerPause, IconSearch } from '@tabler/icons-react';
import type { Flow } from '../../api/use-live';
import { ToneBadge } from '../../components/tone-badge';
import { formatDateTime } from '../../format';
import { strings } from '../../strings';

const texts = strings.messages;

/** Shows whether the list is live. @param flow null on an older page, which does not change */
export function LiveBadge({ flow }: { flow: Flow | null }) {
  switch (flow) {
    case 'flowing':
      return <ToneBadge tone="good" icon={IconBolt} label={texts.live} reason={texts.liveHint} />;
    case 'opening':
      return <ToneBadge tone="neutral" icon={IconLoader} label={texts.opening} reason={texts.openingHint} />;
    case 'lost':
      return <ToneBadge tone="warn" icon={IconBoltOff} label={texts.notLive} reason={texts.notLiveHint} />;
    default:
      return (
        <ToneBadge tone="neutral" icon={IconPlayerPause} label={texts.paused} reason={texts.pausedHint} />
      );
  }
}

/** Says that the search has stopped before the page was full, and offers to search further back. */
export function SearchedTo({ time, onSearchOn }: { time: string; onSearchOn: () => void }) {
  return (
    <Stack align="center" gap="xs" mt="md">
      <Text size="sm" c="dimmed" role="status">
        {texts.searchedTo(formatDateTime(time))}
      </Text>
      <Button variant="default" leftSection={<IconSearch size={16} aria-hidden />} onClick={onSearchOn}>
        {texts.searchOn}
      </Button>
    </Stack>
  );
}
