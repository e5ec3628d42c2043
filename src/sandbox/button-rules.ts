import type { WireTemplateButton } from '../provider/wire.js';
import { characters, RULES, draftFault } from './draft-fault.js';

const LONGEST_LABEL = 25;
const LONGEST_URL = 2000;
const MOST_BUTTONS = 10;
const MOST_OF_TYPE: Record<string, number> = { URL: 2, PHONE_NUMBER: 1, COPY_CODE: 1, OTP: 1, CATALOG: 1 };

/** Checks the buttons of a draft. Throws code 100. */
export function checkButtonRules(buttons: WireTemplateButton[]): void {
  if (buttons.length > MOST_BUTTONS) throw fault(`At most ${MOST_BUTTONS} buttons are allowed.`);
  for (const [type, most] of Object.entries(MOST_OF_TYPE)) {
    const count = buttons.filter((button) => button.type === type).length;
    if (count > most)
      throw fault(`At most ${most} button(s) of type ${type} are allowed, there are ${count}.`);
  }
  checkQuickRepliesTogether(buttons);
  for (const button of buttons) checkButton(button);
}

function checkQuickRepliesTogether(buttons: WireTemplateButton[]): void {
  const groups = buttons.filter(
    ({ type }, index) => type === 'QUICK_REPLY' && buttons[index - 1]?.type !== 'QUICK_REPLY',
  );
  if (groups.length > 1)
    throw fault('Quick replies must stand together, other buttons before or after them.');
}

function checkButton(button: WireTemplateButton): void {
  const label = button.text ?? '';
  if (characters(label) > LONGEST_LABEL) {
    throw draftFault(
      ...RULES.length,
      `A button label has ${characters(label)} characters, at most ${LONGEST_LABEL} are allowed.`,
    );
  }
  const needsLabel = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER'].includes(button.type);
  if (needsLabel && label === '') throw fault(`A button of type ${button.type} needs a text.`);
  if (button.type === 'PHONE_NUMBER' && !/^\+?\d{5,20}$/.test(button.phone_number ?? '')) {
    throw fault('A call button needs a phone_number of at most 20 digits.');
  }
  if (button.type === 'COPY_CODE' && !hasExample(button)) throw fault('A copy-code button needs an example.');
  if (button.type === 'URL') checkUrl(button);
}

function checkUrl(button: WireTemplateButton): void {
  const url = button.url ?? '';
  if (characters(url) > LONGEST_URL) {
    throw draftFault(
      ...RULES.length,
      `A URL has ${characters(url)} characters, at most ${LONGEST_URL} are allowed.`,
    );
  }
  if (!/^https?:\/\/\S+$/i.test(url)) throw fault('A URL button needs an HTTP(S) url.');
  const variables = [...url.matchAll(/\{\{\s*\w+\s*\}\}/g)];
  if (variables.length === 0) return;
  if (variables.length > 1 || !/\{\{\s*\w+\s*\}\}$/.test(url)) {
    throw fault('A URL has at most one variable, at its end.');
  }
  if (!hasExample(button)) throw fault('A URL with a variable needs an example.');
}

function hasExample({ example }: WireTemplateButton): boolean {
  return Array.isArray(example) ? example.length > 0 : typeof example === 'string' && example !== '';
}

function fault(message: string): ReturnType<typeof draftFault> {
  return draftFault('Buttons are not valid', message);
}
