import { parseInstant } from '@/lib/core/instant';
import { parseMobile } from '@/lib/core/mobile';
import { SENTI_PER_SHILLING, type Senti } from '@/lib/core/money';
import { fail, ok, type Result } from '@/lib/core/result';
import type { StatementMapping } from '@/lib/providers/port/statement-mapping';
import { SCIENTIFIC } from '@/lib/spreadsheets/read-text';
import type { MoneyKind, SkipReason, StatementLine } from './statement';

export interface Row {
  readonly number: number;
  /** The original cells, by the column names of the header. */
  readonly raw: Readonly<Record<string, string>>;
  /** Returns the trimmed cell of a column; empty if it does not exist. */
  cell(column: string): string;
}

type Money = { readonly kind: MoneyKind; readonly amount: Senti };

/** No provider has longer ids. A longer id means that the file is damaged. */
const ID_MAX_LENGTH = 64;
const OUR_REFERENCE = /^[A-Z0-9]{20}$/;
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
export function readLine(row: Row, mapping: StatementMapping, latest: Date): Result<StatementLine | SkipReason, readonly string[]> {
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
  if (strict && reference !== '' && !OUR_REFERENCE.test(reference))
    problems.push(`${columns.reference} "${reference}" must be 20 upper-case letters and digits, or empty`);

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
    reference: OUR_REFERENCE.test(reference) ? reference : null,
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
