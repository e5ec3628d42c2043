/**
 * JSON texts for which JavaScript has no value: a string made by `bare` is written without its quotes, so that
 * numbers of any size and spelling can be sent.
 */
const BEGIN = '\u0001bare:';
const END = '\u0001';

/** A string that stands for this token of JSON, such as `1e999`. */
export const bare = (token: string): string => `${BEGIN}${token}${END}`;

/** The JSON of a value, with its bare tokens. */
export function toJsonText(value: unknown): string {
  return (JSON.stringify(value) ?? '').replaceAll(/"\\u0001bare:(.*?)\\u0001"/g, '$1');
}
