/**
 * The day (UTC) from which the provider no longer serves a version of its API; versions from the first with WhatsApp
 * on. For v26.0 it has named no day yet.
 *
 * Source: https://developers.facebook.com/docs/graph-api/changelog/versions/, as it stood in autumn 2026.
 */
export const VERSION_ENDS: Readonly<Record<string, string>> = {
  'v13.0': '2024-05-28',
  'v14.0': '2024-09-17',
  'v15.0': '2024-11-20',
  'v16.0': '2025-05-14',
  'v17.0': '2025-09-12',
  'v18.0': '2026-01-26',
  'v19.0': '2026-05-21',
  'v20.0': '2026-09-24',
  'v21.0': '2027-01-21',
  'v22.0': '2027-05-20',
  'v23.0': '2027-10-08',
  'v24.0': '2028-02-18',
  'v25.0': '2028-07-29',
};

const DAY = 86_400_000;

/** Days before a version's end from which on there is a warning. */
const NOTICE = 90;

export interface VersionNotice {
  hasEnded: boolean;
  text: string;
}

/** A notice of a version's end; null while the end is far off or unknown. */
export function noticeOf(version: string, now: Date): VersionNotice | null {
  const day = VERSION_ENDS[version];
  if (day === undefined) return null;
  const days = Math.ceil((Date.parse(day) - now.getTime()) / DAY);
  if (days > NOTICE) return null;
  const what = `Version ${version} of the provider's API`;
  const advice = 'Set PROVIDER_API_VERSION to a newer one.';
  if (days > 0) return { hasEnded: false, text: `${what} ends on ${day}, ${inDays(days)}. ${advice}` };
  const text = `${what} ended on ${day}: the provider answers as a newer version does, or not at all. ${advice}`;
  return { hasEnded: true, text };
}

function inDays(days: number): string {
  return days === 1 ? 'within a day' : `in ${days} days`;
}
