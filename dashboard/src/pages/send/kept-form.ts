import type { SendValues } from './types';

/** A form that is not sent yet, and the key with which it will be sent. */
interface KeptForm {
  key: string;
  values: SendValues;
}

const slot = (userId: string) => `send-form:${userId}`;

/** Keeps the form for this tab over a reload. If storage is full or forbidden, a reload loses it. */
export function keepForm(userId: string, form: KeptForm): void {
  try {
    sessionStorage.setItem(slot(userId), JSON.stringify(form));
  } catch {
    forgetForm(userId); // an older form would be worse than none
  }
}

export function readForm(userId: string): KeptForm | null {
  try {
    return JSON.parse(sessionStorage.getItem(slot(userId)) ?? 'null') as KeptForm | null;
  } catch {
    return null;
  }
}

export function forgetForm(userId: string): void {
  try {
    sessionStorage.removeItem(slot(userId));
  } catch {
    // There is no storage, so there is nothing to forget.
  }
}
