import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { addMs, DAY_MS } from '@/lib/platform/core/clock';
import { parseInstant, parseSwapped } from '@/lib/platform/core/instant';
import { parseMobile } from '@/lib/platform/core/mobile';
import { SENTI_PER_SHILLING, type Senti } from '@/lib/platform/core/money';
import { isWithin, type Period } from '@/lib/platform/core/period';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import { decodeText, hasSurplusCell, LINE_ENDS, SCIENTIFIC, separatorOf } from '@/lib/platform/spreadsheets/read-text';
import type { StatementMapping } from '@/lib/providers/port/port';
import { isSameTransaction, type MoneyKind, type SkipReason, type Statement, type StatementLine, type StatementProblem } from './statement';

interface Cells {
  readonly number: number;
  readonly cells: readonly string[];
}

interface ReadOptions {
  readonly now: Date;
  /** The period that the statement is about. */
  readonly period: Period;
}

/**
 * Reads a statement. If any line cannot be read, or if a spreadsheet has changed the file, returns the problems of all lines instead: a part
 * of a statement would report payments of the ledger as missing.
 */
export function readStatement(
  bytes: Uint8Array,
  mapping: StatementMapping,
  { now, period }: ReadOptions,
): Result<Statement, readonly StatementProblem[]> {
  const table = readCells(bytes, mapping);
  if (!table.ok) return fail([table.error]);
  const header = findHeader(table.value, mapping);
  if (!header.ok) return fail([header.error]);

  const problems: StatementProblem[] = [];
  const lines: StatementLine[] = [];
  const times: Time[] = [];
  const seen = new Map<string, StatementLine>();
  const skipped: Record<SkipReason, number> = { not_completed: 0, other_money: 0, repeated: 0 };
  for (const { number, cells } of table.value.slice(header.value.index + 1)) {
    const { names } = header.value;
    // A file can consist of several exports, each with its header.
    const isHeader = cells.length === names.length && cells.every((cell, index) => cell.trim() === names[index]);
    if (isHeader || cells.every((cell) => cell.trim() === '')) continue;
    const shape = findShapeProblem(cells, names, mapping);
    if (shape !== null) {
      problems.push({ line: number, reason: shape });
      continue;
    }
    const row = toRow(number, names, cells);
    const read = readLine(row, mapping, addMs(now, DAY_MS));
    if (!read.ok) {
      for (const reason of read.error) problems.push({ line: number, reason });
    } else if (typeof read.value === 'string') {
      skipped[read.value] += 1;
    } else {
      const { kind, transactionId, completedAt } = read.value;
      const key = `${kind} ${foldId(transactionId)}`;
      const earlier = seen.get(key);
      if (!earlier) {
        seen.set(key, read.value);
        lines.push(read.value);
        times.push({ number, text: row.cell(mapping.columns.completedAt), completedAt });
      } else if (isSameTransaction(earlier, read.value)) {
        skipped.repeated += 1;
      } else {
        problems.push({ line: number, reason: `${kind} ${transactionId} is also on line ${earlier.number}, with different values` });
      }
    }
  }
  const changed = findRoundedIds(lines) ?? findChangedTimes(times, period);
  if (changed) problems.push(changed);
  return problems.length > 0 ? fail(problems) : ok({ lines, lastNumber: table.value.at(-1)?.number ?? 0, skipped });
}

function readCells(bytes: Uint8Array, { columns }: StatementMapping): Result<readonly Cells[], StatementProblem> {
  const decoded = decodeText(bytes);
  if (!decoded.ok)
    return fail({
      line: 1,
      reason: decoded.error === 'not_text' ? 'the file is not text: export it as CSV' : 'the file must be text in UTF-8',
    });
  const { text } = decoded.value;
  const header = text.split(/\r\n|\n|\r/).find((line) => line.toLowerCase().includes(columns.transactionId.toLowerCase())) ?? '';
  const separator = separatorOf(header);
  if (separator === ';' || separator === '\t') {
    const name = separator === ';' ? 'semicolons' : 'tabs';
    return fail({ line: 1, reason: `the columns are separated by ${name}, but must be separated by commas` });
  }
  const rows: Cells[] = [];
  try {
    parse(text, {
      record_delimiter: LINE_ENDS,
      relax_column_count: true,
      skip_empty_lines: true,
      on_record(cells: string[], { lines }) {
        rows.push({ number: lines, cells });
        return null;
      },
    });
    return ok(rows);
  } catch (error) {
    if (error instanceof CsvError) return fail({ line: typeof error.lines === 'number' ? error.lines : 1, reason: error.message });
    throw error;
  }
}

