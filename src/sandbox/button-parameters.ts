import type { WireComponent, WireParameter, WireTemplateButton } from '../provider/wire.js';
import { GraphError } from './graph-error.js';
import { countMismatch } from './parameter-values.js';
import { isObject } from './send-request.js';
import { placeholders } from './template-content.js';

/** What a button takes: its `sub_type`, and the type of its parameter, which is also the parameter's field. */
interface Rule {
  subType: string;
  parameter: 'text' | 'coupon_code' | 'payload' | 'action';
  /** Whether a send without it is refused. A quick reply without a payload answers with its label. */
  required: boolean;
}

const text: Rule = { subType: 'url', parameter: 'text', required: true };
const action = (subType: string): Rule => ({ subType, parameter: 'action', required: true });

const RULES: Record<string, Rule> = {
  QUICK_REPLY: { subType: 'quick_reply', parameter: 'payload', required: false },
  URL: text,
  OTP: text,
  COPY_CODE: { subType: 'copy_code', parameter: 'coupon_code', required: true },
  FLOW: action('flow'),
  CATALOG: action('catalog'),
  MPM: action('mpm'),
};

/**
 * Throws what the provider answers when the buttons of a send do not fit those of its template: 131008 for a parameter
 * that is missing, 132012 for a button of another kind, 132000 for too many, 100 where the button takes none.
 */
export function checkButtons(buttons: WireTemplateButton[], sent: WireComponent[]): void {
  const components = sent.filter(({ type }) => type === 'button');
  for (const component of components) {
    if (buttons[Number(component.index)]) continue;
    throw new GraphError(132012, `buttons: the template has no button at index ${String(component.index)}`);
  }
  buttons.forEach((button, index) => {
    const [component, second] = components.filter((candidate) => Number(candidate.index) === index);
    if (second) throw new GraphError(100, `buttons: there is more than one component for index ${index}`);
    checkButton(button, `buttons: Button at index ${index}`, component);
  });
}

function checkButton(button: WireTemplateButton, place: string, sent: WireComponent | undefined): void {
  const rule = RULES[button.type];
  const parameters = sent?.parameters ?? [];
  if (!rule) {
    if (!sent) return;
    throw new GraphError(100, `${place} is of type ${nameOf(button)} and does not support parameters`);
  }
  if (sent && String(sent.sub_type).toLowerCase() !== rule.subType)
    throw new GraphError(132012, `${place} is of type ${nameOf(button)}`);
  if (button.type === 'URL' && placeholders(button.url).length === 0) {
    if (parameters.length > 0) throw countMismatch(place, parameters.length, 0);
    return;
  }
  const [parameter] = parameters;
  if (!parameter) {
    if (rule.required) throw missing(button, place);
    return;
  }
  if (parameters.length > 1) throw countMismatch(place, parameters.length, 1);
  checkParameter(parameter, rule, place, button);
}

function checkParameter(
  parameter: WireParameter,
  rule: Rule,
  place: string,
  button: WireTemplateButton,
): void {
  if (parameter.type !== rule.parameter)
    throw new GraphError(132012, `${place}: Parameter of type ${parameter.type} is not expected here`);
  const value: unknown = parameter[rule.parameter];
  const isThere = rule.parameter === 'action' ? isObject(value) : typeof value === 'string' && value !== '';
  if (!isThere) throw missing(button, place);
}

function missing(button: WireTemplateButton, place: string): GraphError {
  return new GraphError(131008, `${place} of type ${nameOf(button)} requires a parameter`);
}

/** The button's type as the provider's errors write it: `PHONE_NUMBER` is a `Call`, `COPY_CODE` a `CopyCode`. */
function nameOf({ type }: WireTemplateButton): string {
  if (type === 'PHONE_NUMBER') return 'Call';
  const words = type.toLowerCase().split('_');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
