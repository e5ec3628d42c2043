import { stringify } from 'csv-stringify/sync';

type Row = (string | number | null)[];

/** RFC 4180. Text that a spreadsheet would run as a formula gets an apostrophe in front, by which it knows text. */
const FORM = { record_delimiter: 'windows', quote_record_delimiter: true, escape_formulas: true } as const;

/** The first line of a CSV file, behind the byte order mark by which spreadsheets take the file for UTF-8. */
export function csvHeader(names: readonly string[]): string {
  return stringify([names], { ...FORM, bom: true });
}

/** Lines of a CSV file. */
export function csvLines(rows: Row[]): string {
  return stringify(rows, FORM);
}
