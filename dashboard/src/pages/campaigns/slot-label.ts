import type { Slot } from '../../../../src/campaigns/domain/mapping';
import type { TemplateContent } from '../../../../src/templates/domain/template-content';
import { strings } from '../../strings';

const texts = strings.campaigns.mapping.slots;

/** The label of a slot. */
export function slotLabel({ part, kind, name }: Slot, content: TemplateContent | null): string {
  if (part === 'phone') return texts.phone;
  if (part === 'body') return texts.body(name);
  if (part === 'button') {
    const button = content?.buttons.find(({ index }) => String(index) === name);
    const text = button?.text ?? name;
    return button?.type === 'COPY_CODE' ? texts.code(text) : texts.button(text);
  }
  if (kind === 'text') return texts.header(name);
  if (kind === 'place') return name === 'name' ? texts.name : texts.address;
  return kind === 'phone' ? texts.phone : texts[kind];
}
