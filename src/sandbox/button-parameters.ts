import type { WireComponent, WireParameter, WireTemplateButton } from '../provider/wire.js';
import { GraphError } from './graph-error.js';
import { countMismatch } from './parameter-values.js';
import { placeholders } from './template-content.js';

/** Throws what the provider answers when the buttons of a send do not fit those of its template. */
export function checkButtons(buttons: WireTemplateButton[], sent: WireComponent[]): void {
  const components = sent.filter(({ type }) => type === 'button');
  for (const component of components) {
    if (buttons[Number(component.index)]) continue;
    throw new GraphError(132012, `buttons: the template has no button at index ${String(component.index)}`);
  }
  buttons.forEach((button, index) => {
    const component = components.find((candidate) => Number(candidate.index) === index);
    checkButton(button, index, component);
  });
}

const SUB_TYPES: Record<string, string> = {
  QUICK_REPLY: 'quick_reply',
  URL: 'url',
  OTP: 'url',
  COPY_CODE: 'copy_code',
  FLOW: 'flow',
  CATALOG: 'catalog',
};

function checkButton(button: WireTemplateButton, index: number, sent: WireComponent | undefined): void {
  const needs = parameterNeeded(button);
  const parameters = sent?.parameters ?? [];
  if (sent && String(sent.sub_type).toLowerCase() !== (SUB_TYPES[button.type] ?? button.type.toLowerCase())) {
    throw new GraphError(132012, `buttons: Button at index ${index} is of type ${button.type}`);
  }
  if (needs && !hasValue(parameters[0], needs)) {
    throw new GraphError(
      131008,
      `buttons: Button at index ${index} of type ${button.type} requires a parameter`,
    );
  }
  if (button.type === 'URL' && parameters.length > (needs ? 1 : 0)) {
    throw countMismatch(`buttons: Button at index ${index}`, parameters.length, needs ? 1 : 0);
  }
}

/** The field without which the button cannot be built; none when the template says it all. */
function parameterNeeded(button: WireTemplateButton): 'text' | 'coupon_code' | undefined {
  if (button.type === 'COPY_CODE') return 'coupon_code';
  const isDynamic = button.type === 'OTP' || (button.type === 'URL' && placeholders(button.url).length > 0);
  return isDynamic ? 'text' : undefined;
}

function hasValue(parameter: WireParameter | undefined, field: 'text' | 'coupon_code'): boolean {
  const value: unknown = parameter?.[field];
  return typeof value === 'string' && value !== '';
}
