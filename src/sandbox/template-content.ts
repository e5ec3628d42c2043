import type {
  WireComponent,
  WireParameter,
  WireTemplate,
  WireTemplateButton,
  WireTemplateComponent,
} from '../provider/wire.js';
import type { QuickReply, SandboxMessage } from './sandbox-state.js';

const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/g;

/** The distinct placeholders of a text, in order: `['1', '2']` or `['first_name']`. */
export function placeholders(text: string | undefined): string[] {
  return [...new Set([...(text ?? '').matchAll(PLACEHOLDER)].map((match) => match[1] ?? ''))];
}

export function findComponent(
  components: WireTemplateComponent[],
  type: string,
): WireTemplateComponent | undefined {
  return components.find((component) => String(component.type).toUpperCase() === type);
}

export function templateButtons(components: WireTemplateComponent[]): WireTemplateButton[] {
  return findComponent(components, 'BUTTONS')?.buttons ?? [];
}

/** The text of a parameter in the message. */
export function parameterText(parameter: WireParameter): string {
  return parameter.text ?? parameter.currency?.fallback_value ?? parameter.date_time?.fallback_value ?? '';
}

/** A text with the parameters put in; a placeholder without one stays as it is. */
export function fillIn(text: string, parameters: WireParameter[]): string {
  const values = new Map<string, string>();
  parameters.forEach((parameter, index) => {
    values.set(String(index + 1), parameterText(parameter));
    if (parameter.parameter_name) values.set(parameter.parameter_name, parameterText(parameter));
  });
  return text.replace(PLACEHOLDER, (whole, name: string) => values.get(name) ?? whole);
}

type Rendered = Pick<SandboxMessage, 'header' | 'text' | 'footer' | 'buttons' | 'quick_replies'>;

/** The message as its recipient sees it. */
export function renderMessage(template: WireTemplate, sent: WireComponent[]): Rendered {
  const { components } = template;
  const body = findComponent(components, 'BODY')?.text ?? '';
  const cards = sent.find(({ type }) => type === 'carousel')?.cards?.length ?? 0;
  const text = fillIn(body, sent.find(({ type }) => type === 'body')?.parameters ?? []);
  return {
    header: renderHeader(findComponent(components, 'HEADER'), sent),
    text: cards > 0 ? `${text}\n[carousel of ${cards} cards]` : text,
    footer: findComponent(components, 'FOOTER')?.text,
    buttons: templateButtons(components).map((button, index) => renderButton(button, index, sent)),
    quick_replies: quickReplies(components, sent),
  };
}

function renderHeader(header: WireTemplateComponent | undefined, sent: WireComponent[]): Rendered['header'] {
  if (!header?.format) return undefined;
  const kind = header.format.toLowerCase();
  const parameters = sent.find(({ type }) => type === 'header')?.parameters ?? [];
  if (kind === 'text') return { kind, text: fillIn(header.text ?? '', parameters) };
  const { image, video, document, location } = parameters[0] ?? {};
  const media = image ?? video ?? document;
  const text = media?.filename ?? [location?.name, location?.address].filter(Boolean).join(', ');
  return { kind, ...(text && { text }), media: media?.link ?? media?.id };
}

function renderButton(button: WireTemplateButton, index: number, sent: WireComponent[]): string {
  const label = button.text ?? button.type;
  const parameters = parametersOfButton(sent, index);
  const coupon = parameters[0]?.coupon_code;
  if (coupon) return `${label}: ${coupon}`;
  return button.url ? `${label}: ${fillIn(button.url, parameters)}` : label;
}

/** The quick replies of the message and, after them, of its cards. */
function quickReplies(components: WireTemplateComponent[], sent: WireComponent[]): QuickReply[] {
  const cards = findComponent(components, 'CAROUSEL')?.cards ?? [];
  const sentCards = sent.find(({ type }) => type === 'carousel')?.cards ?? [];
  const ofCards = sentCards.flatMap(({ card_index, components: parts }) =>
    quickReplies(cards[card_index]?.components ?? [], parts),
  );
  const own = templateButtons(components).flatMap(({ type, text }, index) => {
    if (type !== 'QUICK_REPLY' || text === undefined) return [];
    return [{ text, payload: parametersOfButton(sent, index)[0]?.payload ?? text }];
  });
  return [...own, ...ofCards];
}

function parametersOfButton(sent: WireComponent[], index: number): WireParameter[] {
  return sent.find((part) => part.type === 'button' && Number(part.index) === index)?.parameters ?? [];
}
