import type { WireComponent, WireParameter } from '../../provider/wire.js';
import type { TemplateButton } from '../../templates/domain/template-buttons.js';
import { mismatch, type Mismatch, type Part, plural } from './part.js';

/** What a button of the template takes: provider.md, "Sending". */
interface Rule {
  subType: string;
  parameter: 'text' | 'coupon_code' | 'payload' | 'action';
  /** Whether the provider refuses a send without it. A quick reply without a payload answers with its label. */
  required: boolean;
}

const RULES: Record<string, Rule> = {
  QUICK_REPLY: { subType: 'quick_reply', parameter: 'payload', required: false },
  COPY_CODE: { subType: 'copy_code', parameter: 'coupon_code', required: true },
  FLOW: { subType: 'flow', parameter: 'action', required: true },
  CATALOG: { subType: 'catalog', parameter: 'action', required: true },
  MPM: { subType: 'mpm', parameter: 'action', required: true },
};

/** A variable in a URL, or a one-time code. */
const URL_VARIABLE: Rule = { subType: 'url', parameter: 'text', required: true };

/** Null for a button that takes nothing. */
function ruleOf({ type, hasUrlVariable }: TemplateButton): Rule | null {
  return hasUrlVariable ? URL_VARIABLE : (RULES[type] ?? null);
}

interface PlacedButton {
  component: WireComponent;
  index: number;
  path: string;
}

/** The buttons: each that takes a parameter gets one of its own kind, and no component is for a button that takes none. */
export function buttonMismatches(part: Part): Mismatch[] {
  const given = part.components.flatMap((component, position): PlacedButton[] =>
    component.type === 'button'
      ? [{ component, index: Number(component.index), path: `${part.path}[${position}]` }]
      : [],
  );
  const wanted = part.content.buttons.flatMap((button) => {
    const rule = ruleOf(button);
    const found = given.find(({ index }) => index === button.index);
    return rule ? ruleMismatches(part, button.index, rule, found) : [];
  });
  return [...wanted, ...given.flatMap((button) => surplusOf(part, button))];
}

function ruleMismatches(part: Part, index: number, rule: Rule, given: PlacedButton | undefined): Mismatch[] {
  const { subType, parameter, required } = rule;
  const takes = `button component of sub_type ${subType} for button ${index}, with 1 ${parameter} parameter`;
  const need = `${part.subject} ${required ? 'needs' : 'takes'} a ${takes}`;
  if (!given) {
    if (!required) return [];
    const { message, detail } = mismatch(`${need}; the request carries none.`, part.path, 1, 0);
    return [{ message, detail: { ...detail, button_index: index } }];
  }
  const { component, path } = given;
  if (component.sub_type?.toLowerCase() !== subType)
    return [mismatch(`${need}, not ${component.sub_type}.`, `${path}.sub_type`, subType, component.sub_type)];
  const parameters = component.parameters ?? [];
  if (parameters.length === 0 && !required) return [];
  if (parameters.length !== 1) {
    const message = `${need}; the component carries ${plural(parameters.length, 'parameter')}.`;
    return [mismatch(message, `${path}.parameters`, 1, parameters.length)];
  }
  return parameterMismatches(parameters[0]!, parameter, need, `${path}.parameters[0]`);
}

function parameterMismatches(
  parameter: WireParameter,
  wanted: Rule['parameter'],
  need: string,
  path: string,
): Mismatch[] {
  if (parameter.type !== wanted)
    return [mismatch(`${need}, not ${parameter.type}.`, `${path}.type`, wanted, parameter.type)];
  const value: unknown = parameter[wanted];
  const isThere =
    wanted === 'action'
      ? typeof value === 'object' && value !== null
      : typeof value === 'string' && value !== '';
  return isThere ? [] : [mismatch(`${need}; it is empty.`, `${path}.${wanted}`, wanted, value ?? null)];
}

/** A component for a button that takes nothing, or for none. One without parameters for a fixed URL does no harm. */
function surplusOf({ content, subject }: Part, { component, index, path }: PlacedButton): Mismatch[] {
  const button = content.buttons.find((one) => one.index === index);
  const count = component.parameters?.length ?? 0;
  if (!button) {
    const message = `${subject} has no button ${index}, the request carries a component for it.`;
    return [mismatch(message, `${path}.parameters`, 0, count)];
  }
  if (ruleOf(button)) return [];
  if (button.type !== 'URL') {
    const message = `Button ${index} of ${lowerFirst(subject)} takes no component.`;
    return [mismatch(message, path, 0, 1)];
  }
  if (component.sub_type?.toLowerCase() !== URL_VARIABLE.subType) {
    const message = `Button ${index} of ${lowerFirst(subject)} is a URL, not of sub_type ${component.sub_type}.`;
    return [mismatch(message, `${path}.sub_type`, URL_VARIABLE.subType, component.sub_type)];
  }
  const message = `${subject} has no URL variable in button ${index}, the component carries ${count}.`;
  return count === 0 ? [] : [mismatch(message, `${path}.parameters`, 0, count)];
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
