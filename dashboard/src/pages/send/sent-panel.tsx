import { Alert, Button, Card, Grid, Group, Stack, Text, Timeline, Title } from '@mantine/core';
import { IconCheck, IconChecks, IconEye, IconInbox, IconPlayerPause, IconSend } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { useLive } from '../../api/use-live';
import { Money } from '../../components/money';
import { QueryState } from '../../components/query-state';
import { StatusBadge } from '../../components/status-badge';
import { Time } from '../../components/time';
import { PhonePreview } from '../../preview/phone-preview';
import { messageValues } from '../../../../src/templates/domain/message-values';
import { strings } from '../../strings';
import type { MessageDetails, MessageStatus } from '../messages/types';

const texts = strings.send;

const TITLES: Partial<Record<MessageStatus, string>> = {
  scheduled: texts.scheduledTitle,
  read: texts.readTitle,
  failed: texts.failedTitle,
  canceled: texts.canceledTitle,
};

interface SentPanelProps {
  /** The message's id. */
  id: number;
  onAnother: () => void;
}

/** Shows the progress of the message, live. */
export function SentPanel({ id, onAnother }: SentPanelProps) {
  const message = useLive<MessageDetails>(`messages/${id}`);
  return <QueryState query={message}>{(data) => <Fate message={data} onAnother={onAnother} />}</QueryState>;
}

function Fate({ message, onAnother }: { message: MessageDetails; onAnother: () => void }) {
  const { status, phone, error, hold, message_log_id: id } = message;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Card withBorder padding="lg" component="section" aria-label={texts.sentTo(phone)}>
          <Stack>
            <Group justify="space-between" role="status">
              <div>
                <Title order={2} ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
                  {TITLES[status] ?? texts.sentTitle}
                </Title>
                <Text c="dimmed" dir="auto">
                  {texts.sentTo(phone)}
                </Text>
              </div>
              <StatusBadge status={status} size="lg" />
            </Group>
            {error && (
              <Alert color="red" title={error.title}>
                {error.details}
              </Alert>
            )}
            {hold && (
              <Alert color="yellow" icon={<IconPlayerPause aria-hidden />}>
                {texts.waitsFor(hold.title)}
              </Alert>
            )}
            <Steps message={message} />
            <Group>
              <Button onClick={onAnother} leftSection={<IconSend size={16} aria-hidden />}>
                {texts.another}
              </Button>
              <Button component={Link} to={`/messages/${id}`} variant="default">
                {texts.details}
              </Button>
            </Group>
          </Stack>
        </Card>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        {message.template_components && (
          <PhonePreview
            components={message.template_components}
            values={messageValues(message.components)}
            language={message.template.language}
            at={message.sent_at}
            status={tickOf(status)}
          />
        )}
      </Grid.Col>
    </Grid>
  );
}

const STEPS = [
  ['accepted', IconInbox],
  ['sent', IconCheck],
  ['delivered', IconChecks],
  ['read', IconEye],
] as const;

/** The steps to the recipient. A later step implies the earlier ones, whose receipts may never come. */
function Steps({ message }: { message: MessageDetails }) {
  const times = STEPS.map(([step]) => message.events.find(({ event }) => event === step)?.occurred_at);
  const last = times.findLastIndex((time) => time !== undefined);
  return (
    <Timeline active={last} bulletSize={28} lineWidth={2}>
      {STEPS.map(([step, Icon], i) => (
        <Timeline.Item key={step} bullet={<Icon size={16} aria-hidden />} title={texts.steps[step]}>
          <Text size="sm" c="dimmed" component="div">
            {times[i] ? <Time at={times[i]} /> : i === last + 1 && isOnItsWay(message) && texts.waiting}
            {step === 'accepted' && <Accepted message={message} />}
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  );
}

function Accepted({ message: { cost, currency, scheduled_at: at, timezone } }: { message: MessageDetails }) {
  return (
    <>
      {' · '}
      {texts.charged} <Money amount={String(cost)} currency={currency} />
      {at && (
        <div>
          {texts.scheduledFor} <Time at={at} {...(timezone !== null && { zone: timezone })} exact />
        </div>
      )}
    </>
  );
}

function isOnItsWay({ status }: MessageDetails): boolean {
  return status !== 'failed' && status !== 'canceled';
}

function tickOf(status: MessageStatus) {
  return status === 'sent' || status === 'delivered' || status === 'read' ? status : null;
}
