import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type CsvError, type Info, parse } from 'csv-parse';
import { ApiError } from '../common/errors.js';

/** What a file may be. */
export interface CsvLimits {
  bytes: number;
  /** Whether rows may have other numbers of cells than the first one. */
  isRagged?: boolean;
}

/** One record of a file. */
export interface CsvRecord {
  /** Its number, as in a spreadsheet: the first is 1, and empty lines count. */
  row: number;
  /** The line on which an editor shows its end. */
  line: number;
  cells: string[];
}

/** Characters of one record at most. */
const MAX_RECORD_LENGTH = 64_000;

/** Characters within which the first record has to end. */
const FIRST_WITHIN = 64_000;
const DELIMITERS = [',', ';', '\t'];

/** What is wrong with a file, by the line on which an editor shows it. */
export const csvFault = (line: number, reason: string) =>
  new ApiError('VALIDATION_FAILED', `Line ${line}: ${reason}`, [{ field: 'file', line, message: reason }]);

/**
 * Reads a CSV file as it arrives: UTF-8 with or without a byte order mark, separated by comma, semicolon or tab, with quoted
 * cells. Empty records are left out.
 * @throws ApiError VALIDATION_FAILED with the line, or PAYLOAD_TOO_LARGE
 */
export async function* readCsv(
  chunks: AsyncIterable<Uint8Array>,
  { bytes, isRagged = false }: CsvLimits,
): AsyncGenerator<CsvRecord> {
  const decoded = decode(chunks, bytes);
  const { start, delimiter } = await findDelimiter(decoded);
  const parser = parse({
    delimiter,
    info: true,
    max_record_size: MAX_RECORD_LENGTH,
    skip_empty_lines: true,
    relax_column_count: isRagged,
    trim: true,
  });
  const reading = pipeline(Readable.from(join(start, decoded)), parser);
  reading.catch(() => undefined); // the loop below throws the same error
  let isFirst = true;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      if (!isFirst && record.every((cell) => cell === '')) continue;
      isFirst = false;
      yield { row: info.records + info.empty_lines, line: info.lines, cells: record.map(unguarded) };
    }
  } catch (error) {
    throw isCsvError(error) ? csvFault(error.lines as number, explain(error)) : error;
  }
}

/** The file's text, piece by piece. */
async function* decode(chunks: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let bytes = 0;
  let line = 1;
  for await (const chunk of chunks) {
    if (bytes === 0 && isWorkbook(chunk))
      throw csvFault(1, 'This is a workbook; save it as CSV (UTF-8) in your spreadsheet program.');
    bytes += chunk.length;
    if (bytes > most) throw new ApiError('PAYLOAD_TOO_LARGE', `A file has ${most / 1_000_000} MB at most.`);
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
    throw csvFault(
      line + good.split('\n').length - 1,
      'The file is not UTF-8; save it as CSV (UTF-8) in your spreadsheet program.',
    );
  }
  const nul = text.indexOf('\0');
  if (nul < 0) return text;
  throw csvFault(line + text.slice(0, nul).split('\n').length - 1, 'The file is not text.');
}

/** Workbooks are ZIP archives, or of the older format. */
function isWorkbook(chunk: Uint8Array): boolean {
  return (chunk[0] === 0x50 && chunk[1] === 0x4b) || (chunk[0] === 0xd0 && chunk[1] === 0xcf);
}

/** The delimiter that is most frequent in the first record, outside quotes; a comma when there is only one column. */
async function findDelimiter(decoded: AsyncGenerator<string>): Promise<{ start: string; delimiter: string }> {
  let start = '';
  while (start.length < FIRST_WITHIN && !/[^\r\n][\r\n]/.test(start)) {
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
      return `The row has more than ${MAX_RECORD_LENGTH} characters; is a quote not closed?`;
    default:
      return error.message;
  }
}
