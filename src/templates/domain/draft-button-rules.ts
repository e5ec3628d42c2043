import { draftError, draftWarning, type DraftFault } from './draft-faults.js';
import { lengthFaults, plainLineFaults, requiredTextFaults } from './draft-text-rules.js';
import { findPlaceholders } from './placeholders.js';
import { LIMITS, type DraftButton } from './template-draft.js';

/** A typed phone number without blanks, brackets and dashes, which the provider does not take. */
export const plainPhone = (phone: string): string => phone.replaceAll(/[^\d+]/g, '');

/** The variable at the end of a URL and what stands before it; null when the URL ends without one. */
export function urlVariable(url: string): { prefix: string; key: string } | null {
  const last = findPlaceholders(url).at(-1);
  return last?.end === url.length ? { prefix: url.slice(0, last.start), key: last.key } : null;
}

/** Every fault of the buttons, of each and of all together. */
export function buttonsFaults(buttons: DraftButton[]): DraftFault[] {
  const tooMany = buttons.length > LIMITS.buttons;
  return [
    ...(tooMany
      ? [draftError('buttons', 'too_many_buttons', { max: LIMITS.buttons, actual: buttons.length })]
      : []),
    ...buttons.flatMap((button, i) => [
      ...placeFaults(buttons, i),
      ...buttonFaults(button, `buttons[${i}]`),
      ...repeatedLabel(buttons, i),
    ]),
  ];
}

/** Faults of a button's place: one too many of its type, or a quick reply that is apart from the others. */
function placeFaults(buttons: DraftButton[], at: number): DraftFault[] {
  const type = buttons[at]!.type;
  const before = buttons.slice(0, at).filter((button) => button.type === type).length;
  const max = LIMITS.buttonsOfType[type];
  const isApart = type === 'quick_reply' && before > 0 && buttons[at - 1]?.type !== type;
  return [
    ...(before === max && max < LIMITS.buttons
      ? [draftError(`buttons[${at}]`, 'too_many_of_type', { max })]
      : []),
    ...(isApart ? [draftError(`buttons[${at}]`, 'quick_replies_apart')] : []),
  ];
}

function repeatedLabel(buttons: DraftButton[], at: number): DraftFault[] {
  const label = labelOf(buttons[at]!);
  const isRepeated = label !== '' && buttons.slice(0, at).some((button) => labelOf(button) === label);
  return isRepeated ? [draftWarning(`buttons[${at}].text`, 'label_repeated')] : [];
}

const labelOf = (button: DraftButton): string => ('text' in button ? button.text.trim() : '');

function buttonFaults(button: DraftButton, path: string): DraftFault[] {
  if (button.type === 'copy_code') {
    return button.sample.trim() === '' ? [draftError(`${path}.sample`, 'required')] : [];
  }
  return [
    ...requiredTextFaults(`${path}.text`, button.text, LIMITS.label),
    ...plainLineFaults(`${path}.text`, button.text),
    ...(button.type === 'url' ? urlFaults(button, path) : []),
    ...(button.type === 'phone_number' ? phoneFaults(button.phone_number, path) : []),
  ];
}

function phoneFaults(phone: string, path: string): DraftFault[] {
  if (phone.trim() === '') return [draftError(`${path}.phone_number`, 'required')];
  const isPhone = /^[\d\s()+./-]*$/.test(phone) && /^\+?\d{5,20}$/.test(plainPhone(phone));
  return isPhone ? [] : [draftError(`${path}.phone_number`, 'phone_invalid')];
}

function urlFaults(button: { url: string; sample: string }, path: string): DraftFault[] {
  const [field, url] = [`${path}.url`, button.url.trim()];
  if (url === '') return [draftError(field, 'required')];
  const variable = urlVariable(url);
  const fixed = variable?.prefix ?? url;
  // There are braces outside the variable at the end, or it is not {{1}}.
  if (/\{\{|\}\}/.test(fixed) || (variable && variable.key !== '1')) {
    return [draftError(field, 'url_placeholder_position')];
  }
  const isUrl = /^https?:\/\/\S+$/i.test(fixed) && URL.canParse(fixed);
  return [
    ...(isUrl ? lengthFaults(field, url, LIMITS.url) : [draftError(field, 'url_invalid')]),
    ...(variable && button.sample.trim() === ''
      ? [draftError(`${path}.sample`, 'sample_missing', { key: variable.key })]
      : []),
  ];
}
