import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { z } from 'zod';
import type { BillField, TypedBill } from '@/lib/bills/create/typed-bill';
import { fail, ok, type Result } from '@/lib/core/result';
import { decodeText, hasSurplusCell, LINE_ENDS } from '@/lib/spreadsheets/read-text';
import { type Columns, type Header, readHeader } from './import-columns';

/** The maximum size of a file in bytes, and the maximum number of rows below the header. */
export const FILE_MAX_BYTES = 2 * 1024 * 1024;
export const ROWS_MAX = 5_000;

const SEPARATORS = [',', ';', '\t'] as const;

type Encoding = 'utf-8' | 'utf-16' | 'windows-1252';

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
  | { readonly kind: 'too_large' | 'no_text' | 'empty' | 'too_many_rows' }
  | { readonly kind: 'columns_missing' | 'columns_twice'; readonly fields: readonly BillField[] }
  /** The file cannot be read near a row: for example, a quotation mark is not closed. */
  | { readonly kind: 'unreadable'; readonly row: number }
  /** A row has a value in a column without a name. */
  | { readonly kind: 'surplus_cell'; readonly row: number };

/** Reads a CSV file of bills, as spreadsheets and people write them. A large file takes some tenths of a second, with pauses for others. */
export async function readBillFile(bytes: Uint8Array): Promise<Result<ReadFile, FileProblem>> {
  if (bytes.length > FILE_MAX_BYTES) return fail({ kind: 'too_large' });
  const decoded = decodeFile(bytes);
  if (!decoded.ok) return fail({ kind: decoded.error });
  const { text, encoding } = decoded.value;
  // Excel's line that names the separator. A spreadsheet does not show it as a row.
  const [named, separator = null] = /^sep=([,;\t])\r?\n/i.exec(text) ?? [''];
  const records = await split(text.slice(named.length), separator);
  if (!records.ok) return records;
  const first = records.value.findIndex((cells) => !isBlank(cells));
  const names = records.value[first] ?? [];
  const header = readHeader(names);
  const rows = records.value.flatMap((cells, index) =>
    index <= first || isBlank(cells) ? [] : [{ number: index + 1, typed: pick(cells, header.columns) }],
  );
  if (first === -1) return fail({ kind: 'empty' });
  if (header.missing.length > 0) return fail({ kind: 'columns_missing', fields: header.missing });
  if (header.twice.length > 0) return fail({ kind: 'columns_twice', fields: header.twice });
  if (rows.length === 0) return fail({ kind: 'empty' });
  const surplus = records.value.findIndex((cells, index) => index > first && hasSurplusCell(cells, names));
  if (surplus >= 0) return fail({ kind: 'surplus_cell', row: surplus + 1 });
  if (rows.length > ROWS_MAX || records.value.length === LINES_MAX) return fail({ kind: 'too_many_rows' });
  return ok({ encoding, rows, ignored: header.ignored });
}

/** The maximum number of lines read, including blank ones, which a spreadsheet numbers too. */
const LINES_MAX = 2 * ROWS_MAX;

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
