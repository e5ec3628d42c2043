import { slotsOf } from '../../../../src/campaigns/domain/mapping';
import type { TemplateContent } from '../../../../src/templates/domain/template-content';

const SAMPLE_PHONES = ['+12025550100', '+12025550101'];
const VALUES: Record<string, string> = {
  media: 'https://example.com/file.jpg',
  latitude: '25.2',
  longitude: '55.27',
};

/** A list that fits the template, for people to fill in. */
export function sampleFile(content: TemplateContent): string {
  const slots = slotsOf(content);
  const header = slots.map(({ key }) => key.replaceAll('.', '_'));
  const rows = SAMPLE_PHONES.map((phone) =>
    slots.map(({ kind, name }) => (kind === 'phone' ? phone : (VALUES[kind] ?? `sample ${name}`))),
  );
  return `\uFEFF${[header, ...rows].map((cells) => cells.join(',')).join('\r\n')}\r\n`;
}
