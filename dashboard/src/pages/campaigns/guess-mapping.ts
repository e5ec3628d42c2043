import { type CampaignMapping, type Slot, slotsOf } from '../../../../src/campaigns/domain/mapping';
import type { TemplateContent } from '../../../../src/templates/domain/template-content';

const PHONE_NAMES = /phone|mobile|whatsapp|msisdn|telefon|telephone|cell|tel|هاتف|جوال/i;
const PHONE_VALUE = /^\+?[\d\s().-]{8,20}$/;

const plain = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');

/**
 * Guesses the mapping: the phone by the column's name or its first value, then parts and columns with the same name,
 * and the other placeholders of the body in the order of the remaining columns.
 */
export function guessMapping(
  content: TemplateContent,
  columns: string[],
  firstRow: string[],
): CampaignMapping {
  const free = new Set(columns.keys());
  const mapping: CampaignMapping = {};
  const take = ({ key }: Slot, column: number | undefined) => {
    if (column === undefined || column < 0 || !free.delete(column)) return;
    mapping[key] = { column };
  };
  const slots = slotsOf(content);
  const [phone, ...others] = slots;
  const byName = columns.findIndex((name) => PHONE_NAMES.test(name));
  if (phone)
    take(
      phone,
      byName >= 0 ? byName : firstRow.findIndex((cell) => PHONE_VALUE.test(cell) && cell.length > 8),
    );
  for (const slot of others) {
    const names = new Set([slot.key, slot.name].map(plain).filter((name) => !/^\d*$/.test(name)));
    take(
      slot,
      columns.findIndex((column, i) => free.has(i) && names.has(plain(column))),
    );
  }
  for (const slot of others) if (slot.part === 'body' && !mapping[slot.key]) take(slot, [...free][0]);
  return mapping;
}
