import { INFO_FIELDS, type TypedInfo } from '@/lib/bills/info-fields';
import { type NewBill, newBillSchema } from '@/lib/bills/schema';
import { check } from '@/lib/core/check';
import type { Failure, FailureCode } from '@/lib/core/failure';
import { JsonNumber } from '@/lib/core/json-number';
import { readMobile } from '@/lib/core/mobile';
import { parseTypedAmount } from '@/lib/core/money';
import { fail, ok, type Result } from '@/lib/core/result';
import { normalizeTypedNumber } from '@/lib/core/text';
import { type InfoProblem, infoOf, readTypedInfo } from './typed-info';

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
export function readTypedBill(typed: TypedBill, maxShillings: number): Result<NewBill, readonly TypedProblem[]> {
  const read = readTypedFields(typed, maxShillings);
  const { amount, reference, mobile } = read;
  const problems = problemsOf(read);
  if (!amount.ok || !reference.ok || !mobile.ok || problems.length > 0) return fail(problems);
  return ok({ amount: amount.value, reference: reference.value, mobile: mobile.value, info: infoOf(read) });
}

/** Returns the result of each field separately. */
export function readTypedFields(typed: TypedBill, maxShillings: number) {
  const number = typed.mobile.trim();
  const { amount, reference, mobile } = newBillSchema(maxShillings).shape;
  const plain = readAmount(typed.amount);
  return {
    amount: plain.ok ? check(amount, new JsonNumber(plain.value)) : plain,
    reference: check(reference, typed.reference.trim()),
    mobile: check(mobile, readMobile(number) ?? number),
    ...readTypedInfo(typed),
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
