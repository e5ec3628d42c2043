import { randomBytes, randomInt } from 'node:crypto';
import { LosslessNumber } from 'lossless-json';

/** An object id as the provider makes them: 15 to 17 digits, so often more than a double can hold. */
export function newObjectId(): string {
  const length = 15 + randomInt(3);
  const tail = Array.from({ length: length - 1 }, () => randomInt(10)).join('');
  return `${1 + randomInt(9)}${tail}`;
}

/** A message id: opaque, and not safe to put into a URL as it is. */
export function newWamid(): string {
  return `wamid.HBgL${randomBytes(27).toString('base64')}`;
}

export function newTraceId(): string {
  return `A${randomBytes(15).toString('base64url')}`;
}

/** An id that webhooks write as a JSON number, with every digit. Ids with anything but digits stay text. */
export function idAsNumber(id: string): LosslessNumber | string {
  return /^[1-9]\d*$/.test(id) ? new LosslessNumber(id) : id;
}
