import { ValidateBy } from 'class-validator';
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
