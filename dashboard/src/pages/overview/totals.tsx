import { Card, Group, SimpleGrid, Text } from '@mantine/core';
import { IconArrowDownRight, IconArrowUpRight, IconInfoCircle, IconMinus } from '@tabler/icons-react';
import { Explained } from '../../components/explained';
import { formatNumber, formatPercent } from '../../format';
import { strings } from '../../strings';
import { rateText } from './rate-text';
import type { Figures } from './types';

const texts = strings.overview;

type Kind = keyof typeof texts.kinds;
const KINDS = Object.keys(texts.kinds) as Kind[];

type Totals = Figures['totals'];

/** The sums of the period, each with its share, and compared with the period before. */
export function Totals({ totals, previous }: { totals: Totals; previous: Totals }) {
  return (
    <SimpleGrid component="section" aria-label={texts.totals} cols={{ base: 2, md: 5 }} spacing="md">
      {KINDS.map((kind) => (
        <Card key={kind} withBorder padding="md" role="group" aria-label={texts.kinds[kind]}>
          <Group gap={4} wrap="nowrap">
            <Text size="sm" c="dimmed">
              {texts.kinds[kind]}
            </Text>
            <Meaning text={texts.meanings[kind]} />
          </Group>
          <Text fz={28} fw={650} lh={1.2} className="tabular">
            {formatNumber(totals[kind])}
          </Text>
          <Text size="sm" c="dimmed" className="tabular">
            {share(kind, totals)}
          </Text>
          <Change now={totals[kind]} before={previous[kind]} isBad={kind === 'failed' || kind === 'capped'} />
        </Card>
      ))}
    </SimpleGrid>
  );
}

/** What a figure counts, on hover and focus. */
export function Meaning({ text }: { text: string }) {
  return (
    <Explained by={text} aria-label={text} display="inline-flex">
      <IconInfoCircle size={15} aria-hidden />
    </Explained>
  );
}

function share(kind: Kind, totals: Totals): string {
  if (kind === 'delivered') return texts.ofSent(rateText(totals.delivery_rate));
  if (kind === 'read') return texts.ofDelivered(rateText(totals.read_rate));
  if (kind === 'capped') return texts.ofKnown(rateText(totals.cap_rate));
  if (kind === 'failed') return texts.ofKnown(rateText(totals.failure_rate));
  return texts.ofAccepted(formatNumber(totals.accepted));
}

function Change({ now, before, isBad }: { now: number; before: number; isBad: boolean }) {
  if (before === 0 && now === 0) return null;
  if (before === 0) return <Note>{texts.newSince}</Note>;
  const change = now / before - 1;
  if (change === 0) return <Note icon={IconMinus}>{texts.same}</Note>;
  const isMore = change > 0;
  const words = (isMore ? texts.more : texts.less)(formatPercent(Math.abs(change)));
  const color = isBad && isMore ? 'red.9' : 'dimmed';
  return (
    <Note icon={isMore ? IconArrowUpRight : IconArrowDownRight} color={color}>
      {words}
    </Note>
  );
}

interface NoteProps {
  icon?: typeof IconMinus;
  color?: string;
  children: string;
}

function Note({ icon: Icon, color = 'dimmed', children }: NoteProps) {
  const c = color === 'dimmed' ? color : 'var(--mantine-color-error)';
  return (
    <Group gap={4} wrap="nowrap" mt={4} align="flex-start" c={c}>
      {Icon && <Icon size={16} aria-hidden style={{ flex: 'none', marginBlockStart: 1 }} />}
      <Text size="xs" c="inherit">
        {children}
      </Text>
    </Group>
  );
}
