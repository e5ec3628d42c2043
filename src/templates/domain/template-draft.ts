import type { TemplateCategory, WireTemplateComponent } from '../../provider/wire.js';
import type { ParameterFormat } from './placeholders.js';

export type { ParameterFormat, TemplateCategory };
export type TemplateComponent = WireTemplateComponent;

export const HEADER_KINDS = ['none', 'text', 'image', 'video', 'document', 'location'] as const;
export const MEDIA_KINDS = ['image', 'video', 'document'] as const;

export type HeaderKind = (typeof HEADER_KINDS)[number];

/** The header as it is edited. Fields of other kinds than the present one are kept, but not sent. */
export interface DraftHeader {
  kind: HeaderKind;
  text: string;
  /** The sample for the one placeholder that a text header may have. */
  text_sample: string;
  /** The provider's handle of an uploaded sample. */
  media_handle: string | null;
  /** Where the sample can be seen. A template read from the provider has this and no handle. */
  media_url: string | null;
  file_name: string | null;
}

export type DraftButton =
  | { type: 'quick_reply'; text: string }
  /** `sample` stands for the variable at the end of the URL, not for the whole URL. */
  | { type: 'url'; text: string; url: string; sample: string }
  | { type: 'phone_number'; text: string; phone_number: string }
  /** The provider labels this button itself. */
  | { type: 'copy_code'; sample: string };

/** The choices in an authentication template, whose texts the provider writes. */
export interface DraftAuthentication {
  add_security_recommendation: boolean;
  /** Shown in the footer; null: no footer. */
  code_expiration_minutes: number | null;
  /** Empty: the provider's own label, in the template's language. */
  button_text: string;
}

/**
 * A template as a person edits it. It is JSON as the page and the service exchange it, hence the keys: the `field`
 * of a fault is the path in it.
 */
export interface TemplateDraft {
  name: string;
  language: string;
  category: TemplateCategory;
  parameter_format: ParameterFormat;
  header: DraftHeader;
  body: string;
  /** By placeholder, as in `{ "1": "Ana" }`. */
  body_samples: Record<string, string>;
  footer: string;
  buttons: DraftButton[];
  /**
   * Seconds for which the provider tries to deliver, -1 for 30 days; null for its default. Missing in drafts that were
   * saved before there was this field: an edit then leaves the template's as it is.
   */
  message_send_ttl_seconds?: number | null;
  /** Counts in the category AUTHENTICATION only, where header, body, footer and buttons must be empty. */
  authentication: DraftAuthentication;
}

/** The provider's limits; lengths in characters as {@link characters} counts them. */
export const LIMITS = {
  name: 512,
  body: 1024,
  header: 60,
  headerPlaceholders: 1,
  footer: 60,
  label: 25,
  url: 2000,
  buttons: 10,
  buttonsOfType: { quick_reply: 10, url: 2, phone_number: 1, copy_code: 1 },
  codeExpirationMinutes: { min: 1, max: 90 },
} as const;

/**
 * The length of a text as a limit counts it: Unicode characters, so that an emoji of one code point is 1 and not 2,
 * without blanks at its ends, which are not sent.
 */
export function characters(text: string): number {
  return Array.from(text.trim()).length;
}

export function isMediaKind(kind: HeaderKind): kind is (typeof MEDIA_KINDS)[number] {
  return (MEDIA_KINDS as readonly string[]).includes(kind);
}

const emptyHeader = (): DraftHeader => ({
  kind: 'none',
  text: '',
  text_sample: '',
  media_handle: null,
  media_url: null,
  file_name: null,
});

/** The draft of a new template. */
export function emptyDraft(): TemplateDraft {
  return {
    name: '',
    language: '',
    category: 'UTILITY',
    parameter_format: 'POSITIONAL',
    header: emptyHeader(),
    body: '',
    body_samples: {},
    footer: '',
    buttons: [],
    message_send_ttl_seconds: null,
    authentication: { add_security_recommendation: true, code_expiration_minutes: null, button_text: '' },
  };
}

/**
 * The draft in another category, which allows other times to live. An authentication template has fixed texts: those of
 * the draft are dropped.
 */
export function changeCategory(draft: TemplateDraft, category: TemplateCategory): TemplateDraft {
  const changed =
    category === draft.category ? draft : { ...draft, category, message_send_ttl_seconds: null };
  if (category !== 'AUTHENTICATION') return changed;
  const { header, body, body_samples, footer, buttons } = emptyDraft();
  return { ...changed, header, body, body_samples, footer, buttons };
}

/** A name that the provider takes, cut at the greatest length: `Order Update-2!` becomes `order_update_2`. */
export function normalizeName(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_\s\p{Pd}]/gu, '')
    .replaceAll(/[\s\p{Pd}]+/gu, '_')
    .slice(0, LIMITS.name);
}
