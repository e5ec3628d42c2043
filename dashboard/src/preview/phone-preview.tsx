import { IconCheck, IconChecks, IconClockHour4, IconUser } from '@tabler/icons-react';
import { serviceNow } from '../api/service-clock';
import { memo, useState, type ReactNode } from 'react';
import type { TemplateComponent } from '../../../src/templates/domain/template-draft';
import { ScrollRegion } from '../components/scroll-region';
import { preview as texts } from '../strings/preview';
import { FormattedText } from './formatted-text';
import { MessageButtons } from './message-buttons';
import { MessageHeader } from './message-header';
import {
  renderMessage,
  type RenderedCard,
  type RenderedMessage,
} from '../../../src/templates/domain/render-message';
import classes from './phone-preview.module.css';
import type { MessageValues } from '../../../src/templates/domain/message-values';

export interface PhonePreviewProps {
  /** The provider's components of the template. */
  components: TemplateComponent[];
  values?: MessageValues;
  /** The template's language, for texts that the provider writes. */
  language?: string;
  /** The name in the bar above the chat; without it there is no bar. */
  sender?: string;
  /** When the message was sent; now by default. */
  at?: Date | string | null;
  /** The status of a sent message, shown as ticks, which the recipient does not see. */
  status?: 'sent' | 'delivered' | 'read' | null;
}

/**
 * A template as its recipient sees it in the chat, as wide as its container, but not wider than a phone. It is drawn
 * again only when it has changed, as forms show it while the user types.
 */
export const PhonePreview = memo(function PhonePreview({
  components,
  values,
  language,
  sender,
  at = null,
  status = null,
}: PhonePreviewProps) {
  const [now] = useState(() => new Date(serviceNow()));
  const message = renderMessage(components, values, language);
  const time = new Date(at ?? now);
  return (
    <div className={classes.phone} role="group" aria-label={texts.label}>
      {sender !== undefined && (
        <div className={classes.bar}>
          <span className={classes.avatar}>
            <IconUser size={18} aria-hidden />
          </span>
          <span dir="auto">{sender}</span>
        </div>
      )}
      <div className={classes.chat}>
        <Bubble message={message}>
          <Stamp time={time} status={status} />
        </Bubble>
        {message.cards.length > 0 && <Cards cards={message.cards} />}
      </div>
    </div>
  );
});

function Bubble({ message, children }: { message: RenderedMessage; children?: ReactNode }) {
  const { header, body, footer, offer, buttons } = message;
  const isWide = buttons.length > 0 || offer !== null || (header !== null && header.kind !== 'text');
  return (
    <div className={classes.bubble} data-wide={isWide || undefined}>
      {header && <MessageHeader header={header} />}
      {offer !== null && (
        <p className={classes.offer} dir="auto">
          <IconClockHour4 size={18} aria-hidden />
          {offer}
        </p>
      )}
      <div className={classes.body}>
        {body === '' && !header && !footer ? (
          <p className={classes.empty} dir="auto">
            {texts.empty}
          </p>
        ) : (
          body !== '' && <FormattedText text={body} />
        )}
      </div>
      {footer !== '' && (
        <p className={classes.footer} dir="auto">
          {footer}
        </p>
      )}
      {children}
      <MessageButtons buttons={buttons} />
    </div>
  );
}

function Stamp({ time, status }: { time: Date; status: Exclude<PhonePreviewProps['status'], undefined> }) {
  const isKnown = !Number.isNaN(time.getTime());
  const Tick = status === 'sent' ? IconCheck : IconChecks;
  return (
    <div className={classes.stamp}>
      {isKnown && (
        <time dateTime={time.toISOString()} dir="auto">
          {time.toLocaleTimeString(undefined, { hour: 'numeric', minute: '2-digit' })}
        </time>
      )}
      {status && (
        <Tick
          size={15}
          role="img"
          aria-label={texts.ticks[status]}
          className={status === 'read' ? classes.read : undefined}
        />
      )}
    </div>
  );
}

/** The cards of a carousel, to be scrolled sideways. */
function Cards({ cards }: { cards: RenderedCard[] }) {
  return (
    <ScrollRegion className={classes.cards} label={texts.cards}>
      {cards.map((card) => (
        <Bubble key={card.index} message={card} />
      ))}
    </ScrollRegion>
  );
}
