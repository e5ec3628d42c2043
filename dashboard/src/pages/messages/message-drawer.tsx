import { Alert, Divider, Drawer, Group, Stack, Text, Title } from '@mantine/core';
import { IconClockPause, IconHelpCircle, IconHourglass } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useLive } from '../../api/use-live';
import { QueryState } from '../../components/query-state';
import { StatusBadge } from '../../components/status-badge';
import { PhonePreview } from '../../preview/phone-preview';
import { messageValues } from '../../../../src/templates/domain/message-values';
import { strings } from '../../strings';
import { CancelMessage } from './cancel-message';
import { MessageError } from './message-error';
import { Facts, Money, RetryChain, Timeline } from './message-facts';
import { RetryBadge } from './message-rows';
import type { MessageDetails } from './types';

const texts = strings.messages.drawer;

/** All about one message, beside the list; closed without an id. */
export function MessageDrawer({ id, isWide }: { id: string | undefined; isWide: boolean }) {
  const navigate = useNavigate();
  const { search, state } = useLocation();
  return (
    <Drawer
      opened={id !== undefined}
      onClose={() => void navigate({ pathname: '/messages', search }, { state })}
      position="right"
      size={isWide ? 'lg' : '100%'}
      title={id !== undefined && <Title order={2}>{texts.title(id)}</Title>}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      {id !== undefined && <MessageContent key={id} id={id} />}
    </Drawer>
  );
}

function MessageContent({ id }: { id: string }) {
  const message = useLive<MessageDetails>(`messages/${encodeURIComponent(id)}`);
  return <QueryState query={message}>{(details) => <Details message={details} />}</QueryState>;
}

function Details({ message }: { message: MessageDetails }) {
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Group gap="xs">
          <StatusBadge status={message.status} size="lg" />
          {message.retry_of !== null && <RetryBadge />}
        </Group>
        <CancelMessage message={message} />
      </Group>
      {message.error && <MessageError error={message.error} errorClass={message.error_class} />}
      {message.hold && (
        <Alert
          color="yellow"
          icon={<IconClockPause size={18} aria-hidden />}
          title={texts.hold(texts.holdScopes[message.hold.scope] ?? message.hold.scope)}
        >
          {message.hold.title}
        </Alert>
      )}
      <SentNotice message={message} />
      {(message.original || message.retry) && (
        <Section title={texts.chain}>
          <RetryChain message={message} />
        </Section>
      )}
      <Section title={texts.preview}>
        <Preview message={message} />
      </Section>
      <Divider />
      <Section title={texts.timeline}>
        <Timeline events={message.events} />
      </Section>
      <Section title={texts.money}>
        <Money ledger={message.ledger} />
      </Section>
      <Section title={texts.facts}>
        <Facts message={message} />
      </Section>
    </Stack>
  );
}

/** Says what may have happened to a sent message without further receipts. */
function SentNotice({ message }: { message: MessageDetails }) {
  if (message.delivery_verdict !== null) {
    return (
      <Alert color="yellow" icon={<IconHelpCircle size={18} aria-hidden />} title={strings.messages.dropped}>
        {texts.droppedText}
      </Alert>
    );
  }
  if (!isHeldByProvider(message)) return null;
  return (
    <Alert color="yellow" icon={<IconHourglass size={18} aria-hidden />} title={texts.heldByProvider}>
      {texts.heldByProviderText}
    </Alert>
  );
}

/** Whether the provider took the message for later, and no receipt says yet that it went on. */
function isHeldByProvider({ status, events }: MessageDetails): boolean {
  const answer = events.findLast(({ event, details }) => event === 'sent' && details?.source === 'answer');
  const isOnItsWay = events.some(({ event, details }) => event === 'sent' && details?.source === 'receipt');
  return status === 'sent' && !isOnItsWay && answer?.details?.messageStatus === 'held_for_quality_assessment';
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Title order={3} mb="xs">
        {title}
      </Title>
      {children}
    </section>
  );
}

function Preview({ message }: { message: MessageDetails }) {
  const { template_components: components, status } = message;
  if (!components) return <Text c="dimmed">{texts.previewGone}</Text>;
  const ticks = status === 'sent' || status === 'delivered' || status === 'read' ? status : null;
  return (
    <PhonePreview
      components={components}
      values={messageValues(message.components)}
      language={message.template.language}
      sender={message.number_name}
      at={message.sent_at ?? message.scheduled_at ?? message.created_at}
      status={ticks}
    />
  );
}
