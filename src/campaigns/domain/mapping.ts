import type { WireComponent, WireParameter } from '../../provider/wire.js';
import type { TemplateContent } from '../../templates/domain/template-content.js';

/** Where a slot gets its text: from a column of the file, by position from 0, or the same for every recipient. */
export type SlotSource = { column: number } | { text: string };

/** The sources, by the slot's key: `phone`, `body.1`, `body.first_name`, `header.media`, `button.0`, … */
export type CampaignMapping = Record<string, SlotSource>;

export type SlotKind = 'phone' | 'text' | 'media' | 'file_name' | 'latitude' | 'longitude' | 'place';

/** One part of a message that may differ from recipient to recipient. */
export interface Slot {
  key: string;
  kind: SlotKind;
  /** The part of the message, and the placeholder, name or button in it. */
  part: 'phone' | 'header' | 'body' | 'button';
  name: string;
  /** An optional slot may stay without a source, and its cells may be empty. */
  optional: boolean;
}

/** The part of a send's body that a row decides. */
export interface FilledRow {
  phone: string;
  components: WireComponent[];
  /** Which slot filled what: by component, then parameter. */
  slots: string[][];
}

/** Components and buttons that campaigns cannot fill, as each recipient would need a list of their own. */
const UNFILLABLE = new Set(['CAROUSEL', 'LIMITED_TIME_OFFER', 'FLOW', 'CATALOG', 'MPM']);

const slot = (part: Slot['part'], name: string, kind: SlotKind = 'text', optional = false): Slot => ({
  key: name === '' ? part : `${part}.${name}`,
  kind,
  part,
  name,
  optional,
});

/** The components of a template that a campaign cannot fill; empty for nearly all. */
export function unfillable(components: { type?: unknown; buttons?: unknown }[]): string[] {
  const buttons = components.flatMap(({ buttons: list }): { type?: unknown }[] =>
    Array.isArray(list) ? list : [],
  );
  return [...components, ...buttons]
    .map(({ type }) => String(type).toUpperCase())
    .filter((type) => UNFILLABLE.has(type));
}

/** Everything that a template takes, the recipient's phone first. */
export function slotsOf(content: TemplateContent): Slot[] {
  return [
    slot('phone', '', 'phone'),
    ...headerSlots(content),
    ...content.bodyParams.map((name) => slot('body', name)),
    ...buttonSlots(content),
  ];
}

function headerSlots(content: TemplateContent): Slot[] {
  if (content.headerNeedsLocation) {
    return [
      slot('header', 'latitude', 'latitude'),
      slot('header', 'longitude', 'longitude'),
      slot('header', 'name', 'place', true),
      slot('header', 'address', 'place', true),
    ];
  }
  if (content.headerType === 'text') return content.headerParams.map((name) => slot('header', name));
  if (content.headerType === 'none') return [];
  const media = slot('header', 'media', 'media');
  return content.headerType === 'document'
    ? [media, slot('header', 'file_name', 'file_name', true)]
    : [media];
}

/** A one-time code is a parameter of the body as well: it is asked for once, there. */
function buttonSlots(content: TemplateContent): Slot[] {
  return content.buttons.flatMap(({ index, type, hasUrlVariable }) => {
    if (type === 'COPY_CODE') return [slot('button', String(index))];
    return hasUrlVariable && !repeatsBody(content, index) ? [slot('button', String(index))] : [];
  });
}

