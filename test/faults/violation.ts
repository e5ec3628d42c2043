/** Something that must not happen: how often it did, and a few cases to look into. */
export interface Violation {
  what: string;
  count: number;
  examples: string[];
}

const EXAMPLES = 5;

export function violation(what: string, cases: (string | number)[]): Violation {
  return { what, count: cases.length, examples: cases.slice(0, EXAMPLES).map(String) };
}
