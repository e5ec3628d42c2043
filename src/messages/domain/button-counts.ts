import type { WireComponent } from '../../provider/wire.js';
import type { TemplateContent } from '../../templates/domain/template-content.js';
import { mismatch, plural, type Mismatch } from './component-counts.js';
import { buttonIndex } from './component-shape.js';

interface PlacedButton {
  component: WireComponent;
  index: number | null;
  path: string;
}

const isUrl = ({ component }: PlacedButton) => component.sub_type?.toLowerCase() === 'url';

function placeButtons(components: WireComponent[]): PlacedButton[] {
  return components.flatMap((component, position) =>
    component.type === 'button'
      ? [{ component, index: buttonIndex(component.index), path: `data.components[${position}]` }]
      : [],
  );
}

/** A button with a variable in its URL (or a one-time code) takes a `url` component with exactly one text. */
function variableMismatches(name: string, index: number, button: PlacedButton | undefined): Mismatch[] {
  const need = `Template ${name} needs a button component of sub_type url for button ${index}, with 1 text parameter`;
  if (!button) {
    const { message, detail } = mismatch(`${need}; the request carries none.`, 'data.components', 1, 0);
    return [{ message, detail: { ...detail, button_index: index } }];
  }
  const { component, path } = button;
  if (!isUrl(button)) {
    return [mismatch(`${need}, not ${component.sub_type}.`, `${path}.sub_type`, 'url', component.sub_type)];
  }
  const parameters = component.parameters ?? [];
  if (parameters.length !== 1) {
    const message = `${need}; the component carries ${plural(parameters.length, 'parameter')}.`;
    return [mismatch(message, `${path}.parameters`, 1, parameters.length)];
  }
  const type = parameters[0]?.type;
  return type === 'text'
    ? []
    : [mismatch(`${need}, not ${type}.`, `${path}.parameters[0].type`, 'text', type)];
}

/** URL variables of buttons. Other kinds of button pass through: what they carry is optional. */
export function buttonMismatches(
  content: TemplateContent,
  name: string,
  components: WireComponent[],
): Mismatch[] {
  const given = placeButtons(components);
  const wanted = content.buttons.filter((button) => button.hasUrlVariable).map((button) => button.index);
  const missing = wanted.flatMap((index) =>
    variableMismatches(
      name,
      index,
      given.find((button) => button.index === index),
    ),
  );
  const surplus = given.flatMap((button) => {
    const count = button.component.parameters?.length ?? 0;
    if (count === 0 || !isUrl(button) || wanted.includes(button.index ?? -1)) return [];
    const message = `Template ${name} has no URL variable in button ${button.index}, the component carries ${count}.`;
    return [mismatch(message, `${button.path}.parameters`, 0, count)];
  });
  return [...missing, ...surplus];
}
