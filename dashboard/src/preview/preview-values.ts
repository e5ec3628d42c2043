import { placeholdersOf } from '../../../src/templates/domain/placeholders';
import { isMediaKind, type TemplateDraft } from '../../../src/templates/domain/template-draft';

/** The values of a template in its preview. A missing value is shown as a placeholder. */
export interface PreviewValues {
  header?: {
    /** The value for the one placeholder of a text header. */
    text?: string;
    mediaUrl?: string;
    /** The file name of a document. */
    fileName?: string;
    location?: { name?: string; address?: string };
  };
  /** Values by placeholder: `1`, or a name. */
  body?: Record<string, string>;
  /** Values by the button's index: the variable of its URL, or the code that it copies. */
  buttons?: Record<number, string>;
  /** The values of a carousel's cards, in order. */
  cards?: PreviewValues[];
}

/** The stand-in for a code in an authentication template's preview. */
const SAMPLE_CODE = '123456';

/** A draft's samples as the values of its preview. */
export function draftValues(draft: TemplateDraft): PreviewValues {
  if (draft.category === 'AUTHENTICATION') return { body: { 1: SAMPLE_CODE }, buttons: { 0: SAMPLE_CODE } };
  const { kind, text_sample, media_url, file_name } = draft.header;
  const keys = placeholdersOf(draft.body, draft.parameter_format);
  const samples = draft.buttons.map((button, i) => [i, 'sample' in button ? button.sample : ''] as const);
  return {
    header: {
      ...(kind === 'text' && text_sample !== '' && { text: text_sample }),
      ...(isMediaKind(kind) && media_url !== null && { mediaUrl: media_url }),
      ...(kind === 'document' && file_name !== null && { fileName: file_name }),
    },
    body: Object.fromEntries(keys.map((key) => [key, draft.body_samples[key] ?? ''])),
    buttons: Object.fromEntries(samples.filter(([, sample]) => sample !== '')),
  };
}
