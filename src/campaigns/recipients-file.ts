import { csvFault, readCsv } from '../http/csv-file.js';

/** Bytes and rows of a file at most. */
export const MAX_FILE_BYTES = 20_000_000;
export const MAX_FILE_ROWS = 100_000;
const MAX_COLUMNS = 200;

/** One record of the file; the header is row 1, as in a spreadsheet, and empty lines count. */
export interface FileRow {
  row: number;
  cells: string[];
}

/**
 * Reads a CSV file of recipients as it arrives. The first row is the header: its names are made unique, and an empty one
 * becomes `Column n`.
 * @throws ApiError VALIDATION_FAILED with the line, or PAYLOAD_TOO_LARGE
 */
export async function* readRecipientsFile(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<FileRow> {
  let rows = 0;
  for await (const { row, line, cells } of readCsv(chunks, { bytes: MAX_FILE_BYTES })) {
    if (rows > MAX_FILE_ROWS) throw csvFault(line, `A campaign has ${MAX_FILE_ROWS} recipients at most.`);
    yield { row, cells: rows === 0 ? header(cells) : cells };
    rows += 1;
  }
  if (rows < 2) throw csvFault(1, 'The file needs a header line and at least one recipient below it.');
}

function header(cells: string[]): string[] {
  if (cells.length > MAX_COLUMNS) throw csvFault(1, `A file has ${MAX_COLUMNS} columns at most.`);
  const names: string[] = [];
  for (const [position, cell] of cells.entries()) {
    // Cut by characters: half of a surrogate pair could not be stored.
    const name = cell === '' ? `Column ${position + 1}` : Array.from(cell).slice(0, 100).join('');
    const repeats = names.filter((other) => other === name || other.startsWith(`${name} (`)).length;
    names.push(repeats === 0 ? name : `${name} (${repeats + 1})`);
  }
  return names;
}
