import { Card, Group, Progress, SimpleGrid, Text, Title } from '@mantine/core';
import { formatNumber, formatPercent } from '../../format';
import { strings } from '../../strings';
import classes from './campaigns.module.css';
import { durationText } from './costs';
import type { CampaignDetail } from './types';

const texts = strings.campaigns.detail;

const LOOKS = {
  read: 'brand.7',
  delivered: 'brand.4',
  sent: 'blue.5',
  waiting: 'gray.5',
  failed: 'red.6',
  refused: 'orange.6',
  canceled: 'gray.7',
  pending: null, // the rest of the bar
} as const;
type Part = keyof typeof LOOKS;
const PARTS = Object.keys(LOOKS) as Part[];

/** The number of recipients in each state. Their sum is all recipients who were not left out. */
export function countParts({
  progress,
  verdict,
  accepted_count: accepted,
  refused_count: refused,
}: Pick<CampaignDetail, 'progress' | 'verdict' | 'accepted_count' | 'refused_count'>): Record<Part, number> {
  const of = (...statuses: string[]) =>
    statuses.reduce((sum, status) => sum + (progress?.messages[status] ?? 0), 0);
  const messages = of(...Object.keys(progress?.messages ?? {}));
  return {
    read: of('read'),
    delivered: of('delivered'),
    sent: of('sent'),
    waiting: of('scheduled', 'queued', 'sending'),
    failed: of('failed'),
    refused,
    canceled: of('canceled'),
    // The messages were counted after the campaign was read, so there may be more than `accepted`.
    pending: Math.max(0, (verdict?.good ?? 0) - Math.max(accepted, messages) - refused),
  };
}

/** The progress bar with its legend and its speed. */
export function ProgressCard({ campaign }: { campaign: CampaignDetail }) {
  const parts = countParts(campaign);
  const all = PARTS.reduce((sum, part) => sum + parts[part], 0);
  const done = all === 0 ? 0 : (parts.read + parts.delivered + parts.sent) / all;
  const retries = campaign.progress?.auto_retries ?? 0;
  return (
    <Card withBorder h="100%">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h3">
          {texts.progress}
        </Title>
        <Text size="sm" className="tabular">
          <Text span fw={600}>
            {texts.done(formatPercent(done))}
          </Text>
          <Speed campaign={campaign} />
        </Text>
      </Group>
      <Progress.Root size="xl" role="img" aria-label={texts.progressLabel(formatPercent(done))}>
        {PARTS.filter((part) => part !== 'pending').map((part) => (
          <Progress.Section
            key={part}
            value={all === 0 ? 0 : (parts[part] / all) * 100}
            color={LOOKS[part] ?? ''}
            withAria={false}
          />
        ))}
      </Progress.Root>
      <SimpleGrid cols={{ base: 2, xs: 4 }} mt="md" spacing="sm">
        {PARTS.filter((part) => parts[part] > 0 || part === 'read' || part === 'failed').map((part) => (
          <div key={part}>
            <Group gap={6} wrap="nowrap">
              <span className={classes.swatch} style={{ background: colorOf(part) }} />
              <Text size="sm" c="dimmed">
                {texts.states[part]}
              </Text>
            </Group>
            <Text fw={650} size="lg" className="tabular">
              {formatNumber(parts[part])}
            </Text>
          </div>
        ))}
      </SimpleGrid>
      {retries > 0 && (
        <Text size="sm" c="dimmed" mt="sm">
          {texts.retries(retries)}
        </Text>
      )}
    </Card>
  );
}

function colorOf(part: Part): string {
  const look = LOOKS[part];
  return look ? `var(--mantine-color-${look.replace('.', '-')})` : 'var(--mantine-color-default-border)';
}

function Speed({ campaign: { status, progress } }: { campaign: CampaignDetail }) {
  if (status !== 'running' || !progress) return null;
  const rate = texts.rate(formatNumber(Math.round(progress.rate * 10) / 10));
  const left = progress.seconds_left;
  if (progress.rate === 0) return ` · ${texts.standing}`;
  return ` · ${rate}${left === null ? '' : ` · ${texts.left(durationText(left))}`}`;
}
