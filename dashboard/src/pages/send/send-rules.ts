import { normalizePhone } from '../../../../src/recipients/domain/phone';
import { strings } from '../../strings';
import type { TemplateNeeds } from './template-needs';
import type { SendValues } from './types';

const texts = strings.send;

type Faults = Record<string, string>;

/** Faults for missing and impossible values, by the form's path. The service checks again, by all of its rules. */
export function faultsOf(values: SendValues, needs: TemplateNeeds | null): Faults {
  const faults: Record<string, string | null> = {
    messaging_account_id: values.messaging_account_id === null ? texts.numberMissing : null,
    template_id: values.template_id === null ? texts.templateMissing : null,
    ...(needs && contentFaults(values, needs)),
    phone: phoneFault(values.phone),
    ...(values.when === 'later' && {
      at: values.at === '' ? texts.atMissing : null,
      zone: values.zone === null ? texts.zoneMissing : null,
    }),
    max_cost: /^\s*(\d{1,64}(\.\d{1,64})?)?\s*$/.test(values.max_cost) ? null : texts.conditions.maxCostWrong,
    ...metadataFaults(values.metadata),
  };
  return Object.fromEntries(
    Object.entries(faults).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}

/** The fault of a phone, by the service's own rule. */
export function phoneFault(phone: string): string | null {
  if (phone.trim() === '') return texts.phoneMissing;
  try {
    normalizePhone(phone.trim());
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

function contentFaults(values: SendValues, needs: TemplateNeeds): Record<string, string | null> {
  const { latitude, longitude, name, address } = values.location;
  return {
    ...Object.fromEntries(needs.body.map((key) => [`body.${key}`, textFault(values.body[key])])),
    ...(needs.headerText !== null && { header_text: textFault(values.header_text) }),
    ...(needs.media !== null && { media: mediaFault(values, needs.media) }),
    ...(needs.location && {
      'location.latitude': degrees(latitude, 90),
      'location.longitude': degrees(longitude, 180),
      'location.name': textFault(name),
      'location.address': textFault(address),
    }),
    ...Object.fromEntries(
      needs.buttons.map(({ index }) => [`buttons.${index}`, textFault(values.buttons[index])]),
    ),
  };
}

function mediaFault({ media, messaging_account_id }: SendValues, kind: string): string | null {
  if (media.source === 'link') {
    const link = media.link.trim();
    if (link === '') return texts.mediaMissing;
    return /^https?:\/\/\S+$/i.test(link) && URL.canParse(link) ? null : texts.linkInvalid;
  }
  return isUploadedFor(media, messaging_account_id, kind) ? null : texts.mediaMissing;
}

/** Rows that are empty count as not there. */
function metadataFaults(rows: SendValues['metadata']): Record<string, string | null> {
  const { nameMissing, nameTwice } = texts.conditions;
  const faults = rows.map(({ name, value }, index) => {
    if (name === '') return value === '' ? null : nameMissing;
    return rows.findIndex((row) => row.name === name) < index ? nameTwice : null;
  });
  return Object.fromEntries(faults.map((fault, index) => [`metadata.${index}.name`, fault]));
}

function textFault(value: string | undefined): string | null {
  return value ? null : texts.required;
}

/** Whether an upload was made for this number and this kind of header; others cannot use it. */
export function isUploadedFor(media: SendValues['media'], account: string | null, kind: string): boolean {
  const { id, uploaded_for: target } = media;
  return id !== null && target?.messaging_account_id === account && target?.kind === kind;
}

function degrees(text: string, limit: number): string | null {
  const value = Number(text);
  return text.trim() !== '' && Math.abs(value) <= limit ? null : texts.notANumber;
}
