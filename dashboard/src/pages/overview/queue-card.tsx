import { Alert, Anchor, Card, Group, List, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconPlayerPause } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useLive } from '../../api/use-live';
import { Fact } from '../../components/fact';
import { QueryState } from '../../components/query-state';
import { Time } from '../../components/time';
import { formatNumber } from '../../format';
import { strings } from '../../strings';
import { holdTitle } from '../numbers/hold-notice';
import type { Hold } from '../numbers/types';
import type { Queue } from './types';

const texts = strings.overview;

/** What waits now, and what it waits for. */
export function QueueCard() {
  const queue = useLive<Queue>('overview/queue');
  return (
    <Card withBorder component="section" aria-label={texts.queue} padding="md">
      <Group justify="space-between" gap="xs" mb="xs">
        <Title order={2}>{texts.queue}</Title>
        <Group gap="md">
          <Anchor component={Link} to="/messages?status=queued&status=scheduled" size="sm">
            {texts.seeWaiting}
          </Anchor>
          <Anchor component={Link} to="/numbers" size="sm">
            {texts.seeNumbers}
          </Anchor>
        </Group>
      </Group>
      <QueryState query={queue} loading={<Skeleton height={64} />}>
        {(data) => (
          <Stack gap="sm">
            <SimpleGrid component="dl" m={0} cols={{ base: 2, sm: 4 }} spacing="sm">
              <Fact strong name={texts.waiting}>
                {data.waiting_is_more
                  ? texts.atLeast(formatNumber(data.waiting))
                  : formatNumber(data.waiting)}
              </Fact>
              <Fact strong name={texts.due}>
                {formatNumber(data.due)}
              </Fact>
              <Fact strong name={texts.oldestDue}>
                {data.oldest_due_at ? <Time at={data.oldest_due_at} /> : texts.nothingDue}
              </Fact>
              <Fact strong name={texts.sentLastMinute}>
                {formatNumber(data.sent_last_minute)}
              </Fact>
            </SimpleGrid>
            {data.holds.length === 0 ? (
              <Text size="sm" c="dimmed">
                {texts.noHolds}
              </Text>
            ) : (
              <Holds holds={data.holds} />
            )}
          </Stack>
        )}
      </QueryState>
    </Card>
  );
}

function Holds({ holds }: { holds: Hold[] }) {
  return (
    <Alert color="yellow" icon={<IconPlayerPause aria-hidden />} role="status" py="xs">
      <List size="sm" listStyleType="none" spacing={4}>
        {holds.map((hold) => (
          <List.Item key={hold.hold_id}>
            <Anchor component={Link} to="/numbers" c="inherit" underline="always" size="sm">
              {holdTitle(hold)}
            </Anchor>{' '}
            {texts.since} <Time at={hold.created_at} />: {hold.error.title}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
