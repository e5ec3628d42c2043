import { ValidateBy } from 'class-validator';
import { parseIsoDateTime } from './iso-date-time.js';
import { isIsoDateTime } from './schedule.js';

/** ISO 8601 date and time that the calendar has. */
export const IsIsoDateTime = () =>
  ValidateBy({
    name: 'isIsoDateTime',
    validator: {
      validate: (value) => typeof value === 'string' && isIsoDateTime(value),
      defaultMessage: (fault) =>
        `${fault?.property} must be an ISO 8601 date and time, such as 2026-12-24T18:00:00+04:00`,
    },
  });

/** The same with an offset or `Z`: the same instant for everybody. */
export const IsInstant = () =>
  ValidateBy({
    name: 'isInstant',
    validator: {
      validate: (value) => 'instant' in (parseIsoDateTime(value) ?? {}),
      defaultMessage: (fault) =>
        `${fault?.property} must be an ISO 8601 date and time with an offset, such as 2026-12-24T18:00:00+04:00`,
    },
  });
