import { isEmail } from 'class-validator';

/** Why a list of addresses, with commas between them, is none; null when it is one. */
export function addressesFault(value: unknown): string | null {
  const addresses = typeof value === 'string' ? value.split(',').map((address) => address.trim()) : [];
  const areRight = addresses.length > 0 && addresses.every((address) => isEmail(address));
  return areRight ? null : 'ALERT_MAIL_TO must be e-mail addresses with commas between them';
}

interface MailSettings {
  ALERT_SMTP_URL?: string;
  ALERT_MAIL_FROM?: string;
  ALERT_MAIL_TO?: string;
}

/** Why alerts cannot be mailed by these three variables; null when they can, or none is set. */
export function mailFault({
  ALERT_SMTP_URL: url,
  ALERT_MAIL_FROM: from,
  ALERT_MAIL_TO: to,
}: MailSettings): string | null {
  const given = [url, from, to].filter((value) => value !== undefined).length;
  if (given === 0 || given === 3) return null;
  return 'ALERT_SMTP_URL, ALERT_MAIL_FROM and ALERT_MAIL_TO go together: set all three, or none';
}
