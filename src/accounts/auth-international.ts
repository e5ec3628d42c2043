/**
 * Since when a business account pays the authentication-international rate for codes: the start time, ISO 8601 in UTC,
 * by the recipient's country (ISO 3166-1, two letters), and under {@link ANY_COUNTRY} for each country not named. The
 * provider declares it of large senders only; before the start, and without a declaration, codes cost what they cost
 * at home.
 */
export type AuthInternational = Record<string, string>;

/** Stands for each country that has no start time of its own. */
export const ANY_COUNTRY = '*';