/** Returns why a line does not fit the header: it was cut off, or it contains more than one line. */
function findShapeProblem(cells: readonly string[], names: readonly string[], mapping: StatementMapping): string | null {
  if (columnsOf(mapping).every((column) => cells.some((cell) => isNamed(cell, column))))
    return 'the header follows again, with other columns';
  if (cells.length < names.length || (mapping.strict && cells.length > names.length))
    return `the line has ${cells.length} fields, but the header has ${names.length}`;
  return hasSurplusCell(cells, names) ? 'the line has a value in a column that has no name in the header' : null;
}

/**
 * Spreadsheets store 15 digits of a number and write zeros for the others. Returns a problem if all longer receipt numbers end like that.
 * One such number can be right.
 */
function findRoundedIds(lines: readonly StatementLine[]): StatementProblem | undefined {
  const long = lines.filter(({ transactionId }) => /^\d{16,}$/.test(transactionId));
  const [first] = long;
  if (!first || long.length < 2 || long.some(({ transactionId }) => !/^\d{15}0+$/.test(transactionId))) return undefined;
  return { line: first.number, reason: 'a spreadsheet has replaced the last digits of the receipt numbers by zeros' };
}

interface Time {
  readonly number: number;
  readonly text: string;
  readonly completedAt: Date;
}

/**
 * Returns a problem if a spreadsheet that writes the month before the day has changed times that start with the day: if some of them have
 * dashes and others slashes, if all dates exist with day and month swapped and more of them are then in the period, or if the times outside
 * of the period break the order of the lines and do not break it with day and month swapped.
 */
function findChangedTimes(times: readonly Time[], period: Period): StatementProblem | undefined {
  const form = ({ text }: Time) => /^\d{2}([-/])/.exec(text)?.[1];
  const forms = new Set(times.map(form));
  const mixed = times.find((time) => form(time) === '/');
  if (mixed && forms.has('-'))
    return { line: mixed.number, reason: 'dates have dashes on some lines and slashes on others: a spreadsheet has changed some of them' };
  const reason = (text: string) => `day and month seem to be swapped in "${text}", which is outside of the period`;
  const asRead = times.map(({ completedAt }) => completedAt);
  const repaired = times.map(({ text, completedAt }) =>
    isWithin(period, completedAt) ? completedAt : (parseSwapped(text) ?? completedAt),
  );
  const broken = times.find(({ completedAt }, index) => completedAt.getTime() !== repaired[index]?.getTime());
  if (broken && !isSorted(asRead) && isSorted(repaired)) return { line: broken.number, reason: reason(broken.text) };
  const swapped = times.flatMap(({ text }) => parseSwapped(text) ?? []);
  const within = (instants: readonly Date[]) => instants.filter((instant) => isWithin(period, instant)).length;
  const [first] = times;
  if (!first || swapped.length < times.length || within(swapped) <= within(asRead)) return undefined;
  return { line: first.number, reason: reason(first.text) };
}

function isSorted(instants: readonly Date[]): boolean {
  const steps = instants.slice(1).map((instant, index) => instant.getTime() - (instants[index]?.getTime() ?? 0));
  return steps.every((step) => step >= 0) || steps.every((step) => step <= 0);
}

