import { Anchor, Group, Stack, Text, Timeline as MantineTimeline } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { CategoryBadge } from '../../components/category-badge';
import { CopyText } from '../../components/copy-button';
import { Money as Amount } from '../../components/money';
import { StatusBadge } from '../../components/status-badge';
import { Time } from '../../components/time';
import { formatNumber } from '../../format';
import { strings } from '../../strings';
import { RetryBadge } from './message-rows';
import classes from './messages.module.css';
import type { ChainLink, LedgerLine, MessageDetails, MessageEvent } from './types';

const texts = strings.messages.drawer;

/** The events of a message, oldest first. */
export function Timeline({ events }: { events: MessageEvent[] }) {
  return (
    <MantineTimeline bulletSize={14} lineWidth={2} active={events.length} className={classes.timeline}>
      {events.map((event) => (
        <MantineTimeline.Item
          key={`${event.event} ${event.occurred_at} ${event.recorded_at}`}
          title={titleOf(event)}
        >
          {event.details?.error && (
            <Text size="sm" c="dimmed">
              {event.details.error.title}
            </Text>
          )}
          <Text size="xs" c="dimmed">
            <Time at={event.occurred_at} exact />
          </Text>
        </MantineTimeline.Item>
      ))}
    </MantineTimeline>
  );
}

/** The title of an event. It tells answer and receipt apart, as both may say that a message was sent. */
function titleOf({ event, details }: MessageEvent): string {
  const { events } = strings.messages;
  return (details?.source === 'receipt' ? events[`${event}_receipt`] : undefined) ?? events[event] ?? event;
}

/** The message's charges and refunds in the ledger. */
export function Money({ ledger }: { ledger: LedgerLine[] }) {
  if (ledger.length === 0) return <Text c="dimmed">{texts.noMoney}</Text>;
  return (
    <Stack gap={4}>
      {ledger.map(({ kind, amount, currency, created_at }) => (
        <Group key={`${kind} ${created_at}`} justify="space-between" gap="xs">
          <Text size="sm">
            {texts[kind]}{' '}
            <Text span size="xs" c="dimmed">
              <Time at={created_at} />
            </Text>
          </Text>
          <Text size="sm" fw={600} component="div" dir="ltr">
            {kind === 'refund' && '−'}
            <Amount amount={amount} currency={currency} />
          </Text>
        </Group>
      ))}
    </Stack>
  );
}

/** The original and its retry; this message is one of them. */
export function RetryChain({ message }: { message: MessageDetails }) {
  return (
    <Stack gap="xs">
      {message.original && <ChainEntry label={texts.original} link={message.original} />}
      <ChainEntry label={message.original ? texts.retry : texts.original} link={message} isThis />
      {message.retry && <ChainEntry label={texts.retry} link={message.retry} />}
      {message.retry?.status === 'scheduled' && (
        <Text size="sm" c="dimmed">
          {texts.retryPlanned}
        </Text>
      )}
    </Stack>
  );
}

function ChainEntry({ label, link, isThis = false }: { label: string; link: ChainLink; isThis?: boolean }) {
  const { search, state } = useLocation();
  const name = texts.title(link.message_log_id);
  return (
    <Group gap="xs">
      <Text size="sm" w={70}>
        {label}
      </Text>
      {isThis ? (
        <Text size="sm" c="dimmed">
          {texts.thisOne}
        </Text>
      ) : (
        <Anchor
          component={Link}
          to={{ pathname: `/messages/${link.message_log_id}`, search }}
          state={state}
          size="sm"
        >
          {name}
        </Anchor>
      )}
      <StatusBadge status={link.status} size="sm" />
      {label === texts.retry && <RetryBadge />}
      {link.status === 'scheduled' && (
        <Text size="xs" c="dimmed">
          <Time at={link.scheduled_at} />
        </Text>
      )}
    </Group>
  );
}

/** What the caller has put on the message, where there is any of it. */
function ownFacts(message: MessageDetails): [string, ReactNode][] {
  const { client_reference: reference, metadata, valid_until, max_cost, expect, currency } = message;
  const rows: [string, ReactNode | null][] = [
    [texts.reference, reference && <CopyText key="own" value={reference} label={texts.reference} />],
    [texts.metadata, metadata && linesOf(Object.entries(metadata).map(([name, text]) => `${name}: ${text}`))],
    [texts.validUntil, valid_until && <Time key="valid" at={valid_until} exact />],
    [texts.maxCost, max_cost !== null && <Amount key="max" amount={String(max_cost)} currency={currency} />],
    [texts.expected, expect && linesOf(expectationsOf(expect))],
  ];
  return rows.filter(([, value]) => value);
}

const linesOf = (lines: string[]) =>
  lines.map((line) => (
    <Text key={line} size="sm" className={classes.own}>
      {line}
    </Text>
  ));

const expectationsOf = ({ category, template_version: version }: NonNullable<MessageDetails['expect']>) => [
  ...(category ? [texts.expectedCategory(category)] : []),
  ...(version ? [texts.expectedVersion(version)] : []),
];

/** Everything else, with the ids to copy. */
export function Facts({ message }: { message: MessageDetails }) {
  const rows: [string, ReactNode][] = [
    [texts.recipient, <CopyText key="phone" value={`+${message.phone}`} label={texts.recipient} />],
    [texts.from, `${message.number_name} (+${message.number_phone})`],
    [texts.template, `${message.template.name} · ${message.template.language}`],
    [texts.category, <CategoryBadge key="category" category={message.conversation_category} />],
    [texts.accepted, <Time key="accepted" at={message.created_at} exact />],
    ...(message.scheduled_at === null
      ? []
      : [[texts.scheduled, <Scheduled key="scheduled" message={message} />] as [string, ReactNode]]),
    ...ownFacts(message),
    [texts.attempts, formatNumber(message.attempts)],
    [texts.id, <CopyText key="id" value={String(message.message_log_id)} label={texts.id} />],
    [
      texts.accountId,
      <CopyText key="account" value={message.messaging_account_id} label={texts.accountId} />,
    ],
    ...(message.provider_message_id === null
      ? []
      : [
          [
            texts.providerId,
            <CopyText key="provider" value={message.provider_message_id} label={texts.providerId} />,
          ] as [string, ReactNode],
        ]),
  ];
  return (
    <dl className={classes.facts}>
      {rows.map(([term, value]) => (
        <Fragment key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

function Scheduled({ message: { scheduled_at, timezone } }: { message: MessageDetails }) {
  return <Time at={scheduled_at} exact {...(timezone === null ? {} : { zone: timezone })} />;
}
