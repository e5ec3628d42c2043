import {
  IconArrowBackUp,
  IconBuildingStore,
  IconCopy,
  IconExternalLink,
  IconList,
  IconPhone,
  IconPointer,
  type Icon,
} from '@tabler/icons-react';
import { useState } from 'react';
import { preview as texts } from '../strings/preview';
import { PlainText } from './formatted-text';
import classes from './message-buttons.module.css';
import type { RenderedButton } from '../../../src/templates/domain/render-message';

const ICONS: Record<RenderedButton['kind'], Icon> = {
  reply: IconArrowBackUp,
  link: IconExternalLink,
  phone: IconPhone,
  copy: IconCopy,
  catalog: IconBuildingStore,
  other: IconPointer,
};

/** The app shows up to three buttons. If there are more, it shows two, and the others after a tap. */
const MOST_SHOWN = 3;
const SHOWN_OF_MORE = 2;

/** The buttons under a message. They show what they would do, but do nothing. */
export function MessageButtons({ buttons }: { buttons: RenderedButton[] }) {
  const [isOpen, setIsOpen] = useState(false);
  if (buttons.length === 0) return null;
  const hasMore = buttons.length > MOST_SHOWN;
  const shown = hasMore && !isOpen ? buttons.slice(0, SHOWN_OF_MORE) : buttons;
  return (
    <div className={classes.buttons}>
      <ul className={classes.list}>
        {shown.map((button) => (
          <ButtonRow key={button.index} button={button} />
        ))}
      </ul>
      {hasMore && (
        <button
          type="button"
          className={classes.more}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          <IconList size={17} aria-hidden />
          {isOpen ? texts.buttons.seeFewer : texts.buttons.seeAll}
        </button>
      )}
    </div>
  );
}

function ButtonRow({ button: { kind, label, target } }: { button: RenderedButton }) {
  const ButtonIcon = ICONS[kind];
  const meaning = texts.buttons.kinds[kind];
  return (
    <li className={classes.button} title={target === null ? meaning : `${meaning}: ${target}`}>
      <ButtonIcon size={17} aria-hidden />
      <span dir="auto">
        <PlainText text={label} />
      </span>
    </li>
  );
}
