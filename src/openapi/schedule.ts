import type { OpenAPIObject } from '@nestjs/swagger';

const DAY = 24 * 60 * 60 * 1000;

/**
 * The document with tomorrow's date in its examples of `scheduled_at`. A date in a committed file would lie in the past
 * one day, and be refused; the examples at /docs have to work every day.
 */
export function withFreshSchedule(document: OpenAPIObject, now: Date): OpenAPIObject {
  const tomorrow = new Date(now.getTime() + DAY).toISOString().slice(0, 10);
  const text = JSON.stringify(document).replaceAll(
    /"scheduled_at":"\d{4}-\d\d-\d\dT(\d\d:\d\d:\d\d)"/g,
    (_match, time: string) => `"scheduled_at":"${tomorrow}T${time}"`,
  );
  return JSON.parse(text) as OpenAPIObject;
}
