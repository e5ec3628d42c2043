import { isMediaKind, type TemplateDraft } from './template-draft.js';

/** The provider's words about a draft that it does not take. */
export interface Refusal {
  subcode?: number | undefined;
  title?: string | undefined;
  message?: string | undefined;
}

/** The field that a subcode is about. Subcodes about the account or the whole template are not listed. */
const BY_SUBCODE: Record<number, string> = {
  2388024: 'name',
  2388047: 'header',
  2388072: 'body',
  2388073: 'footer',
  2388293: 'body',
  2388299: 'body',
};

/** The field by words, for refusals whose subcode does not tell it; more specific words come first. */
const BY_WORDS: [RegExp, string][] = [
  [/\btime.to.live\b|\bttl\b|_ttl_/i, 'message_send_ttl_seconds'],
  [/\bbuttons?\b|\burl\b/i, 'buttons'],
  [/\bheader\b/i, 'header'],
  [/\bfooter\b/i, 'footer'],
  [/\bbody\b/i, 'body'],
  [/\blanguage\b/i, 'language'],
  [/\bcategory\b/i, 'category'],
  [/\btemplate name\b|^names? /i, 'name'],
];

/** The subcodes of a whole template: too many templates, a status or an edit that is not allowed. */
const OF_THE_WHOLE = new Set([2388019, 2388039]);

/** The field of the draft that a refusal is about; null when that cannot be told or it is about none. */
export function refusedField(
  { subcode, title = '', message = '' }: Refusal,
  draft: TemplateDraft,
): string | null {
  if (subcode !== undefined && OF_THE_WHOLE.has(subcode)) return null;
  const part =
    BY_SUBCODE[subcode ?? 0] ??
    BY_WORDS.find(([words]) => words.test(title))?.[1] ??
    BY_WORDS.find(([words]) => words.test(message))?.[1];
  if (part === 'header') return headerField(draft);
  return part ?? null;
}

function headerField({ header }: TemplateDraft): string {
  if (isMediaKind(header.kind)) return 'header.media_handle';
  return header.kind === 'text' ? 'header.text' : 'header';
}
