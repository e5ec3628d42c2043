import type { MessageValues } from './message-values.js';
import { placeholdersOf } from './placeholders.js';
import { isMediaKind, type TemplateDraft } from './template-draft.js';

/** The stand-in for a code in an authentication template's preview. */
const SAMPLE_CODE = '123456';

/** A draft's samples as the values of its preview. */
export function draftValues(draft: TemplateDraft): MessageValues {
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
