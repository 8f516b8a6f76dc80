import {
  type BillInfo,
  CUSTOMER_NAME_MAX,
  customerNameSchema,
  DESCRIPTION_MAX,
  descriptionSchema,
  dueAtOfDay,
  hasInfo,
  INFO_FIELDS,
  type TypedInfo,
} from '@/lib/gateway/bills/bill-info';
import { type NewBill, newBillSchema } from '@/lib/gateway/bills/schema';
import { check } from '@/lib/platform/core/check';
import type { Failure, FailureCode } from '@/lib/platform/core/failure';
import { JsonNumber } from '@/lib/platform/core/json-number';
import { readMobile } from '@/lib/platform/core/mobile';
import { parseTypedAmount } from '@/lib/platform/core/money';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import { normalizeTypedNumber, oneLine } from '@/lib/platform/core/text';
import { readDay } from '@/lib/platform/i18n/typed-day';

/** A bill as a person typed it into a form or a spreadsheet. */
export interface TypedBill extends TypedInfo {
  readonly amount: string;
  readonly reference: string;
  readonly mobile: string;
}

export const BILL_FIELDS = ['amount', 'reference', 'mobile', ...INFO_FIELDS] as const;
export type BillField = (typeof BILL_FIELDS)[number];

export interface TypedProblem {
  readonly field: BillField;
  readonly code: FailureCode | InfoProblem;
}

const TYPED_MAX_LENGTH = 60;

/**
 * Validates typed values with the schema of the API, after removing what only people write: `TSh 12,500/=`, spaces in a mobile number,
 * spaces around a reference.
 * Returns the bill, or all problems, at most one per field.
 */
export function readTypedBill(
  typed: TypedBill,
  maxShillings: number,
  today?: string,
): Result<NewBill & { readonly info: BillInfo | null }, readonly TypedProblem[]> {
  const read = readTypedFields(typed, maxShillings, today);
  const { amount, reference, mobile } = read;
  const problems = problemsOf(read);
  if (!amount.ok || !reference.ok || !mobile.ok || problems.length > 0) return fail(problems);
  return ok({ amount: amount.value, reference: reference.value, mobile: mobile.value, info: infoOf(read) });
}

/** Returns the result of each field separately. @param today see `readTypedInfo` */
export function readTypedFields(typed: TypedBill, maxShillings: number, today?: string) {
  const number = typed.mobile.trim();
  const { amount, reference, mobile } = newBillSchema(maxShillings).shape;
  const plain = readAmount(typed.amount);
  return {
    amount: plain.ok ? check(amount, new JsonNumber(plain.value)) : plain,
    reference: check(reference, typed.reference.trim()),
    mobile: check(mobile, readMobile(number) ?? number),
    ...readTypedInfo(typed, today),
  };
}

/** Returns the problems, at most one per field. */
export function problemsOf(read: ReturnType<typeof readTypedFields>): TypedProblem[] {
  return BILL_FIELDS.flatMap((field) => {
    const result = read[field];
    return result.ok ? [] : [{ field, code: result.error.code }];
  });
}

/** Returns a plain decimal. A point starts a fraction and never separates thousands, so the ambiguous `2.000` is rejected. */
function readAmount(text: string): Result<string, Failure> {
  const plain = normalizeTypedNumber(text.slice(0, TYPED_MAX_LENGTH));
  if (plain === '') return fail({ code: 'amount_required' });
  if (/^[-\u2212]\d/.test(plain)) return fail({ code: 'amount_not_positive' });
  const typed = parseTypedAmount(plain);
  if (typed === null) return fail({ code: 'amount_not_number' });
  if (typed.fraction.length > 3) return fail({ code: 'amount_too_precise' });
  return ok(typed.shillings + typed.fraction);
}

/** The problems of optional values, with the largest length that is allowed. */
export const INFO_PROBLEMS = {
  customer_name_too_long: CUSTOMER_NAME_MAX,
  description_too_long: DESCRIPTION_MAX,
  due_date_invalid: null,
} as const;
export type InfoProblem = keyof typeof INFO_PROBLEMS;

export function isInfoProblem(code: string): code is InfoProblem {
  return Object.hasOwn(INFO_PROBLEMS, code);
}

/**
 * Returns the result of each field separately. Line breaks in texts become spaces.
 * @param today if it is given, a due date without a year is accepted: see `readDay`.
 */
export function readTypedInfo({ customerName = '', description = '', dueDate = '' }: TypedInfo, today?: string) {
  return {
    customerName: readLine(customerNameSchema, customerName, 'customer_name_too_long'),
    description: readLine(descriptionSchema, description, 'description_too_long'),
    dueDate: readDueDate(dueDate, today),
  };
}

/** Returns the optional values of a bill, or null if all are empty. Use it only if no field has a problem. */
export function infoOf({ customerName, description, dueDate }: ReturnType<typeof readTypedInfo>): BillInfo | null {
  const known = <Value>(read: Result<Value, unknown>) => (read.ok ? read.value : null);
  const info = { customerName: known(customerName), description: known(description), dueAt: known(dueDate) };
  return hasInfo(info) ? info : null;
}

function readLine(
  schema: typeof customerNameSchema,
  typed: string,
  tooLong: InfoProblem,
): Result<string | null, { readonly code: InfoProblem }> {
  const read = schema.safeParse(oneLine(typed));
  return read.success ? ok(read.data) : fail({ code: tooLong });
}

function readDueDate(typed: string, today: string | undefined): Result<Date | null, { readonly code: InfoProblem }> {
  if (typed.trim() === '') return ok(null);
  const dueAt = dueAtOfDay(readDay(typed, today) ?? '');
  return dueAt ? ok(dueAt) : fail({ code: 'due_date_invalid' });
}
