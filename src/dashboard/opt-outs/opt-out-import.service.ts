import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { ApiError } from '../../common/errors.js';
import { unlessFaulty } from '../../common/faults.js';
import { csvFault, type CsvRecord, readCsv } from '../../http/csv-file.js';
import { MAX_REASON, OPT_OUT_SCOPES, type OptOutScope } from '../../recipients/domain/opt-out.js';
import { normalizePhone } from '../../recipients/domain/phone.js';
import { OptOutsService, type ToldOptOut } from '../../recipients/opt-outs.service.js';

/** Bytes and rows of a file at most. */
const MAX_BYTES = 100_000_000;
const MAX_ROWS = 1_000_000;

/** Rows in one statement. */
const BATCH = 1_000;

/** Faults that are told one by one. */
const MAX_FAULTS = 100;

/** The result of an import. */
export interface ImportedOptOuts {
  /** Recipients who are new on the list, or of whom it says more than before. */
  kept: number;
  /** Rows without a fault. */
  rows: number;
  faulty: number;
  /** The first of the faults. */
  faults: { line: number; message: string }[];
}

/** Where a file has what; null where it has none. */
interface Columns {
  phone: number;
  scope: number | null;
  reason: number | null;
}

const WITHOUT_HEADER: Columns = { phone: 0, scope: 1, reason: 2 };

/** Takes opt-outs from a CSV file: rows without a fault are kept, whatever the others have. */
@Injectable()
export class OptOutImportService {
  constructor(
    private readonly optOuts: OptOutsService,
    private readonly clock: Clock,
  ) {}

  /**
   * Rows are `phone`, `scope` (marketing, if it is left out) and `reason`; with a header line, in any order. What was
   * read before a fault of the file itself is kept.
   * @throws ApiError VALIDATION_FAILED with the line for a file that cannot be read, or PAYLOAD_TOO_LARGE
   */
  async import(tenantId: string, chunks: AsyncIterable<Uint8Array>): Promise<ImportedOptOuts> {
    const result: ImportedOptOuts = { kept: 0, rows: 0, faulty: 0, faults: [] };
    let batch: ToldOptOut[] = [];
    const flush = async () => {
      result.kept += await this.optOuts.keep(batch);
      batch = [];
    };
    try {
      for await (const row of this.rows(tenantId, chunks, result)) {
        batch.push(row);
        if (batch.length === BATCH) await flush();
      }
    } catch (error) {
      if (error instanceof ApiError) await flush();
      throw error;
    }
    await flush();
    return result;
  }

  /** The rows without a fault; the result counts them, and has the faults of the others. */
  private async *rows(
    tenantId: string,
    chunks: AsyncIterable<Uint8Array>,
    result: ImportedOptOuts,
  ): AsyncGenerator<ToldOptOut> {
    let columns: Columns | null = null;
    for await (const record of readCsv(chunks, { bytes: MAX_BYTES, isRagged: true })) {
      if (!columns) {
        columns = columnsOf(record);
        if (columns !== WITHOUT_HEADER) continue;
      }
      if (result.rows + result.faulty >= MAX_ROWS)
        throw csvFault(record.line, `A file has ${MAX_ROWS} rows at most; those before were taken.`);
      const read = readRow(record, columns);
      if (typeof read === 'string') {
        result.faulty += 1;
        if (result.faults.length < MAX_FAULTS) result.faults.push({ line: record.line, message: read });
        continue;
      }
      result.rows += 1;
      yield { ...read, tenant_id: tenantId, source: 'import', created_at: this.clock.now() };
    }
  }
}

/** By the names in the first row, where it has no phone number. */
function columnsOf({ cells, line }: CsvRecord): Columns {
  if (/\d/.test(cells[0] ?? '')) return WITHOUT_HEADER;
  const names = cells.map((cell) => cell.toLowerCase());
  const at = (name: string) => (names.includes(name) ? names.indexOf(name) : null);
  const phone = at('phone');
  if (phone === null) throw csvFault(line, 'The first line needs a column “phone”, or a phone number.');
  return { phone, scope: at('scope'), reason: at('reason') };
}

/** What the row says, or what is wrong with it. */
function readRow(
  { cells }: CsvRecord,
  columns: Columns,
): Pick<ToldOptOut, 'phone' | 'scope' | 'reason'> | string {
  const cell = (place: number | null) => (place === null ? '' : (cells[place] ?? ''));
  let fault = '';
  const phone = unlessFaulty(
    ({ message }) => (fault = message),
    () => normalizePhone(cell(columns.phone)),
  );
  if (!phone) return fault;
  const scope = cell(columns.scope).toLowerCase() || 'marketing';
  if (!isScope(scope)) return `The scope is marketing or all, not “${scope.slice(0, 40)}”.`;
  const reason = cell(columns.reason) || null;
  if (reason && reason.length > MAX_REASON) return `A reason has ${MAX_REASON} characters at most.`;
  return { phone: phone.digits, scope, reason };
}

const isScope = (scope: string): scope is OptOutScope =>
  (OPT_OUT_SCOPES as readonly string[]).includes(scope);
