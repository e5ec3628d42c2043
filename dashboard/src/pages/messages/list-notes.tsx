import { Button, Stack, Text } from '@mantine/core';
import { IconBolt, IconPlayerPause, IconSearch } from '@tabler/icons-react';
import { ToneBadge } from '../../components/tone-badge';
import { formatDateTime } from '../../format';
import { strings } from '../../strings';

const texts = strings.messages;

/** Whether the list moves by itself. */
export function LiveBadge({ isLive }: { isLive: boolean }) {
  return isLive ? (
    <ToneBadge tone="good" icon={IconBolt} label={texts.live} reason={texts.liveHint} />
  ) : (
    <ToneBadge tone="neutral" icon={IconPlayerPause} label={texts.paused} reason={texts.pausedHint} />
  );
}

/** The search has stopped before the page was full: what it has not seen is further back. */
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
