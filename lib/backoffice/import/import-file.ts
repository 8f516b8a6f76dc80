import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { z } from 'zod';
import { BILL_FIELDS, type BillField, type TypedBill } from '@/lib/gateway/bills/create/typed-bill';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Locale } from '@/lib/platform/i18n/locale';
import { decodeText, hasSurplusCell, LINE_ENDS } from '@/lib/platform/spreadsheets/read-text';
import { isZip, readWorkbook } from '@/lib/platform/spreadsheets/read-workbook';

/** The maximum size of a file in bytes, and the maximum number of rows below the header. */
export const FILE_MAX_BYTES = 2 * 1024 * 1024;
export const ROWS_MAX = 5_000;

const SEPARATORS = [',', ';', '\t'] as const;

/** How the file was read: as a workbook, or as text in an encoding. */
type Encoding = 'xlsx' | 'utf-8' | 'utf-16' | 'windows-1252';

export interface FileRow {
  /** The row number in a spreadsheet, where the header is row 1. */
  readonly number: number;
  readonly typed: TypedBill;
}

interface ReadFile {
  readonly encoding: Encoding;
  readonly rows: readonly FileRow[];
  readonly ignored: readonly string[];
}

export type FileProblem =
  | { readonly kind: 'too_large' | 'unpacked_too_large' | 'no_text' | 'empty' | 'too_many_rows' | 'busy' }
  | { readonly kind: 'columns_missing' | 'columns_twice'; readonly fields: readonly BillField[] }
  /** The file cannot be read near a row: for example, a quotation mark is not closed. */
  | { readonly kind: 'unreadable'; readonly row: number }
  /** A row has a value in a column without a name. */
  | { readonly kind: 'surplus_cell'; readonly row: number };

/**
 * Reads a workbook (XLSX) or a CSV file of bills, as spreadsheets and people write them, or cells that were copied from a sheet: rows with
 * tabs. A large file takes some tenths of a second, with pauses for others.
 * @param subject whose file it is. The files of a subject wait for each other.
 */
export async function readBillFile(bytes: Uint8Array, subject: string): Promise<Result<ReadFile, FileProblem>> {
  if (bytes.length > FILE_MAX_BYTES) return fail({ kind: 'too_large' });
  const read = isZip(bytes) ? await readSheet(bytes, subject) : await readText(bytes);
  if (!read.ok) return read;
  const { records, encoding } = read.value;
  const first = records.findIndex((cells) => !isBlank(cells));
  const names = records[first] ?? [];
  const header = readHeader(names);
  const rows = records.flatMap((cells, index) =>
    index <= first || isBlank(cells) ? [] : [{ number: index + 1, typed: pick(cells, header.columns) }],
  );
  if (first === -1) return fail({ kind: 'empty' });
  if (header.missing.length > 0) return fail({ kind: 'columns_missing', fields: header.missing });
  if (header.twice.length > 0) return fail({ kind: 'columns_twice', fields: header.twice });
  if (rows.length === 0) return fail({ kind: 'empty' });
  const surplus = records.findIndex((cells, index) => index > first && hasSurplusCell(cells, names));
  if (surplus >= 0) return fail({ kind: 'surplus_cell', row: surplus + 1 });
  if (rows.length > ROWS_MAX || records.length === LINES_MAX) return fail({ kind: 'too_many_rows' });
  return ok({ encoding, rows, ignored: header.ignored });
}

/** The maximum number of lines read, including blank ones, which a spreadsheet numbers too. */
const LINES_MAX = 2 * ROWS_MAX;
const COLUMNS_MAX = 100;

interface ReadRecords {
  readonly records: readonly (readonly string[])[];
  readonly encoding: Encoding;
}

async function readSheet(bytes: Uint8Array, subject: string): Promise<Result<ReadRecords, FileProblem>> {
  const read = await readWorkbook(bytes, { subject, rows: LINES_MAX, columns: COLUMNS_MAX });
  if (read.ok) return ok({ records: read.value, encoding: 'xlsx' });
  return fail({ kind: read.error === 'no_workbook' ? 'no_text' : read.error });
}

async function readText(bytes: Uint8Array): Promise<Result<ReadRecords, FileProblem>> {
  const decoded = decodeFile(bytes);
  if (!decoded.ok) return fail({ kind: decoded.error });
  const { text, encoding } = decoded.value;
  // Excel's line that names the separator. A spreadsheet does not show it as a row.
  const [named, separator = null] = /^sep=([,;\t])\r?\n/i.exec(text) ?? [''];
  const records = await split(text.slice(named.length), separator);
  return records.ok ? ok({ records: records.value, encoding }) : records;
}

/** Uses the separator with which the header has the most known columns; the first one if several give the same number. */
async function split(text: string, named: string | null): Promise<Result<readonly (readonly string[])[], FileProblem>> {
  const [best = ','] = (named === null ? SEPARATORS : [named])
    .map((separator) => ({ separator, known: known(headerUnder(text, separator)) }))
    .sort((a, b) => b.known - a.known)
    .map(({ separator }) => separator);
  try {
    return ok(await parseInPieces(text, best));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { records } = error;
    return fail({ kind: 'unreadable', row: typeof records === 'number' ? records + 1 : 1 });
  }
}

