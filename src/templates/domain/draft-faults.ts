/** What a text says for each fault; `{name}` is filled from the fault's `params`. */
export const DRAFT_FAULT_TEXTS = {
  required: 'This is required.',
  too_long: 'At most {max} characters are allowed, there are {actual}.',
  name_characters: 'Use lower-case letters, digits and underscores only.',
  language_code: 'Use a language code such as en or en_US.',
  one_line: 'This must be a single line.',
  no_placeholders: 'No variables are allowed here.',
  placeholder_malformed: 'Write variables as {example}; these braces are incomplete.',
  placeholder_not_numbered: 'Variables are numbered here: write {{1}} instead of {{{key}}}.',
  placeholder_name: 'Variables have lower-case names here: {{{key}}} is not one.',
  placeholder_gap: 'Variables are numbered from 1 without a gap: {{{key}}} is missing.',
  placeholder_at_start: 'The text cannot start with a variable.',
  placeholder_at_end: 'The text cannot end with a variable.',
  placeholders_adjacent: 'Put some text between {{{first}}} and {{{second}}}.',
  too_many_placeholders: 'At most {max} variable is allowed here, there are {actual}.',
  sample_missing: 'Give a sample for {{{key}}}.',
  media_sample_missing: 'Upload a sample file: the provider reviews the template with it.',
  too_many_buttons: 'At most {max} buttons are allowed, there are {actual}.',
  too_many_of_type: 'At most {max} of this kind of button is allowed.',
  quick_replies_apart: 'Quick replies must stand together, other buttons before or after them.',
  url_invalid: 'Use a whole address that starts with https:// or http://.',
  url_placeholder_position: 'The variable must be {{1}}, at the very end of the address.',
  phone_invalid: 'Use a number of 5 to 20 digits with its country code, as in +14155550123.',
  minutes_range: 'Use a whole number of minutes from {min} to {max}.',
  time_to_live_range: 'Use a time from {min} to {max}.',
  time_to_live_range_or_month: 'Use a time from {min} to {max}, or 30 days.',
  authentication_fixed: 'The provider writes the text of authentication templates: this must be empty.',
  many_newlines: 'The provider may refuse more than two line breaks in a row.',
  many_placeholders:
    'The provider may refuse so many variables in so short a text: write more text around them.',
  header_plain: 'The provider may refuse emoji and formatting in a header.',
  label_repeated: 'Another button has the same label.',
} as const;

export type DraftFaultCode = keyof typeof DRAFT_FAULT_TEXTS;

/** Something that the provider refuses (an error) or may refuse (a warning) in a draft. */
export interface DraftFault {
  /** The JSON path in the draft, as in `buttons[1].url` or `body_samples.2`. */
  field: string;
  code: DraftFaultCode;
  severity: 'error' | 'warning';
  params: Record<string, string | number>;
}

export const draftError = (
  field: string,
  code: DraftFaultCode,
  params: DraftFault['params'] = {},
): DraftFault => ({ field, code, severity: 'error', params });

export const draftWarning = (
  field: string,
  code: DraftFaultCode,
  params: DraftFault['params'] = {},
): DraftFault => ({ field, code, severity: 'warning', params });

/** Whether the draft cannot be submitted. Warnings do not prevent that. */
export function hasErrors(faults: DraftFault[]): boolean {
  return faults.some(({ severity }) => severity === 'error');
}

/** The fault in words. */
export function draftFaultText({ code, params }: DraftFault): string {
  return DRAFT_FAULT_TEXTS[code].replaceAll(/\{([a-z]+)\}/g, (whole, name: string) =>
    Object.hasOwn(params, name) ? String(params[name]) : whole,
  );
}
