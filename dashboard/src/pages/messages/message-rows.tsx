import { Card, Group, Stack, Table, Text } from '@mantine/core';
import { IconHelpCircle, IconRepeat } from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { Money } from '../../components/money';
import { StatusBadge } from '../../components/status-badge';
import { Time } from '../../components/time';
import { ToneBadge } from '../../components/tone-badge';
import { strings } from '../../strings';
import classes from './messages.module.css';
import type { Message } from './types';
import type { Fresh } from './use-fresh';

const texts = strings.messages;

interface MessageRowsProps {
  messages: Message[];
  fresh: Fresh;
  /** The name of a number by its API id. */
  nameOf: (messagingAccountId: string) => string;
  /** The id of the message in the drawer. */
  openId: number | null;
}

export function MessageTable({ messages, fresh, nameOf, openId }: MessageRowsProps) {
  const { columns } = texts;
  const open = useOpenMessage();
  return (
    <Table.ScrollContainer minWidth={760}>
      <Table highlightOnHover verticalSpacing="sm" aria-label={texts.title}>
        <Table.Thead>
          <Table.Tr>
            {[columns.time, columns.phone, columns.template, columns.status, columns.number].map((label) => (
              <Table.Th key={label}>{label}</Table.Th>
            ))}
            <Table.Th ta="end">{columns.cost}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {messages.map((message) => (
            <Table.Tr
              key={message.message_log_id}
              className={classes.row}
              data-fresh={freshness(fresh, message)}
              data-open={message.message_log_id === openId || undefined}
              onClick={(event) => open(event, message)}
            >
              <Table.Td>
                <Time at={message.created_at} />
              </Table.Td>
              <Table.Td>
                <MessageLink message={message} />
              </Table.Td>
              <Table.Td>
                {message.template.name}{' '}
                <Text span c="dimmed" size="xs">
                  {message.template.language}
                </Text>
              </Table.Td>
              <Table.Td>
                <Badges message={message} />
              </Table.Td>
              <Table.Td>{nameOf(message.messaging_account_id)}</Table.Td>
              <Table.Td ta="end">
                <Money amount={String(message.cost)} currency={message.currency} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** The messages as cards, for narrow screens. */
export function MessageCards({ messages, fresh, nameOf, openId }: MessageRowsProps) {
  const open = useOpenMessage();
  return (
    <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label={texts.title}>
      {messages.map((message) => (
        <Card
          key={message.message_log_id}
          component="li"
          withBorder
          className={classes.card}
          data-fresh={freshness(fresh, message)}
          data-open={message.message_log_id === openId || undefined}
          onClick={(event) => open(event, message)}
        >
          <Group justify="space-between" gap="xs" wrap="nowrap">
            <MessageLink message={message} />
            <Text size="xs" c="dimmed">
              <Time at={message.created_at} />
            </Text>
          </Group>
          <Text size="sm" mt={2} truncate>
            {message.template.name}
          </Text>
          <Group justify="space-between" gap="xs" mt={8}>
            <Badges message={message} />
            <Text size="xs" c="dimmed">
              {nameOf(message.messaging_account_id)} ·{' '}
              <Money amount={String(message.cost)} currency={message.currency} />
            </Text>
          </Group>
        </Card>
      ))}
    </Stack>
  );
}

/** Opens a message by a click anywhere on its row; the keyboard uses the link in the row. */
function useOpenMessage() {
  const { search, state } = useLocation();
  const navigate = useNavigate();
  return (event: MouseEvent, { message_log_id }: Message) => {
    const isSelecting = getSelection()?.isCollapsed === false;
    if (isSelecting || (event.target as Element).closest('a')) return;
    void navigate({ pathname: `/messages/${message_log_id}`, search }, { state });
  };
}

function freshness(fresh: Fresh, { message_log_id }: Message): number | undefined {
  const count = fresh.get(message_log_id);
  return count === undefined ? undefined : count % 2;
}

function MessageLink({ message: { message_log_id, phone } }: { message: Message }) {
  const { search, state } = useLocation();
  return (
    <Link to={{ pathname: `/messages/${message_log_id}`, search }} state={state} className={classes.link}>
      <span dir="ltr" className="tabular">
        +{phone}
      </span>
    </Link>
  );
}

function Badges({ message }: { message: Message }) {
  return (
    <Group gap={6} wrap="nowrap">
      <StatusBadge status={message.status} reason={message.error?.title} />
      {message.delivery_verdict !== null && <DroppedBadge />}
      {message.retry_of !== null && <RetryBadge />}
    </Group>
  );
}

function DroppedBadge() {
  return <ToneBadge tone="warn" icon={IconHelpCircle} label={texts.dropped} reason={texts.droppedHint} />;
}

export function RetryBadge() {
  return <ToneBadge tone="busy" icon={IconRepeat} label={texts.retryBadge} reason={texts.retryBadgeHint} />;
}