function repeatsBody({ buttons, bodyParams }: TemplateContent, index: number): boolean {
  const button = buttons.find((one) => one.index === index);
  return (
    bodyParams.length === 1 && (button?.type === 'OTP' || /whatsapp\.com\/otp\//i.test(button?.url ?? ''))
  );
}

/** What a slot says for one row; empty where it has no source, or the row no such cell. */
export function textOf(mapping: CampaignMapping, key: string, cells: string[]): string {
  const source = Object.hasOwn(mapping, key) ? mapping[key] : undefined;
  if (!source) return '';
  return 'column' in source ? (cells[source.column] ?? '') : source.text;
}

/** The recipient and parameters of one row. What is missing is left out or empty: the rules of a send judge it. */
export function fillRow(content: TemplateContent, mapping: CampaignMapping, cells: string[]): FilledRow {
  const text = (key: string) => textOf(mapping, key, cells);
  const parts = [headerPart(content, text), bodyPart(content, text), ...buttonParts(content, text)].filter(
    (part) => part !== null,
  );
  return {
    phone: text('phone'),
    components: parts.map(({ component }) => component),
    slots: parts.map(({ slots }) => slots),
  };
}

interface Part {
  component: WireComponent;
  slots: string[];
}
type Read = (key: string) => string;

function headerPart(content: TemplateContent, text: Read): Part | null {
  if (content.headerNeedsLocation) return location(text);
  if (content.headerType === 'none') return null;
  if (content.headerType === 'text') return texts(content, 'header', content.headerParams, text);
  const kind = content.headerType;
  const fileName = kind === 'document' ? text('header.file_name') : '';
  const media = { link: text('header.media'), ...(fileName !== '' && { filename: fileName }) };
  return {
    component: { type: 'header', parameters: [{ type: kind, [kind]: media } as WireParameter] },
    slots: ['header.media'],
  };
}

function location(text: Read): Part {
  const fields = ['latitude', 'longitude', 'name', 'address'].map((name) => [name, text(`header.${name}`)]);
  const value = Object.fromEntries(fields.filter(([, field]) => field !== ''));
  const parameter = { type: 'location', location: value } as unknown as WireParameter;
  return { component: { type: 'header', parameters: [parameter] }, slots: ['header.latitude'] };
}

function bodyPart(content: TemplateContent, text: Read): Part | null {
  return texts(content, 'body', content.bodyParams, text);
}

function texts(content: TemplateContent, type: 'header' | 'body', names: string[], text: Read): Part | null {
  if (names.length === 0) return null;
  const isNamed = content.parameterFormat === 'NAMED';
  const parameters = names.map((name) => ({
    type: 'text',
    ...(isNamed && { parameter_name: name }),
    text: text(`${type}.${name}`),
  }));
  return { component: { type, parameters }, slots: names.map((name) => `${type}.${name}`) };
}

function buttonParts(content: TemplateContent, text: Read): Part[] {
  return content.buttons.flatMap(({ index, type, hasUrlVariable }): Part[] => {
    const isCode = type === 'COPY_CODE';
    if (!isCode && !hasUrlVariable) return [];
    const key = repeatsBody(content, index) ? `body.${content.bodyParams[0]}` : `button.${index}`;
    const value = text(key);
    const parameter = isCode ? { type: 'coupon_code', coupon_code: value } : { type: 'text', text: value };
    const component = { type: 'button', sub_type: isCode ? 'copy_code' : 'url', index: String(index) };
    return [{ component: { ...component, parameters: [parameter] } as WireComponent, slots: [key] }];
  });
}

/** The slot that a fault of a send is about, by the JSON path of its detail; undefined when it is about none. */
export function slotOfField(field: string | undefined, { slots }: FilledRow): string | undefined {
  if (field === 'phone') return 'phone';
  const place = /^data\.components\[(\d+)\](?:\.parameters(?:\[(\d+)\])?)?/.exec(field ?? '');
  return place ? slots[Number(place[1])]?.[Number(place[2] ?? 0)] : undefined;
}

/** Faults of a mapping that show without any row, by slot: a source that is missing or points nowhere. */
export function mappingFaults(
  content: TemplateContent,
  mapping: CampaignMapping,
  columns: string[],
): { key: string; message: string }[] {
  return slotsOf(content).flatMap(({ key, optional }) => {
    const source = Object.hasOwn(mapping, key) ? mapping[key] : undefined;
    if (!source || ('text' in source && source.text === '')) {
      return optional ? [] : [{ key, message: 'Choose a column, or write a text for everyone.' }];
    }
    const isGone = 'column' in source && source.column >= columns.length;
    return isGone ? [{ key, message: 'The file has no such column.' }] : [];
  });
}
