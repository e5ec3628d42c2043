import { buttonsFaults } from './draft-button-rules.js';
import { draftError, type DraftFault } from './draft-faults.js';
import {
  bodyWarnings,
  headerTextFaults,
  lengthFaults,
  placeholderFaults,
  plainLineFaults,
  positionFaults,
  requiredTextFaults,
} from './draft-text-rules.js';
import { findPlaceholders, placeholdersOf } from './placeholders.js';
import { durationText, isTimeToLive, TIME_TO_LIVE } from './time-to-live.js';
import { LIMITS, isMediaKind, type DraftHeader, type TemplateDraft } from './template-draft.js';

/**
 * Everything that the provider refuses, or may refuse, in a draft, field by field in the order of the editor; empty
 * when there is nothing. These are the provider's published limits: it may still refuse for reasons of its own.
 */
export function checkDraft(draft: TemplateDraft): DraftFault[] {
  const content = draft.category === 'AUTHENTICATION' ? authenticationFaults(draft) : contentFaults(draft);
  return [
    ...nameFaults(draft.name),
    ...languageFaults(draft.language),
    ...content,
    ...timeToLiveFaults(draft),
  ];
}

function nameFaults(name: string): DraftFault[] {
  const faults = requiredTextFaults('name', name, LIMITS.name);
  if (faults.length > 0 || /^[a-z0-9_]+$/.test(name)) return faults;
  return [draftError('name', 'name_characters')];
}

function languageFaults(language: string): DraftFault[] {
  if (language === '') return [draftError('language', 'required')];
  const isCode = /^[a-z]{2,3}(_[A-Za-z]{2,4})?$/.test(language);
  return isCode ? [] : [draftError('language', 'language_code')];
}

function timeToLiveFaults({ category, message_send_ttl_seconds: value = null }: TemplateDraft): DraftFault[] {
  if (value === null || isTimeToLive(category, value)) return [];
  const { min, max } = TIME_TO_LIVE[category];
  const code = category === 'MARKETING' ? 'time_to_live_range' : 'time_to_live_range_or_month';
  return [draftError('message_send_ttl_seconds', code, { min: durationText(min), max: durationText(max) })];
}

function contentFaults(draft: TemplateDraft): DraftFault[] {
  const { body, footer, parameter_format: format } = draft;
  return [
    ...headerFaults(draft),
    ...requiredTextFaults('body', body, LIMITS.body),
    ...placeholderFaults('body', body, format),
    ...positionFaults('body', body),
    ...bodyWarnings('body', body),
    ...sampleFaults(draft),
    ...lengthFaults('footer', footer, LIMITS.footer),
    ...plainLineFaults('footer', footer),
    ...buttonsFaults(draft.buttons),
  ];
}

function headerFaults({ header, parameter_format: format }: TemplateDraft): DraftFault[] {
  if (isMediaKind(header.kind)) return mediaFaults(header);
  if (header.kind !== 'text') return [];
  const [key] = placeholdersOf(header.text, format);
  const needsSample = key !== undefined && header.text_sample.trim() === '';
  return [
    ...requiredTextFaults('header.text', header.text, LIMITS.header),
    ...headerTextFaults('header.text', header.text, LIMITS.headerPlaceholders, format),
    ...(needsSample ? [draftError('header.text_sample', 'sample_missing', { key })] : []),
  ];
}

function mediaFaults({ media_handle, media_url }: DraftHeader): DraftFault[] {
  return media_handle || media_url ? [] : [draftError('header.media_handle', 'media_sample_missing')];
}

/** A fault for each placeholder in the body without a sample. */
function sampleFaults({ body, body_samples: samples }: TemplateDraft): DraftFault[] {
  const keys = new Set(findPlaceholders(body).map(({ key }) => key));
  return [...keys]
    .filter((key) => (samples[key] ?? '').trim() === '')
    .map((key) => draftError(`body_samples.${key}`, 'sample_missing', { key }));
}

function authenticationFaults({
  header,
  body,
  footer,
  buttons,
  authentication,
}: TemplateDraft): DraftFault[] {
  const { button_text: label, code_expiration_minutes: minutes } = authentication;
  const { min, max } = LIMITS.codeExpirationMinutes;
  const isInRange = minutes === null || (Number.isInteger(minutes) && minutes >= min && minutes <= max);
  const own: [field: string, isEmpty: boolean][] = [
    ['header', header.kind === 'none'],
    ['body', body.trim() === ''],
    ['footer', footer.trim() === ''],
    ['buttons', buttons.length === 0],
  ];
  return [
    ...own.flatMap(([field, isEmpty]) => (isEmpty ? [] : [draftError(field, 'authentication_fixed')])),
    ...(isInRange
      ? []
      : [draftError('authentication.code_expiration_minutes', 'minutes_range', { min, max })]),
    ...lengthFaults('authentication.button_text', label, LIMITS.label),
    ...plainLineFaults('authentication.button_text', label),
  ];
}
