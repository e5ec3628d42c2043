export const PERIODS = ['today', '7d', '30d', 'custom'] as const;
export type Period = (typeof PERIODS)[number];

/** Days of a preset, today included. */
const DAYS: Record<Exclude<Period, 'custom'>, number> = { today: 1, '7d': 7, '30d': 30 };

interface TimeRange {
  created_from?: string;
  created_to?: string;
}

/** The times of a preset, or of two days (YYYY-MM-DD, both included), by the browser's calendar. */
export function rangeOf(period: Period | null, from: string | null, to: string | null, now: Date): TimeRange {
  if (period === null) return {};
  if (period !== 'custom') return { created_from: startOfDay(now, 1 - DAYS[period]) };
  return {
    ...(isDay(from) && { created_from: startOfDay(new Date(`${from}T00:00`), 0) }),
    ...(isDay(to) && { created_to: startOfDay(new Date(`${to}T00:00`), 1) }),
  };
}

function isDay(text: string | null): boolean {
  return text !== null && !Number.isNaN(Date.parse(`${text}T00:00`));
}

/** The start of a day some days away, by the calendar, as a day may have 23 or 25 hours. */
function startOfDay(day: Date, offset: number): string {
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + offset).toISOString();
}
