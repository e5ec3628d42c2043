/** Milliseconds that are less than any change of clocks. */
const NEAR = 10 * 60_000;

/**
 * Whether an instant is another time than the wanted wall time, because the clocks of the zone skip that.
 * @param wall from a datetime-local input: `2026-12-24T18:00`
 */
export function isFarFrom(wall: string, instant: string, zone: string): boolean {
  const difference = Date.parse(`${wallTimeOf(instant, zone)}Z`) - Date.parse(`${wall.slice(0, 16)}Z`);
  return Math.abs(difference) > NEAR;
}

/** The wall time of an instant in the zone. */
function wallTimeOf(instant: string, zone: string): string {
  const format = new Intl.DateTimeFormat('sv', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  return format.format(new Date(instant)).replace(' ', 'T');
}
