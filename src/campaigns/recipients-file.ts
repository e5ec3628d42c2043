import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type CsvError, type Info, parse } from 'csv-parse';
import { ApiError } from '../common/errors.js';

/** Bytes and rows of a file at most, and characters of one row. */
export const MAX_FILE_BYTES = 20_000_000;
export const MAX_FILE_ROWS = 100_000;
const MAX_ROW_LENGTH = 64_000;
const MAX_COLUMNS = 200;

/** Characters within which the header has to end. */
const HEADER_WITHIN = 64_000;
const DELIMITERS = [',', ';', '\t'];

/** One record of the file; the header is row 1, as in a spreadsheet, and empty lines count. */
export interface FileRow {
  row: number;
  cells: string[];
}

/** What is wrong with a file, by the line on which an editor shows it. */
const fileFault = (line: number, reason: string) =>
  new ApiError('VALIDATION_FAILED', `Line ${line}: ${reason}`, [{ field: 'file', line, message: reason }]);

/**
 * Reads a CSV file as it arrives: UTF-8 with or without a byte order mark, separated by comma, semicolon or tab,
 * with quoted cells. The first row is the header: its names are made unique, and an empty one becomes `Column n`.
 * @throws ApiError VALIDATION_FAILED with the line, or PAYLOAD_TOO_LARGE
 */
export async function* readRecipientsFile(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<FileRow> {
  const decoded = decode(chunks);
  const { start, delimiter } = await findDelimiter(decoded);
  const parser = parse({
    delimiter,
    info: true,
    max_record_size: MAX_ROW_LENGTH,
    skip_empty_lines: true,
    trim: true,
  });
  const reading = pipeline(Readable.from(join(start, decoded)), parser);
  reading.catch(() => undefined); // the loop below throws the same error
  let rows = 0;
  try {
    for await (const { record: cells, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      const row = info.records + info.empty_lines;
      if (rows > 0 && cells.every((cell) => cell === '')) continue;
      if (rows > MAX_FILE_ROWS)
        throw fileFault(info.lines, `A campaign has ${MAX_FILE_ROWS} recipients at most.`);
      yield { row, cells: rows === 0 ? header(cells) : cells.map(unguarded) };
      rows += 1;
    }
  } catch (error) {
    throw isCsvError(error) ? fileFault(error.lines as number, explain(error)) : error;
  }
  if (rows < 2) throw fileFault(1, 'The file needs a header line and at least one recipient below it.');
}

/** The file's text, piece by piece. */
async function* decode(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let bytes = 0;
  let line = 1;
  for await (const chunk of chunks) {
    if (bytes === 0 && isWorkbook(chunk))
      throw fileFault(1, 'This is a workbook; save it as CSV (UTF-8) in your spreadsheet program.');
    bytes += chunk.length;
    if (bytes > MAX_FILE_BYTES)
      throw new ApiError('PAYLOAD_TOO_LARGE', `A file has ${MAX_FILE_BYTES / 1_000_000} MB at most.`);
    const text = decodeChunk(decoder, chunk, line);
    line += text.split('\n').length - 1;
    yield text;
  }
  yield decodeChunk(decoder, undefined, line);
}

function decodeChunk(
  decoder: InstanceType<typeof TextDecoder>,
  chunk: Uint8Array | undefined,
  line: number,
): string {
  let text: string;
  try {
    text = decoder.decode(chunk, { stream: chunk !== undefined });
  } catch {
    // The line of the fault within this chunk is counted in the part before it, which can be read.
    const good = new TextDecoder().decode(chunk).split('\uFFFD', 1)[0] ?? '';
    throw fileFault(
      line + good.split('\n').length - 1,
      'The file is not UTF-8; save it as CSV (UTF-8) in your spreadsheet program.',
    );
  }
  const nul = text.indexOf('\0');
  if (nul < 0) return text;
  throw fileFault(line + text.slice(0, nul).split('\n').length - 1, 'The file is not text.');
}

/** Workbooks are ZIP archives, or of the older format. */
function isWorkbook(chunk: Uint8Array): boolean {
  return (chunk[0] === 0x50 && chunk[1] === 0x4b) || (chunk[0] === 0xd0 && chunk[1] === 0xcf);
}

/** The delimiter that is most frequent in the header, outside quotes; a comma when there is only one column. */
async function findDelimiter(decoded: AsyncGenerator<string>): Promise<{ start: string; delimiter: string }> {
  let start = '';
  while (start.length < HEADER_WITHIN && !/[^\r\n][\r\n]/.test(start)) {
    const { value, done } = await decoded.next();
    if (done) break;
    start += value;
  }
  const [firstLine = ''] = start
    .replaceAll(/"[^"]*"/g, '')
    .trimStart()
    .split(/[\r\n]/, 1);
  const counts = DELIMITERS.map((delimiter) => firstLine.split(delimiter).length);
  return { start, delimiter: DELIMITERS[counts.indexOf(Math.max(...counts))] as string };
}

async function* join(start: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  if (start !== '') yield start;
  for await (const text of rest) if (text !== '') yield text;
}

/** Removes the apostrophe that exports put before text such as +1202…, which a spreadsheet would take for a formula. */
const unguarded = (cell: string) => cell.replace(/^'(?=[=+\-@])/, '');

function header(cells: string[]): string[] {
  if (cells.length > MAX_COLUMNS) throw fileFault(1, `A file has ${MAX_COLUMNS} columns at most.`);
  const names: string[] = [];
  for (const [position, cell] of cells.entries()) {
    // Cut by characters: half of a surrogate pair could not be stored.
    const name = cell === '' ? `Column ${position + 1}` : Array.from(cell).slice(0, 100).join('');
    const repeats = names.filter((other) => other === name || other.startsWith(`${name} (`)).length;
    names.push(repeats === 0 ? name : `${name} (${repeats + 1})`);
  }
  return names;
}

const isCsvError = (error: unknown): error is CsvError =>
  typeof error === 'object' && error !== null && 'code' in error && String(error.code).startsWith('CSV_');

function explain(error: CsvError): string {
  switch (error.code) {
    case 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH':
    case 'CSV_RECORD_INCONSISTENT_COLUMNS': {
      const { record } = error as unknown as { record: string[] };
      return `The row has ${record.length} cells, which is not as many as the header.`;
    }
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'A quote is opened and never closed.';
    case 'CSV_INVALID_CLOSING_QUOTE':
    case 'INVALID_OPENING_QUOTE':
      return 'A quote stands where none may be; double the quotes within a quoted cell.';
    case 'CSV_MAX_RECORD_SIZE':
      return `The row has more than ${MAX_ROW_LENGTH} characters; is a quote not closed?`;
    default:
      return error.message;
  }
}
