import { isCodeUrl } from '../../../src/templates/domain/template-buttons';
import { readTemplateContent } from '../../../src/templates/domain/template-content';
import type { TemplateComponent } from '../../../src/templates/domain/template-draft';
import { preview as texts } from '../strings/preview';
import { fillIn } from './format-text';
import type { PreviewValues } from './preview-values';

export type PreviewHeader =
  | { kind: 'text'; text: string }
  | { kind: 'image' | 'video'; url: string | null }
  | { kind: 'document'; fileName: string | null }
  | { kind: 'location'; name: string | null; address: string | null };

export interface PreviewButton {
  index: number;
  kind: keyof typeof texts.buttons.kinds;
  label: string;
  /** The address of a link, the number to call, or the code to copy. */
  target: string | null;
}

/** A message as it is drawn: texts with their values in place, empty if there are none. */
export interface PreviewMessage {
  header: PreviewHeader | null;
  body: string;
  footer: string;
  offer: string | null;
  buttons: PreviewButton[];
  cards: PreviewCard[];
}

/** A card of a carousel, a small message of its own. */
export interface PreviewCard extends PreviewMessage {
  index: number;
}

type Button = NonNullable<TemplateComponent['buttons']>[number];

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** What the recipient sees of a template's components with these values. */
export function messageOf(components: TemplateComponent[], values: PreviewValues = {}): PreviewMessage {
  const stored = Array.isArray(components) ? components.filter(Boolean) : [];
  const find = (type: string) => stored.find((component) => textOf(component.type)?.toUpperCase() === type);
  const buttons = find('BUTTONS')?.buttons;
  const cards = find('CAROUSEL')?.cards;
  return {
    header: readHeader(stored, values.header),
    body: fillIn(readBody(find('BODY'), buttons), values.body),
    footer: readFooter(find('FOOTER')),
    offer: readOffer(find('LIMITED_TIME_OFFER')),
    buttons: Array.isArray(buttons)
      ? buttons.map((button, index) => ({ index, ...readButton(button, values.buttons?.[index] ?? '') }))
      : [],
    cards: Array.isArray(cards)
      ? cards.map((card, index) => ({ index, ...messageOf(card?.components, values.cards?.[index] ?? {}) }))
      : [],
  };
}

/** Reads the header. Without values, the template's sample media are shown in place of the media to be sent. */
function readHeader(components: TemplateComponent[], values: PreviewValues['header']): PreviewHeader | null {
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
      return { kind: 'document', fileName: values?.fileName ?? fileNameIn(url) };
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
function readBody(body: TemplateComponent | undefined, buttons: Button[] | undefined): string {
  const isAuthentication =
    Array.isArray(buttons) && buttons.some((button) => textOf(button?.type)?.toUpperCase() === 'OTP');
  if (textOf(body?.text) !== null || !isAuthentication) return textOf(body?.text) ?? '';
  const { body: text, security } = texts.authentication;
  return body?.add_security_recommendation === true ? `${text} ${security}` : text;
}

function readFooter(footer: TemplateComponent | undefined): string {
  const minutes = footer?.code_expiration_minutes;
  return textOf(footer?.text) ?? (typeof minutes === 'number' ? texts.authentication.expiry(minutes) : '');
}

function readOffer(component: TemplateComponent | undefined): string | null {
  if (!component) return null;
  const { text } = (component.limited_time_offer ?? {}) as { text?: unknown };
  return textOf(text) ?? texts.offer;
}

function readButton(button: Button, value: string): Omit<PreviewButton, 'index'> {
  const { buttons } = texts;
  const [type, text, url] = [textOf(button?.type)?.toUpperCase(), textOf(button?.text), textOf(button?.url)];
  const labelled = (kind: PreviewButton['kind'], fallback: string, target: string | null = null) => ({
    kind,
    label: text ?? fallback,
    target: target || null,
  });
  if (type === 'OTP' || (url && isCodeUrl(url))) return labelled('copy', buttons.copyOtp, value);
  switch (type) {
    case 'QUICK_REPLY':
      return labelled('reply', buttons.unnamed);
    case 'URL':
      return labelled('link', buttons.unnamed, fillIn(url ?? '', { 1: value }));
    case 'PHONE_NUMBER':
      return labelled('phone', buttons.unnamed, textOf(button.phone_number));
    case 'COPY_CODE':
      return labelled('copy', buttons.copyCode, value);
    case 'CATALOG':
    case 'MPM':
      return labelled('catalog', buttons.catalog);
    default:
      return labelled('other', buttons.unnamed);
  }
}