/** The number of bytes that are parsed at once: a few milliseconds of work. */
const PIECE = 32 * 1024;
const recordSchema = z.array(z.string());

async function parseInPieces(text: string, delimiter: string): Promise<string[][]> {
  const parser = parse({ delimiter, record_delimiter: LINE_ENDS, relax_column_count: true, bom: true, to: LINES_MAX });
  const records: string[][] = [];
  const ended = new Promise<void>((resolve, reject) => {
    parser.once('error', reject);
    parser.once('end', resolve);
    parser.on('data', (record) => records.push(recordSchema.parse(record)));
  });
  // An error is reported at the end, by `await ended`.
  ended.catch(() => undefined);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length && records.length < LINES_MAX && !parser.destroyed; at += PIECE) {
    parser.write(bytes.subarray(at, at + PIECE));
    await yieldToOthers();
  }
  parser.end();
  await ended;
  return records;
}

function headerUnder(text: string, separator: string): Header {
  const line = text.split(/\r\n|\r|\n/).find((candidate) => candidate.replaceAll(separator, '').trim() !== '') ?? '';
  return readHeader(line.split(separator).map((cell) => cell.replace(/^\s*"|"\s*$/g, '')));
}

function known({ columns }: Header): number {
  return Object.keys(columns).length;
}

function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '');
}

function pick(cells: readonly string[], columns: Columns): TypedBill {
  const cell = (field: BillField) => cells[columns[field] ?? -1] ?? '';
  const info = { customerName: cell('customerName'), description: cell('description'), dueDate: cell('dueDate') };
  return { amount: cell('amount'), reference: cell('reference'), mobile: cell('mobile'), ...info };
}

/**
 * Decodes a file: UTF-8, or an encoding that Excel writes. Every file is valid Windows-1252, so this encoding is tried last. The result
 * names the encoding, and the page warns the member about Windows-1252, because letters may be wrong.
 */
function decodeFile(bytes: Uint8Array): Result<{ readonly text: string; readonly encoding: Encoding }, 'no_text'> {
  const decoded = decodeText(bytes);
  if (decoded.ok) return decoded;
  const text = decoded.error === 'other_encoding' ? new TextDecoder('windows-1252').decode(bytes) : '\0';
  return text.includes('\0') ? fail('no_text') : ok({ text, encoding: 'windows-1252' });
}

/** The columns of the template, which people fill in. */
export const TEMPLATE: Readonly<Record<Locale, readonly string[]>> = {
  en: ['amount', 'reference', 'mobile', 'customer', 'description', 'due date'],
  sw: ['kiasi', 'kumbukumbu', 'simu', 'mteja', 'maelezo', 'mwisho wa kulipa'],
};

/** Accepted column names in English and Swahili, reduced to lower-case letters, as `fieldOf` does. */
const NAMES: Readonly<Record<BillField, readonly string[]>> = {
  amount: ['amount', 'amounttzs', 'total', 'price', 'kiasi', 'kiasitzs', 'jumla', 'bei', 'fedha'],
  reference: [
    'reference',
    'ref',
    'billreference',
    'invoice',
    'invoicenumber',
    'kumbukumbu',
    'kumbukumbunamba',
    'nambayakumbukumbu',
    'ankara',
  ],
  mobile: ['mobile', 'mobilenumber', 'phone', 'phonenumber', 'msisdn', 'tel', 'simu', 'nambayasimu'],
  customerName: ['customer', 'customername', 'name', 'client', 'clientname', 'mteja', 'jina', 'jinalamteja'],
  description: ['description', 'details', 'maelezo'],
  dueDate: ['due', 'duedate', 'dueon', 'deadline', 'mwisho', 'mwishowakulipa', 'tareheyamwisho'],
};

type Columns = Readonly<Partial<Record<BillField, number>>>;

interface Header {
  readonly columns: Columns;
  /** Fields without a column, and fields with more than one. */
  readonly missing: readonly BillField[];
  readonly twice: readonly BillField[];
  readonly ignored: readonly string[];
}

/** Finds the columns by their names, in any order. Only amount and reference are required. */
function readHeader(cells: readonly string[]): Header {
  const fields = cells.map(fieldOf);
  const found = (field: BillField) => fields.filter((other) => other === field).length;
  const columns: Partial<Record<BillField, number>> = {};
  fields.forEach((field, index) => {
    if (field) columns[field] ??= index;
  });
  return {
    columns,
    missing: (['amount', 'reference'] as const).filter((field) => found(field) === 0),
    twice: BILL_FIELDS.filter((field) => found(field) > 1),
    ignored: cells.filter((cell, index) => fields[index] === null && cell.trim() !== ''),
  };
}

function fieldOf(cell: string): BillField | null {
  const plain = cell.toLowerCase().replace(/[^a-z]/g, '');
  return BILL_FIELDS.find((field) => NAMES[field].includes(plain)) ?? null;
}
