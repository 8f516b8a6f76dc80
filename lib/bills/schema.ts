import { z } from 'zod';
import { JsonNumber } from '@/lib/core/json-number';
import { type Mobile, parseMobile } from '@/lib/core/mobile';
import { parseDecimal, SENTI_PER_SHILLING, type Senti } from '@/lib/core/money';
import { type BillInfo, infoMembers } from './bill-info';
import { API_ATTEMPT_REASONS, API_ATTEMPT_STATES } from './last-attempt';
import { BILL_STATUSES } from './rules';

/** The path of a bill. Any text is accepted: an id that is not a UUID belongs to no bill, and the error message repeats it. */
export const billPath = z.object({ id: z.string().meta({ format: 'uuid' }) });

const REFERENCE_MAX = 255;
const CONTROL = /\p{Cc}/u;

/** The validated input for a new bill. */
export interface NewBill {
  readonly amount: Senti;
  readonly reference: string;
  readonly mobile: Mobile | null;
  /** Null or absent if the bill has none of the optional values. */
  readonly info?: BillInfo | null;
}

type NewBillSchema = ReturnType<typeof makeNewBillSchema>;

export const NEW_BILL_FAILURES = [
  'amount_required',
  'amount_not_number',
  'amount_not_positive',
  'amount_too_precise',
  'amount_too_large',
  'reference_required',
  'reference_not_string',
  'reference_too_long',
  'reference_control_characters',
  'mobile_not_string',
  'mobile_invalid',
] as const;
export type NewBillFailure = (typeof NEW_BILL_FAILURES)[number];

const schemas = new Map<number, NewBillSchema>();

/** Returns the schema of a new bill, with the checks of docs/api.md in their order. `maxShillings` is the largest allowed amount. */
export function newBillSchema(maxShillings: number): NewBillSchema {
  const schema = schemas.get(maxShillings) ?? makeNewBillSchema(maxShillings);
  schemas.set(maxShillings, schema);
  return schema;
}

function makeNewBillSchema(maxShillings: number) {
  return z.object({ amount: amountSchema(maxShillings), reference: referenceSchema, mobile: mobileSchema, ...infoMembers });
}

/** If `parseDecimal` rejects an amount, it has hundreds of digits or a huge exponent: it is far too large, or far below one senti. */
function amountSchema(maxShillings: number) {
  const max = BigInt(maxShillings) * SENTI_PER_SHILLING;
  return z
    .instanceof(JsonNumber, requiredOr('amount_required', 'amount_not_number'))
    .transform(({ text }) => ({ text, decimal: parseDecimal(text) }))
    .refine(({ text, decimal }) => (decimal ? decimal.digits > 0n : !text.startsWith('-')), problem('amount_not_positive'))
    .refine(
      ({ text, decimal }) => (decimal ? decimal.decimals <= 2 : Number(text) > Number.MAX_SAFE_INTEGER),
      problem('amount_too_precise'),
    )
    .transform(({ decimal }) => (decimal ? decimal.digits * 10n ** BigInt(2 - decimal.decimals) : max + 1n))
    .refine((senti) => senti <= max, { ...problem('amount_too_large'), params: { detail: String(maxShillings) } })
    .meta({ type: 'number', exclusiveMinimum: 0, maximum: maxShillings, multipleOf: 0.01, description: 'Shillings.' });
}

export const referenceSchema = z
  .string(requiredOr('reference_required', 'reference_not_string'))
  .refine((text) => text.trim() !== '', problem('reference_required'))
  .refine((text) => text.length <= REFERENCE_MAX || [...text].length <= REFERENCE_MAX, problem('reference_too_long'))
  .refine((text) => !CONTROL.test(text) && text.isWellFormed(), problem('reference_control_characters'))
  .meta({ minLength: 1, maxLength: REFERENCE_MAX, description: 'Your own text, without control characters. Returned as it was sent.' });

export const mobileSchema = z
  .string(problem('mobile_not_string'))
  .nullish()
  .transform((text, context): Mobile | null => {
    if (!text) return null;
    const mobile = parseMobile(text);
    if (mobile === null) context.addIssue({ code: 'custom', message: 'mobile_invalid' satisfies NewBillFailure });
    return mobile;
  })
  .meta({ description: "The customer's number, for example 0712345678, 255712345678 or +255 712-345-678." });

/** Returns the error of a check. Later checks of the same field are skipped. */
function problem(code: NewBillFailure) {
  return { error: code, abort: true };
}

/** Returns the error of a value of the wrong type: `required` if it is missing or null. */
function requiredOr(required: NewBillFailure, wrongType: NewBillFailure) {
  return { error: ({ input }: { readonly input?: unknown }) => (input === undefined || input === null ? required : wrongType) };
}

const time = z.int().meta({ description: 'Unix milliseconds.' });
const money = z.number().meta({ description: 'Shillings, always with a decimal point.' });

/** The answer to creating a bill. `bill-json.ts` writes it. */
export const createdBillSchema = z.strictObject({
  id: z.uuid(),
  mobile: z.string().nullable(),
  amount: money,
  status: z.enum(BILL_STATUSES),
  reference: z.string(),
  webPayUrl: z.url(),
  date: time,
});

/** The answer to reading a bill. Later versions may add members. */
export const billSchema = createdBillSchema.extend({
  paidAmount: money,
  remainingAmount: money,
  paidAt: time.nullable(),
  closedAt: time.nullable(),
  reversedAmount: money,
  lastAttempt: z.strictObject({ state: z.enum(API_ATTEMPT_STATES), reason: z.enum(API_ATTEMPT_REASONS).nullable(), at: time }).nullable(),
  description: z.string().nullable(),
  customer: z.strictObject({ name: z.string() }).nullable(),
  /** The last millisecond of the day. */
  dueAt: time.nullable(),
});
