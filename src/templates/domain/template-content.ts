import type { WireTemplateComponent } from '../../provider/wire.js';
import { readButtons, type TemplateButton } from './template-buttons.js';
import { looksNamed, placeholdersOf, type ParameterFormat } from './placeholders.js';

export type { ParameterFormat, TemplateButton };
export type HeaderType = 'none' | 'text' | 'image' | 'video' | 'document';

/** What a template says and what a send of it needs, derived from the provider's components. */
export interface TemplateContent {
  parameterFormat: ParameterFormat;
  paramsCount: number;
  /** `1`, `2`, … or names: each once, in the order in which `data.params` supplies them. */
  bodyParams: string[];
  body: string | null;
  headerType: HeaderType;
  /** The header's text; null unless `headerType` is `text`. */
  header: string | null;
  headerParams: string[];
  /** A location header lists as `none`, yet every send needs a location for it. */
  headerNeedsLocation: boolean;
  /** A URL; null unless `headerType` is image, video or document. */
  headerSampleMediaUrl: string | null;
  footer: string | null;
  buttons: TemplateButton[];
  /** Whether every send has to say when its limited-time offer ends. */
  offerEnds: boolean;
  /** The cards of a carousel. */
  cards: TemplateContent[];
}

const HEADER_TYPES: Record<string, HeaderType> = {
  TEXT: 'text',
  IMAGE: 'image',
  VIDEO: 'video',
  DOCUMENT: 'document',
};

type Stored = Record<string, unknown>;

const isObject = (value: unknown): value is Stored => typeof value === 'object' && value !== null;
const upper = (value: unknown): string => (typeof value === 'string' ? value.trim().toUpperCase() : '');
const textOf = (component: Stored | undefined): string | null =>
  typeof component?.text === 'string' && component.text !== '' ? component.text : null;

function sampleUrl(header: Stored | undefined): string | null {
  const example = header?.example;
  const handles = isObject(example) ? example.header_handle : undefined;
  const sample: unknown = Array.isArray(handles) ? handles[0] : undefined;
  // A template not yet read back from the provider may hold its upload handle here, which is no URL.
  return typeof sample === 'string' && /^https?:\/\//i.test(sample) ? sample : null;
}

function readHeader(header: Stored | undefined, format: ParameterFormat) {
  const kind = upper(header?.format);
  const headerType = HEADER_TYPES[kind] ?? 'none';
  const text = headerType === 'text' ? textOf(header) : null;
  return {
    headerType,
    header: text,
    headerParams: placeholdersOf(text, format),
    headerNeedsLocation: kind === 'LOCATION',
    headerSampleMediaUrl: ['none', 'text'].includes(headerType) ? null : sampleUrl(header),
  };
}

function formatOf(parameterFormat: unknown, texts: (string | null)[]): ParameterFormat {
  if (parameterFormat === 'NAMED' || parameterFormat === 'POSITIONAL') return parameterFormat;
  return looksNamed(texts.join(' ')) ? 'NAMED' : 'POSITIONAL';
}

/**
 * Reads the provider's components, of which the first of each type counts. Stored data that is odd (fields missing
 * or of the wrong type) reads as absent; this never throws. Without a format, the placeholders themselves decide.
 */
export function readTemplateContent(
  components: WireTemplateComponent[],
  parameterFormat?: ParameterFormat,
): TemplateContent {
  const stored: Stored[] = Array.isArray(components) ? components.filter((item) => isObject(item)) : [];
  const first = (type: string) => stored.find((component) => upper(component.type) === type);
  const [headerPart, bodyPart] = [first('HEADER'), first('BODY')];
  const body = textOf(bodyPart);
  const format = formatOf(parameterFormat, [textOf(headerPart), body]);
  const buttons = readButtons(stored.filter((component) => upper(component.type) === 'BUTTONS'));
  // The provider writes the body of an authentication template itself, always with the code as its one parameter;
  // a template created a moment ago has no body text yet.
  const codeOnly = bodyPart !== undefined && body === null && buttons.some((button) => button.type === 'OTP');
  const bodyParams = codeOnly ? ['1'] : placeholdersOf(body, format);
  return {
    parameterFormat: format,
    paramsCount: bodyParams.length,
    bodyParams,
    body,
    ...readHeader(headerPart, format),
    footer: textOf(first('FOOTER')),
    buttons,
    offerEnds: offerEnds(first('LIMITED_TIME_OFFER')),
    cards: cardsOf(first('CAROUSEL'), format),
  };
}

/** An offer ends unless the template says otherwise. */
function offerEnds(offer: Stored | undefined): boolean {
  if (!offer) return false;
  const settings = offer.limited_time_offer;
  return !(isObject(settings) && settings.has_expiration === false);
}

function cardsOf(carousel: Stored | undefined, format: ParameterFormat): TemplateContent[] {
  const cards: unknown[] = Array.isArray(carousel?.cards) ? carousel.cards : [];
  return cards.map((card) =>
    readTemplateContent(isObject(card) ? (card.components as WireTemplateComponent[]) : [], format),
  );
}
