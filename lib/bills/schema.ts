import type { FailureCode } from '@/lib/core/failure';
import { type Mobile, parseMobile } from '@/lib/core/mobile';
import { formatApiAmount, parseDecimal, SENTI_PER_SHILLING, type Senti } from '@/lib/core/money';
import { fail, ok, type Result } from '@/lib/core/result';
import { type BillDetails, lastAttemptJson } from './last-attempt';
import { type Bill, remainingAmount } from './rules';

const REFERENCE_MAX = 255;
const CONTROL = /\p{Cc}/u;

/** What a merchant asks for, checked. */
export interface NewBill {
  readonly amount: Senti;
  readonly reference: string;
  readonly mobile: Mobile | null;
}

/** The members of a request body. A number comes with its own text, so that no decimal is lost to floating point. */
interface BillInput {
  readonly amount?: unknown;
  readonly amountText?: string | undefined;
  readonly reference?: unknown;
  readonly mobile?: unknown;
}

/** Checks amount, reference and mobile, in this order; the first problem is the answer (docs/api.md). */
export function parseNewBill(input: BillInput, maxShillings: number): Result<NewBill, FailureCode> {
  const amount = parseAmount(input, BigInt(maxShillings));
  if (!amount.ok) return amount;
  const reference = parseReference(input.reference);
  if (!reference.ok) return reference;
  const mobile = parseOptionalMobile(input.mobile);
  if (!mobile.ok) return mobile;
  return ok({ amount: amount.value, reference: reference.value, mobile: mobile.value });
}

/** The text is the number's own, so that no decimal is lost. */
export function parseAmount(
  { amount, amountText }: Pick<BillInput, 'amount' | 'amountText'>,
  maxShillings: bigint,
): Result<Senti, FailureCode> {
  if (amount === undefined || amount === null) return fail('amount_required');
  if (typeof amount !== 'number') return fail('amount_not_number');
  const decimal = parseDecimal(amountText ?? String(amount));
  if (decimal === null) return outOfRange(amount, amountText ?? String(amount));
  if (decimal.digits <= 0n) return fail('amount_not_positive');
  if (decimal.decimals > 2) return fail('amount_too_precise');
  const senti = decimal.digits * 10n ** BigInt(2 - decimal.decimals);
  return senti > maxShillings * SENTI_PER_SHILLING ? fail('amount_too_large') : ok(senti);
}

// Hundreds of digits, or an exponent of hundreds: far too large, or a fraction far below a senti.
function outOfRange(amount: number, text: string): Result<never, FailureCode> {
  if (text.startsWith('-')) return fail('amount_not_positive');
  return fail(amount > Number.MAX_SAFE_INTEGER ? 'amount_too_large' : 'amount_too_precise');
}

export function parseReference(reference: unknown): Result<string, FailureCode> {
  if (reference === undefined || reference === null) return fail('reference_required');
  if (typeof reference !== 'string') return fail('reference_not_string');
  if (reference.trim() === '') return fail('reference_required');
  if (reference.length > REFERENCE_MAX && [...reference].length > REFERENCE_MAX) return fail('reference_too_long');
  if (CONTROL.test(reference) || !reference.isWellFormed()) return fail('reference_control_characters');
  return ok(reference);
}

export function parseOptionalMobile(mobile: unknown): Result<Mobile | null, FailureCode> {
  if (mobile === undefined || mobile === null || mobile === '') return ok(null);
  if (typeof mobile !== 'string') return fail('mobile_not_string');
  const parsed = parseMobile(mobile);
  return parsed === null ? fail('mobile_invalid') : ok(parsed);
}

/** @returns the customer's page of a bill; `base` is its environment's base address. */
export function webPayUrl(base: URL, billId: string): string {
  return `${base.origin}/pay?bill=${billId}`;
}

/** @returns the seven members of a Bill (docs/api.md), as JSON text without the closing brace. */
function billMembers(bill: BillDetails | Bill, base: URL): string {
  return (
    `{"id":"${bill.id}","mobile":${bill.mobile === null ? 'null' : `"${bill.mobile}"`},"amount":${formatApiAmount(bill.amount)}` +
    `,"status":"${bill.status}","reference":${JSON.stringify(bill.reference)},"webPayUrl":"${webPayUrl(base, bill.id)}"` +
    `,"date":${bill.createdAt.getTime()}`
  );
}

/** @returns the answer to creating a bill. JSON.stringify would write `5000` where the contract promises `5000.0`. */
export function createdBillJson(bill: Bill, base: URL): string {
  return `${billMembers(bill, base)}}`;
}

/** @returns the answer to reading a bill: the seven members, where the money stands, and what became of the last prompt. */
export function billJson(bill: BillDetails, base: URL): string {
  return (
    `${billMembers(bill, base)},"paidAmount":${formatApiAmount(bill.paidAmount)},"remainingAmount":${formatApiAmount(remainingAmount(bill))}` +
    `,"paidAt":${bill.paidAt?.getTime() ?? null},"closedAt":${bill.closedAt?.getTime() ?? null}` +
    `,"reversedAmount":${formatApiAmount(bill.reversedAmount)},"lastAttempt":${lastAttemptJson(bill)}}`
  );
}

/** @returns the body of a webhook (docs/webhooks.md). */
export function webhookJson(bill: Pick<Bill, 'id' | 'mobile' | 'amount' | 'status' | 'reference'>): string {
  return (
    `{"bill":{"id":"${bill.id}","mobile":${bill.mobile === null ? 'null' : `"${bill.mobile}"`},"amount":${formatApiAmount(bill.amount)}` +
    `,"status":"${bill.status}","reference":${JSON.stringify(bill.reference)}}}`
  );
}