/** Finds the header: the first line with all columns. Before the header, an export can have lines that describe the export. */
function findHeader(
  table: readonly Cells[],
  mapping: StatementMapping,
): Result<{ index: number; names: readonly string[] }, StatementProblem> {
  const expected = columnsOf(mapping);
  const missingIn = ({ cells }: Cells) => expected.filter((column) => !cells.some((cell) => isNamed(cell, column)));
  const index = mapping.strict ? 0 : table.findIndex((row) => missingIn(row).length === 0);
  const row = table[index];
  if (!row) return fail({ line: 1, reason: `there is no header with the columns ${expected.join(', ')}` });
  const names = row.cells.map((cell) => cell.trim());
  const [missing] = missingIn(row);
  if (missing) return fail({ line: row.number, reason: `the header has no column ${missing}; it must be ${expected.join(',')}` });
  const [unknown] = mapping.strict ? names.filter((name) => !expected.some((column) => isNamed(name, column))) : [];
  if (unknown !== undefined) return fail({ line: row.number, reason: `the header has an unknown column "${unknown}"` });
  const twice = expected.find((column) => names.filter((name) => isNamed(name, column)).length > 1);
  if (twice) return fail({ line: row.number, reason: `the header has the column ${twice} twice` });
  return ok({ index, names });
}

function columnsOf({ columns, amounts, completed }: StatementMapping): readonly string[] {
  const { transactionId, completedAt, reference, mobile, reversedTransactionId } = columns;
  const money = amounts.kind === 'typed' ? [amounts.type, amounts.amount] : [amounts.in, amounts.out, amounts.reason];
  return [transactionId, ...money, completedAt, reference, mobile, reversedTransactionId, ...(completed ? [completed.column] : [])];
}

function isNamed(cell: string, column: string): boolean {
  return cell.trim().toLowerCase() === column.toLowerCase();
}

function toRow(number: number, names: readonly string[], cells: readonly string[]): Row {
  const pairs = names.map((name, index): [string, string] => [name || `column ${index + 1}`, cells[index] ?? '']);
  const byName = new Map(pairs.map(([name, cell]) => [name.toLowerCase(), cell.trim()]));
  return { number, raw: Object.fromEntries(pairs), cell: (column) => byName.get(column.toLowerCase()) ?? '' };
}

interface Row {
  readonly number: number;
  /** The original cells, by the column names of the header. */
  readonly raw: Readonly<Record<string, string>>;
  /** Returns the trimmed cell of a column; empty if it does not exist. */
  cell(column: string): string;
}

type Money = { readonly kind: MoneyKind; readonly amount: Senti };

