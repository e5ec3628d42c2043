import type { MessageValues } from '../../../../src/templates/domain/message-values';
import type { TemplateDetail } from '../templates/types';
import type { TemplateNeeds } from './template-needs';
import type { RequestComponent, SendRequest, SendValues } from './types';

/** A component, with the form's path for each of its parameters. */
interface FilledComponent {
  component: RequestComponent;
  fields: string[];
}

/** A request, and the field of the form from which each part comes. */
export interface BuiltRequest {
  request: SendRequest;
  /** The form's path for the path of a fault, with dots only; the fault's own path if it is about no field. */
  fieldOf: (path: string) => string;
}

/** The form as a request to the API. Fields that are not filled in yet are empty in it. */
export function buildRequest(
  values: SendValues,
  template: TemplateDetail,
  needs: TemplateNeeds,
): BuiltRequest {
  const filled = [headerOf(values, needs), bodyOf(values, needs), ...buttonsOf(values, needs)].filter(
    (part) => part !== null,
  );
  const components = filled.map(({ component }) => component);
  const isLater = values.when === 'later';
  const request: SendRequest = {
    messaging_account_id: values.messaging_account_id ?? '',
    phone: values.phone.trim(),
    message_type: 'template',
    data: {
      name: template.name,
      language_code: template.language,
      ...(components.length > 0 && { components }),
    },
    ...(isLater && { scheduled_at: withSeconds(values.at), timezone: values.zone ?? '' }),
    ...(values.auto_retry && template.category === 'MARKETING' && { auto_retry_on_frequency_cap: true }),
    ...additionsOf(values, template),
  };
  return {
    request,
    fieldOf: (path) => FIELDS[path] ?? metadataField(values, path) ?? parameterField(filled, path) ?? path,
  };
}

/** What the caller puts on the message, and under which conditions it is wanted: only what is filled in. */
function additionsOf(values: SendValues, template: TemplateDetail): Partial<SendRequest> {
  const { client_reference, metadata, valid_until, max_cost, expect } = values;
  const rows = metadata.filter(({ name, value }) => name !== '' || value !== '');
  const expected = {
    ...(expect.category && { category: template.category }),
    ...(expect.version && { template_version: template.version }),
  };
  return {
    ...(client_reference !== '' && { client_reference }),
    ...(rows.length > 0 && { metadata: Object.fromEntries(rows.map(({ name, value }) => [name, value])) }),
    ...(valid_until !== '' && { valid_until: new Date(valid_until).toISOString() }),
    ...(max_cost.trim() !== '' && { max_cost: max_cost.trim() }),
    ...(Object.keys(expected).length > 0 && { expect: expected }),
  };
}

/** The row of the fault of one entry, such as `metadata.order`; the first one if it is about all. */
function metadataField({ metadata }: SendValues, path: string): string | undefined {
  const [, , name] = /^metadata(\.(.+))?$/.exec(path) ?? [];
  if (!path.startsWith('metadata')) return undefined;
  return `metadata.${Math.max(
    0,
    metadata.findIndex((row) => row.name === name),
  )}.value`;
}

/** The values for the preview: only those that are filled in. */
export function previewOf(values: SendValues, needs: TemplateNeeds, localUrl: string | null): MessageValues {
  const { media, location } = values;
  const mediaUrl = media.source === 'link' ? media.link : localUrl;
  const code = values.body['1'];
  const entries = needs.buttons.map(({ index }) => [index, values.buttons[index] ?? ''] as const);
  return {
    header: {
      ...(values.header_text !== '' && { text: values.header_text }),
      ...(mediaUrl && { mediaUrl }),
      ...(media.file_name !== '' && { fileName: media.file_name }),
      ...(needs.location && { location: { name: location.name, address: location.address } }),
    },
    body: Object.fromEntries(needs.body.map((key) => [key, values.body[key] ?? ''])),
    buttons: {
      ...Object.fromEntries(entries.filter(([, value]) => value !== '')),
      ...(needs.codeButton !== null && code && { [needs.codeButton]: code }),
    },
  };
}

const FIELDS: Record<string, string> = {
  phone: 'phone',
  messaging_account_id: 'messaging_account_id',
  'data.name': 'template_id',
  'data.language_code': 'template_id',
  scheduled_at: 'at',
  timezone: 'zone',
  'expect.category': 'expect.category',
  'expect.template_version': 'expect.version',
};

/** The form's path for a fault of a component: that of its parameter, or of the first one if it is about all. */
function parameterField(filled: FilledComponent[], path: string): string | undefined {
  const match = /^data\.components\.(\d+)(?:\.parameters(?:\.(\d+))?)?/.exec(path);
  if (!match) return undefined;
  const fields = filled[Number(match[1])]?.fields;
  return fields?.[Number(match[2] ?? 0)] ?? fields?.[0];
}

function headerOf(values: SendValues, { content, headerText, media, location }: TemplateNeeds) {
  if (headerText !== null) {
    const name = content.parameterFormat === 'NAMED' ? { parameter_name: headerText } : {};
    return fill('header', [{ type: 'text', ...name, text: values.header_text }], ['header_text']);
  }
  if (media !== null) return fill('header', [{ type: media, [media]: mediaOf(values, media) }], ['media']);
  if (!location) return null;
  const { latitude, longitude, name, address } = values.location;
  const place = { latitude: Number(latitude), longitude: Number(longitude), name, address };
  return fill('header', [{ type: 'location', location: place }], ['location.latitude']);
}

function mediaOf({ media }: SendValues, kind: string): Record<string, string> {
  const source = media.source === 'link' ? { link: media.link.trim() } : { id: media.id ?? '' };
  return { ...source, ...(kind === 'document' && media.file_name !== '' && { filename: media.file_name }) };
}

function bodyOf(values: SendValues, { content, body }: TemplateNeeds) {
  if (body.length === 0) return null;
  const isNamed = content.parameterFormat === 'NAMED';
  const parameters = body.map((key) => ({
    type: 'text',
    ...(isNamed && { parameter_name: key }),
    text: values.body[key] ?? '',
  }));
  return fill(
    'body',
    parameters,
    body.map((key) => `body.${key}`),
  );
}

function buttonsOf(values: SendValues, { buttons, codeButton }: TemplateNeeds): FilledComponent[] {
  const own = buttons.map(({ index, takes }) => {
    const value = values.buttons[index] ?? '';
    const [sub_type, parameter] =
      takes === 'url'
        ? ['url', { type: 'text', text: value }]
        : ['copy_code', { type: 'coupon_code', coupon_code: value }];
    return fill('button', [parameter], [`buttons.${index}`], { sub_type, index: String(index) });
  });
  if (codeButton === null) return own;
  const code = { type: 'text', text: values.body['1'] ?? '' };
  return [...own, fill('button', [code], ['body.1'], { sub_type: 'url', index: String(codeButton) })];
}

function fill(
  type: RequestComponent['type'],
  parameters: Record<string, unknown>[],
  fields: string[],
  button: { sub_type?: string; index?: string } = {},
): FilledComponent {
  return { component: { type, ...button, parameters }, fields };
}

/** Adds seconds to a time like `2026-12-24T18:00`, the form that browsers give. */
function withSeconds(at: string): string {
  return /T\d\d:\d\d$/.test(at) ? `${at}:00` : at;
}
