import { z } from 'zod';
import { JsonNumber } from '@/lib/platform/core/json-number';
import { type Mobile, parseMobile } from '@/lib/platform/core/mobile';
import { parseDecimal, SENTI_PER_SHILLING, type Senti } from '@/lib/platform/core/money';
import type { FullInfo } from './bill-info';
import { infoMembers } from './bill-info';
import { BILL_ID_EXAMPLE } from './bill-json';

/** The path of a bill. Any text is accepted: an id that is not a UUID belongs to no bill, and the error message repeats it. */
export const billPath = z.object({
  id: z.string().meta({ format: 'uuid', description: 'The id of the bill.', examples: [BILL_ID_EXAMPLE] }),
});

const REFERENCE_MAX = 255;
const CONTROL = /\p{Cc}/u;

/** The validated input for a new bill. */
export interface NewBill {
  readonly amount: Senti;
  readonly reference: string;
  readonly mobile: Mobile | null;
  /** Null or absent if the bill has none of the optional values. */
  readonly info?: Partial<FullInfo> | null;
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

/**
 * `parseDecimal` returns null for an amount with hundreds of digits or a huge exponent. Such an amount is negative, is far too large, or
 * has far more than 2 decimals. The checks then use the text of the amount to choose the right one of these three failures.
 */
export function amountSchema(maxShillings: number) {
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
    .meta({
      type: 'number',
      exclusiveMinimum: 0,
      maximum: maxShillings,
      description: 'Shillings, with at most 2 decimals.',
    });
}

export const referenceSchema = z
  .string(requiredOr('reference_required', 'reference_not_string'))
  .refine((text) => text.trim() !== '', problem('reference_required'))
  .refine((text) => text.length <= REFERENCE_MAX || [...text].length <= REFERENCE_MAX, problem('reference_too_long'))
  .refine((text) => !CONTROL.test(text) && text.isWellFormed(), problem('reference_control_characters'))
  .meta({
    minLength: 1,
    maxLength: REFERENCE_MAX,
    // No control characters, and at least one character that is not a space.
    pattern: String.raw`^[^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f][^\u0000-\u001f\u007f-\u009f]*$`,
    description: 'Your own text, for example an order number. No control characters, not blank. Returned exactly as it was sent.',
  });

const GAP = String.raw`[ \u00a0-]*`;
/** The texts that `parseMobile` accepts. */
const MOBILE = String.raw`${GAP}(?:(?:\+${GAP})?2${GAP}5${GAP}5|0)${GAP}[67](?:${GAP}[0-9]){8}${GAP}`;

export const mobileSchema = z
  .string(problem('mobile_not_string'))
  .nullish()
  .transform((text, context): Mobile | null => {
    if (!text) return null;
    const mobile = parseMobile(text);
    if (mobile === null) context.addIssue({ code: 'custom', message: 'mobile_invalid' satisfies NewBillFailure });
    return mobile;
  })
  .meta({
    pattern: `^(?:${MOBILE})?$`,
    description: "The customer's number: `0712345678`, `255712345678` or `+255 712-345-678`. `null` and an empty text count as none.",
  });

/** A number to search for. */
export const soughtMobileSchema = z
  .string()
  .transform((text, context): Mobile => {
    const mobile = parseMobile(text);
    if (mobile !== null) return mobile;
    context.addIssue({ code: 'custom', message: 'mobile_invalid' satisfies NewBillFailure });
    return z.NEVER;
  })
  .meta({ pattern: `^${MOBILE}$` });

/** Returns the options of a check that fails with this code. After a failed check, the later checks of the same field are skipped. */
function problem(code: NewBillFailure) {
  return { error: code, abort: true };
}

/** Returns the error for a value of the wrong type: `required` if the value is missing or null, otherwise `wrongType`. */
function requiredOr(required: NewBillFailure, wrongType: NewBillFailure) {
  return { error: ({ input }: { readonly input?: unknown }) => (input === undefined || input === null ? required : wrongType) };
}
