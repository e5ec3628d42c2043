import { authenticationBody, authenticationTexts } from '../../provider/domain/authentication-texts.js';
import type { MessageValues } from './message-values.js';
import { fillIn } from './placeholders.js';
import { isCodeUrl } from './template-buttons.js';
import { readTemplateContent } from './template-content.js';
import type { TemplateComponent } from './template-draft.js';

/** Labels of buttons for which the template has none: the app draws them by itself, in the phone's language. */
const LABELS = { copyCode: 'Copy offer code', catalog: 'View catalog', unnamed: 'Button' };
const OFFER = 'Limited-time offer';

export type ButtonKind = 'reply' | 'link' | 'phone' | 'copy' | 'catalog' | 'other';

export type RenderedHeader =
  | { kind: 'text'; text: string }
  | { kind: 'image' | 'video'; url: string | null }
  | { kind: 'document'; url: string | null; fileName: string | null }
  | { kind: 'location'; name: string | null; address: string | null };

export interface RenderedButton {
  index: number;
  kind: ButtonKind;
  label: string;
  /** The address of a link, the number to call, or the code to copy. */
  target: string | null;
}

/** A message as it is drawn: texts with their values in place, empty if there are none. */
export interface RenderedMessage {
  header: RenderedHeader | null;
  body: string;
  footer: string;
  offer: string | null;
  buttons: RenderedButton[];
  cards: RenderedCard[];
}

/** A card of a carousel, a small message of its own. */
export interface RenderedCard extends RenderedMessage {
  index: number;
}

type Button = NonNullable<TemplateComponent['buttons']>[number];

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/**
 * What the recipient reads of a template's components with these values: in a preview, and in the answer to who asks
 * before a send. The texts of authentication templates are the provider's, in the template's language.
 */
export function renderMessage(
  components: TemplateComponent[],
  values: MessageValues = {},
  language = 'en',
): RenderedMessage {
  const stored = Array.isArray(components) ? components.filter(Boolean) : [];
  const find = (type: string) => stored.find((component) => textOf(component.type)?.toUpperCase() === type);
  const buttons = find('BUTTONS')?.buttons;
  const cards = find('CAROUSEL')?.cards;
  return {
    header: readHeader(stored, values.header),
    body: fillIn(readBody(find('BODY'), buttons, language), values.body),
    footer: readFooter(find('FOOTER'), language),
    offer: readOffer(find('LIMITED_TIME_OFFER')),
    buttons: Array.isArray(buttons)
      ? buttons.map((button, index) => ({
          index,
          ...readButton(button, values.buttons?.[index] ?? '', language),
        }))
      : [],
    cards: Array.isArray(cards)
      ? cards.map((card, index) => ({
          index,
          ...renderMessage(card?.components, values.cards?.[index] ?? {}, language),
        }))
      : [],
  };
}

/** Reads the header. Without values, the template's sample media are shown in place of the media to be sent. */
function readHeader(components: TemplateComponent[], values: MessageValues['header']): RenderedHeader | null {
  const content = readTemplateContent(components);
  const url = values ? (values.mediaUrl ?? null) : content.headerSampleMediaUrl;
  if (content.headerNeedsLocation) {
    const { name = null, address = null } = values?.location ?? {};
    return { kind: 'location', name, address };
  }
  switch (content.headerType) {
    case 'none':
      return null;
    case 'text': {
      const keys = content.headerParams.map((key) => [key, values?.text ?? '']);
      return { kind: 'text', text: fillIn(content.header ?? '', Object.fromEntries(keys)) };
    }
    case 'document':
      return { kind: 'document', url, fileName: values?.fileName ?? fileNameIn(url) };
    default:
      return { kind: content.headerType, url };
  }
}

function fileNameIn(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return null;
  const name = new URL(url).pathname.split('/').at(-1) ?? '';
  return /\.\w{2,5}$/.test(name) ? name : null;
}

/** Reads the body. For authentication, the provider writes it, so that a draft has none. */
function readBody(
  body: TemplateComponent | undefined,
  buttons: Button[] | undefined,
  language: string,
): string {
  const isAuthentication =
    Array.isArray(buttons) && buttons.some((button) => textOf(button?.type)?.toUpperCase() === 'OTP');
  if (textOf(body?.text) !== null || !isAuthentication) return textOf(body?.text) ?? '';
  return authenticationBody(language, body?.add_security_recommendation === true);
}

function readFooter(footer: TemplateComponent | undefined, language: string): string {
  const minutes = footer?.code_expiration_minutes;
  return (
    textOf(footer?.text) ?? (typeof minutes === 'number' ? authenticationTexts(language).expiry(minutes) : '')
  );
}

function readOffer(component: TemplateComponent | undefined): string | null {
  if (!component) return null;
  const { text } = (component.limited_time_offer ?? {}) as { text?: unknown };
  return textOf(text) ?? OFFER;
}

function readButton(button: Button, value: string, language: string): Omit<RenderedButton, 'index'> {
  const [type, text, url] = [textOf(button?.type)?.toUpperCase(), textOf(button?.text), textOf(button?.url)];
  const labelled = (kind: RenderedButton['kind'], fallback: string, target: string | null = null) => ({
    kind,
    label: text ?? fallback,
    target: target || null,
  });
  if (type === 'OTP' || (url && isCodeUrl(url)))
    return labelled('copy', authenticationTexts(language).copy, value);
  switch (type) {
    case 'QUICK_REPLY':
      return labelled('reply', LABELS.unnamed);
    case 'URL':
      return labelled('link', LABELS.unnamed, fillIn(url ?? '', { 1: value }));
    case 'PHONE_NUMBER':
      return labelled('phone', LABELS.unnamed, textOf(button.phone_number));
    case 'COPY_CODE':
      return labelled('copy', LABELS.copyCode, value);
    case 'CATALOG':
    case 'MPM':
      return labelled('catalog', LABELS.catalog);
    default:
      return labelled('other', LABELS.unnamed);
  }
}
