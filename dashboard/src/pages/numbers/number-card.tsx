import type { ReactNode } from 'react';
import { ActionIcon, Card, Group, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconArrowsExchange, IconPencil } from '@tabler/icons-react';
import { Can } from '../../components/can';
import { CopyText } from '../../components/copy-button';
import { Explained } from '../../components/explained';
import { QualityBadge } from '../../components/quality-badge';
import { ToneBadge } from '../../components/tone-badge';
import { Time } from '../../components/time';
import { formatNumber } from '../../format';
import { strings } from '../../strings';
import { HoldNotice } from './hold-notice';
import { limitText, PortfolioUse } from './portfolio-use';
import type { BusinessAccount, Hold, NumberCardData } from './types';

const texts = strings.numbers;

interface NumberCardProps {
  number: NumberCardData;
  account: BusinessAccount;
  holds: Hold[];
  onEdit: () => void;
  onMove: () => void;
}

/** A number with its details and its present state. */
export function NumberCard({ number, account, holds, onEdit, onMove }: NumberCardProps) {
  const { name, phone, messaging_account_id: id, messaging_limit: limit } = number;
  return (
    <Card withBorder component="article" aria-label={name}>
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
        <Title order={3} style={{ overflowWrap: 'anywhere', minWidth: 0 }}>
          {name}
        </Title>
        <Can role="owner" hide>
          <Group gap={4} wrap="nowrap">
            <ActionIcon variant="subtle" color="gray" aria-label={texts.move.open(name)} onClick={onMove}>
              <IconArrowsExchange size={16} aria-hidden />
            </ActionIcon>
            <ActionIcon variant="subtle" color="gray" aria-label={texts.editNumber(name)} onClick={onEdit}>
              <IconPencil size={16} aria-hidden />
            </ActionIcon>
          </Group>
        </Can>
      </Group>
      <Group justify="space-between" gap="xs" mb="sm">
        <Text c="dimmed" dir="ltr" className="tabular">
          +{phone}
        </Text>
        <QualityBadge quality={number.quality} />
      </Group>
      {holds.length > 0 && (
        <Stack gap="sm" mb="sm">
          {holds.map((hold) => (
            <HoldNotice key={hold.hold_id} hold={hold} />
          ))}
        </Stack>
      )}
      <Stack component="dl" gap={6} m={0}>
        <Line name={texts.apiId}>
          <CopyText value={id} label={texts.apiId} />
        </Line>
        <Line name={texts.status}>
          <Status status={number.status} />
        </Line>
        <Line name={texts.throughput}>
          <Rate number={number} />
        </Line>
        <Line name={texts.waiting}>{waitingText(number)}</Line>
        <Line name={texts.sentLastMinute}>{formatNumber(number.sent_last_minute)}</Line>
        <Line name={texts.messagingLimit}>{limit ? limitText(limit) : texts.limitUnknown}</Line>
        <Line name={texts.reached}>
          <PortfolioUse account={account} limit={limit} />
        </Line>
        <Line name={texts.asOf}>
          <Time at={number.read_at} />
        </Line>
      </Stack>
    </Card>
  );
}

/** The provider's status of the number: any but CONNECTED stops it from sending, now or soon. */
function Status({ status }: { status: string | null }) {
  if (status === null) return texts.limitUnknown;
  const words = texts.statuses[status] ?? status;
  if (status === 'CONNECTED') return words;
  return <ToneBadge tone="warn" icon={IconAlertTriangle} label={words} size="sm" />;
}

function Rate({ number: { messages_per_second: full, current_rate: current } }: { number: NumberCardData }) {
  if (current === null) return `${texts.perSecond(formatNumber(full))}, ${texts.rateUnknown}`;
  if (current >= full) return texts.perSecond(formatNumber(full));
  return (
    <Explained by={texts.slowedReason} fz="sm" fw={600} c="yellow.9">
      {texts.slowed(formatNumber(current), formatNumber(full))}
    </Explained>
  );
}

function waitingText({ waiting, waiting_is_more: isMore, due }: NumberCardData): string {
  if (waiting === 0) return formatNumber(0);
  const count = isMore ? texts.atLeast(formatNumber(waiting)) : formatNumber(waiting);
  return texts.waitingCount(count, isMore && due === waiting ? count : formatNumber(due));
}

/** A fact with its value at the end of the line. */
function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Group justify="space-between" gap="xs" mih={28}>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="dd" size="sm" m={0} className="tabular">
        {children}
      </Text>
    </Group>
  );
}
