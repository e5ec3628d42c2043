import type { WireTemplateButton, WireTemplateComponent } from '../../provider/wire.js';
import { urlVariable } from './draft-button-rules.js';
import { isCodeUrl } from './template-buttons.js';
import { readTemplateContent, type TemplateContent } from './template-content.js';
import {
  emptyDraft,
  isMediaKind,
  type DraftAuthentication,
  type DraftButton,
  type DraftHeader,
  type ParameterFormat,
  type TemplateCategory,
  type TemplateDraft,
} from './template-draft.js';

/** A template as it is stored or listed. */
export interface StoredTemplate {
  name: string;
  language: string;
  category: TemplateCategory;
  parameter_format?: ParameterFormat;
  message_send_ttl_seconds?: number | null;
  components: WireTemplateComponent[];
}

/** The draft of a template, and the template's parts that a draft cannot hold. */
export interface DraftOfTemplate {
  draft: TemplateDraft;
  /** Types of components and buttons that an edit of the draft would drop, as in `CAROUSEL` or `FLOW`. */
  unsupported: string[];
}

const EDITABLE_COMPONENTS = new Set(['HEADER', 'BODY', 'FOOTER', 'BUTTONS']);
const EDITABLE_HEADERS = new Set(['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION']);

const upper = (value: unknown): string => (typeof value === 'string' ? value.trim().toUpperCase() : '');
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const firstText = (value: unknown): string => textOf(Array.isArray(value) ? value[0] : value);

/**
 * The draft that {@link toComponents} turns back into these components. Reads stored data as leniently as
 * `readTemplateContent`: odd data counts as absent.
 */
export function fromTemplate(template: StoredTemplate): DraftOfTemplate {
  const components = Array.isArray(template.components) ? template.components : [];
  const content = readTemplateContent(components, template.parameter_format);
  const find = (type: string) => components.find((component) => upper(component?.type) === type);
  const [header, body, footer] = [find('HEADER'), find('BODY'), find('FOOTER')];
  const buttons = Array.isArray(find('BUTTONS')?.buttons) ? find('BUTTONS')!.buttons! : [];
  const { name, language, category } = template;
  const start: TemplateDraft = {
    ...emptyDraft(),
    name,
    language,
    category,
    parameter_format: content.parameterFormat,
    message_send_ttl_seconds: template.message_send_ttl_seconds ?? null,
  };
  const unsupported = [...oddComponents(components), ...oddButtons(buttons, category)];
  if (category === 'AUTHENTICATION') {
    return { draft: { ...start, authentication: readAuthentication(body, footer, buttons) }, unsupported };
  }
  const draft: TemplateDraft = {
    ...start,
    header: readHeader(header, content),
    body: content.body ?? '',
    body_samples: readSamples(body, content),
    footer: content.footer ?? '',
    buttons: buttons.flatMap((button) => readButton(button) ?? []),
  };
  return { draft, unsupported };
}

function oddComponents(components: WireTemplateComponent[]): string[] {
  return components.flatMap((component) => {
    const [type, format] = [upper(component?.type), upper(component?.format)];
    if (!EDITABLE_COMPONENTS.has(type)) return [type];
    return type === 'HEADER' && !EDITABLE_HEADERS.has(format) ? [`HEADER ${format}`] : [];
  });
}

function oddButtons(buttons: WireTemplateButton[], category: TemplateCategory): string[] {
  const isKnown = category === 'AUTHENTICATION' ? isCodeButton : readButton;
  return buttons.filter((button) => !isKnown(button)).map((button) => upper(button?.type));
}

/** True only for the kind of code button that a draft makes: other kinds name an app that gets the code. */
function isCodeButton(button: WireTemplateButton): boolean {
  const kind = upper(button?.otp_type) || upper(/otp_type=(\w+)/i.exec(textOf(button?.url))?.[1]);
  const isCode = upper(button?.type) === 'OTP' || isCodeUrl(textOf(button?.url));
  return isCode && (kind === 'COPY_CODE' || kind === '');
}

function readAuthentication(
  body: WireTemplateComponent | undefined,
  footer: WireTemplateComponent | undefined,
  [button]: WireTemplateButton[],
): DraftAuthentication {
  const minutes = footer?.code_expiration_minutes;
  return {
    add_security_recommendation: body?.add_security_recommendation === true,
    code_expiration_minutes: typeof minutes === 'number' ? minutes : null,
    button_text: textOf(button?.text),
  };
}

function readHeader(header: WireTemplateComponent | undefined, content: TemplateContent): DraftHeader {
  const kind = content.headerNeedsLocation ? 'location' : content.headerType;
  const { header_text, header_text_named_params: named, header_handle } = header?.example ?? {};
  const sample = isMediaKind(kind) ? firstText(header_handle) : '';
  return {
    kind,
    text: content.header ?? '',
    text_sample: firstText(header_text) || textOf(named?.[0]?.example),
    media_handle: sample === '' || content.headerSampleMediaUrl !== null ? null : sample,
    media_url: content.headerSampleMediaUrl,
    file_name: null,
  };
}

function readSamples(
  body: WireTemplateComponent | undefined,
  content: TemplateContent,
): Record<string, string> {
  const { body_text, body_text_named_params: named } = body?.example ?? {};
  const [row] = Array.isArray(body_text) ? body_text : [];
  const samples: [string, string][] = content.bodyParams.map((key, i) => {
    const example = named?.find(({ param_name }) => param_name === key)?.example;
    return [key, textOf(content.parameterFormat === 'NAMED' ? example : row?.[i])];
  });
  return Object.fromEntries(samples.filter(([, sample]) => sample !== ''));
}

/** Null for a button that a draft cannot hold. */
function readButton(button: WireTemplateButton): DraftButton | null {
  const [type, text, url] = [upper(button?.type), textOf(button?.text), textOf(button?.url)];
  if (type === 'QUICK_REPLY') return { type: 'quick_reply', text };
  if (type === 'COPY_CODE') return { type: 'copy_code', sample: firstText(button.example) };
  if (type === 'PHONE_NUMBER')
    return { type: 'phone_number', text, phone_number: textOf(button.phone_number) };
  if (type !== 'URL') return null;
  const prefix = urlVariable(url)?.prefix;
  const example = prefix === undefined ? '' : firstText(button.example);
  // Some templates have the whole URL as the example, others the variable's value alone.
  const sample = prefix && example.startsWith(prefix) ? example.slice(prefix.length) : example;
  return { type: 'url', text, url, sample };
}
