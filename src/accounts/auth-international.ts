/**
 * From when on a business account pays the authentication-international rate for codes. Keys are recipients' countries
 * (ISO 3166-1, two letters), or {@link ANY_COUNTRY} for countries not named; values are start times, ISO 8601 in UTC.
 * The provider declares this for large senders only. Before the start, or without a declaration, codes have the
 * domestic price.
 */
export type AuthInternational = Record<string, string>;

/** Stands for each country that has no start time of its own. */
export const ANY_COUNTRY = '*';