/** No provider has longer ids. A longer id means that the file is damaged. */
const ID_MAX_LENGTH = 64;
/** Our reference of an attempt or instrument, or the issued number of an instrument. */
const REFERENCE = /^(?:[A-Z0-9]{20}|\d{4,20})$/;
/** Up to 15 digits of shillings, which fit into a bigint of senti. */
const AMOUNT = /^(\d{1,15})(?:\.(\d{1,2}))?$/;
/** A receipt number as a spreadsheet writes it after it took it for an amount: `9E12`, `12345678901.00`, `12,345,678`, `#####`. */
const CHANGED_ID = /^(?:\d(?:[.,]\d+)?E\d{1,3}|\d{1,60}[.,]0+|\d{1,3}(?:,\d{3})+|#.*)$/i;
const GROUPED = /^\d{1,3}(,\d{3})+(\.\d+)?$/;

/** Returns the form of a receipt number that is left when a spreadsheet has removed leading zeros or somebody has changed upper case. */
export function foldId(transactionId: string): string {
  return transactionId.toUpperCase().replace(/^0+(?=\d+$)/, '');
}

/**
 * Reads a line of a statement.
 * @returns the transaction, the reason why the line is skipped, or all problems of the line.
 * @param latest a later time cannot be right.
 */
function readLine(row: Row, mapping: StatementMapping, latest: Date): Result<StatementLine | SkipReason, readonly string[]> {
  const { columns, completed, instants, strict } = mapping;
  if (completed && row.cell(completed.column).toLowerCase() !== completed.value.toLowerCase()) return ok('not_completed');
  const money = readMoney(row, mapping);
  if (money.ok && typeof money.value === 'string') return ok(money.value);
  const problems = money.ok ? [] : [money.error];

  const transactionId = row.cell(columns.transactionId);
  if (transactionId === '') problems.push(`${columns.transactionId} is missing`);
  if (transactionId.length > ID_MAX_LENGTH) problems.push(`${columns.transactionId} is longer than ${ID_MAX_LENGTH} characters`);

  const completedAt = parseInstant(row.cell(columns.completedAt), instants);
  if (completedAt === null) problems.push(`${columns.completedAt} "${row.cell(columns.completedAt)}" is not a valid time`);

  if (completedAt !== null && completedAt > latest)
    problems.push(`${columns.completedAt} "${row.cell(columns.completedAt)}" is in the future`);

  const reference = row.cell(columns.reference);
  for (const column of [columns.transactionId, columns.reversedTransactionId, columns.reference]) {
    const id = row.cell(column);
    if (SCIENTIFIC.test(id) || (column !== columns.reference && CHANGED_ID.test(id)))
      problems.push(`a spreadsheet has changed ${column} "${id}": use the file as the provider exported it`);
  }
  if (strict && reference !== '' && !REFERENCE.test(reference))
    problems.push(
      `${columns.reference} "${reference}" must be 20 upper-case letters and digits, an issued number of 4 to 20 digits, or empty`,
    );

  const mobile = row.cell(columns.mobile);
  const national = parseMobile(strict ? mobile : (mobile.split(' - ')[0] ?? ''));
  if (strict && mobile !== '' && national === null) problems.push(`${columns.mobile} "${mobile}" is not a Tanzanian mobile number`);

  const reversed = row.cell(columns.reversedTransactionId);
  const kind = money.ok && typeof money.value === 'object' ? money.value.kind : null;
  if (strict && kind === 'reversal' && reversed === '') problems.push(`${columns.reversedTransactionId} is missing`);
  if (strict && kind === 'payment' && reversed !== '') problems.push(`${columns.reversedTransactionId} is allowed only for reversals`);

  if (problems.length > 0 || !money.ok || typeof money.value === 'string' || completedAt === null) return fail(problems);
  return ok({
    number: row.number,
    ...money.value,
    transactionId,
    completedAt,
    reference: REFERENCE.test(reference) ? reference : null,
    mobile: national,
    reversedTransactionId: money.value.kind === 'reversal' && reversed !== '' ? reversed : null,
    raw: row.raw,
  });
}

function readMoney(row: Row, { amounts, thousandsSeparator }: StatementMapping): Result<Money | 'other_money', string> {
  const read = (column: string, text: string) => readAmount(column, text, thousandsSeparator !== null);
  if (amounts.kind === 'typed') {
    const kind = row.cell(amounts.type);
    if (kind !== 'payment' && kind !== 'reversal') return fail(`${amounts.type} "${kind}" must be payment or reversal`);
    const amount = read(amounts.amount, row.cell(amounts.amount));
    if (!amount.ok) return amount;
    return amount.value > 0n ? ok({ kind, amount: amount.value }) : fail(`${amounts.amount} must be more than 0`);
  }
  const moneyIn = read(amounts.in, row.cell(amounts.in) || '0');
  // In some exports money out has a minus sign.
  const moneyOut = read(amounts.out, row.cell(amounts.out).replace(/^-/, '') || '0');
  if (!moneyIn.ok) return moneyIn;
  if (!moneyOut.ok) return moneyOut;
  if (moneyIn.value > 0n && moneyOut.value > 0n) return fail(`the line has both ${amounts.in} and ${amounts.out}`);
  const isReversal = amounts.reversal.test(row.cell(amounts.reason));
  if (moneyIn.value > 0n && !isReversal) return ok({ kind: 'payment', amount: moneyIn.value });
  if (moneyOut.value > 0n && isReversal) return ok({ kind: 'reversal', amount: moneyOut.value });
  return ok('other_money');
}

/** Parses an amount of shillings. @returns senti. */
function readAmount(column: string, text: string, grouped: boolean): Result<Senti, string> {
  const [, whole = '', cents = ''] = AMOUNT.exec(grouped && GROUPED.test(text) ? text.replaceAll(',', '') : text) ?? [];
  if (whole === '') return fail(`${column} "${text}" must be shillings with at most two decimals, like 12500 or 12500.50`);
  return ok(BigInt(whole) * SENTI_PER_SHILLING + BigInt(cents.padEnd(2, '0')));
}
