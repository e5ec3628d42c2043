import { parse } from 'csv-parse/sync';
import { Decimal } from 'decimal.js';

export type RateCategory = 'MARKETING' | 'UTILITY' | 'AUTHENTICATION' | 'AUTHENTICATION_INTERNATIONAL';

/** The price of one delivered message of a category to a market. */
export interface RateCardRow {
  market: string;
  /** ISO 4217. */
  currency: string;
  category: RateCategory;
  /** A decimal, as text: money never passes through binary floating point. */
  amount: string;
}

/** One reason why a card cannot be taken; `line` counts from 1, as an editor does. */
export interface RateCardFault {
  line: number;
  reason: string;
}

/** A card with faults is refused as a whole; all of them are listed. */
export class RateCardError extends Error {
  constructor(readonly faults: RateCardFault[]) {
    const lines = faults.map(({ line, reason }) => `line ${line}: ${reason}`);
    super(`The rate card has ${faults.length} fault(s): ${lines.join('; ')}`);
    this.name = 'RateCardError';
  }
}

interface Line {
  line: number;
  cells: string[];
}

type Columns = Partial<Record<'MARKET' | 'CURRENCY' | RateCategory, number>>;

const CATEGORIES: RateCategory[] = ['MARKETING', 'UTILITY', 'AUTHENTICATION', 'AUTHENTICATION_INTERNATIONAL'];
const REQUIRED = ['MARKET', 'CURRENCY', ...CATEGORIES.slice(0, 3)] as (keyof Columns)[];
const NO_RATE = new Set(['', 'n/a', 'na', '-', '–', '—']);
const SIGNS: Record<string, string> = {
  $: 'USD',
  $US: 'USD',
  US$: 'USD',
  '€': 'EUR',
  '£': 'GBP',
  '₹': 'INR',
};
const AMOUNT = /^(\d{1,9}(\.\d{0,12})?|\.\d{1,12})$/;

function readLines(csv: string): Line[] {
  try {
    const records = parse(csv, {
      bom: true,
      comment: '#',
      comment_no_infix: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    }) as unknown as { record: string[]; info: { lines: number } }[];
    return records.map(({ record, info }) => ({ line: info.lines, cells: record }));
  } catch (error) {
    const line = (error as { lines?: number }).lines ?? 1;
    throw new RateCardError([{ line, reason: `Not CSV: ${(error as Error).message}` }]);
  }
}

const columnName = (cell: string) => cell.toUpperCase().replace(/[\s_–-]+/g, '_');

/** Finds the header row below the lines that the provider writes above it. Other columns (`Service`) are skipped. */
function findHeader(lines: Line[]): { columns: Columns; rows: Line[] } {
  for (const [position, { cells }] of lines.entries()) {
    const names = cells.map((cell) => columnName(cell));
    if (REQUIRED.every((name) => names.includes(name))) {
      const columns = Object.fromEntries(names.map((name, column) => [name, column])) as Columns;
      return { columns, rows: lines.slice(position + 1) };
    }
  }
  const reason =
    'No header row: Market, Currency, Marketing, Utility, Authentication, Authentication-International.';
  throw new RateCardError([{ line: 1, reason }]);
}

function readCurrency(cell: string): string | null {
  const sign = cell.toUpperCase().replaceAll(' ', '');
  return SIGNS[sign] ?? (/^[A-Z]{3}$/.test(sign) ? sign : null);
}

/** The amount in a cell, as a plain decimal; null when the cell says that there is no rate, undefined when invalid. */
function readAmount(cell: string, currency: string): string | null | undefined {
  if (NO_RATE.has(cell.toLowerCase())) return null;
  const bare = cell.replace(currency, '').replaceAll(/[$€£₹\s]|US(?=\$)/g, '');
  return AMOUNT.test(bare) ? new Decimal(bare).toFixed() : undefined;
}

function readRates(cells: string[], columns: Columns, market: string, currency: string) {
  const rates: RateCardRow[] = [];
  const reasons: string[] = [];
  for (const category of CATEGORIES) {
    const cell = cells[columns[category] ?? -1] ?? '';
    const amount = readAmount(cell, currency);
    if (amount) rates.push({ market, currency, category, amount });
    if (amount === undefined)
      reasons.push(`${category} of ${market} is no amount of 0 or more: ${cell.slice(0, 40)}`);
  }
  return { rates, reasons };
}

/** Reads one row into `rates`. @returns its faults */
function readRow(cells: string[], columns: Columns, rates: RateCardRow[]): string[] {
  const market = cells[columns.MARKET ?? -1] ?? '';
  const cell = cells[columns.CURRENCY ?? -1] ?? '';
  const currency = readCurrency(cell);
  if (market === '') return ['The market is missing.'];
  if (!currency) return [`The currency of ${market} is none: ${cell.slice(0, 40)}`];
  const row = readRates(cells, columns, market, currency);
  const other = rates.find((rate) => rate.currency !== currency);
  if (other)
    row.reasons.push(`${market} is in ${currency}, the card in ${other.currency}: load one card a currency.`);
  rates.push(...row.rates);
  return row.reasons;
}

/**
 * Reads a rate card in the provider's published form: a header row with Market, Currency, Marketing, Utility,
 * Authentication and, where there is such a rate, Authentication-International. Lines above the header and lines that
 * begin with `#` are skipped; `n/a` and empty cells are no rate. Market names are the provider's, and may be new ones.
 *
 * @throws RateCardError with every fault
 */
export function parseRateCard(csv: string): RateCardRow[] {
  const { columns, rows } = findHeader(readLines(csv));
  const rates: RateCardRow[] = [];
  const seen = new Set<string>();
  const faults = rows.flatMap(({ line, cells }) => {
    if (cells.every((cell) => cell === '')) return [];
    const market = cells[columns.MARKET ?? -1] ?? '';
    const reasons = seen.has(market) ? [`${market} stands twice.`] : readRow(cells, columns, rates);
    seen.add(market);
    return reasons.map((reason) => ({ line, reason }));
  });
  if (faults.length === 0 && rates.length === 0) faults.push({ line: 1, reason: 'The card has no rates.' });
  if (faults.length > 0) throw new RateCardError(faults);
  return rates;
}
