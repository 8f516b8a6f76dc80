import { z } from 'zod';
import { addMs, DAY_MS } from '@/lib/core/clock';
import { eastAfricanDay } from '@/lib/core/east-african-day';
import { parseDay } from '@/lib/core/instant';
import { JsonNumber } from '@/lib/core/json-number';
import { CUSTOMER_NAME_MAX, DESCRIPTION_MAX } from './info-fields';

/** What a bill is about, for people. Each value is optional, and none of them has an effect on money. */
export interface BillInfo {
  /** The customer's name, as the merchant writes it on an invoice. */
  readonly customerName: string | null;
  readonly description: string | null;
  /** The last millisecond of the East African day on which the bill is due. */
  readonly dueAt: Date | null;
}

export const NO_INFO: BillInfo = { customerName: null, description: null, dueAt: null };

export function hasInfo({ customerName, description, dueAt }: BillInfo): boolean {
  return customerName !== null || description !== null || dueAt !== null;
}

/** Returns the values as the audit log stores them. */
export function infoFacts({ customerName, description, dueAt }: BillInfo) {
  return { customerName, description, dueDate: dueAt && eastAfricanDay(dueAt) };
}

/** The days on which a bill can be due. Seconds instead of milliseconds give a day of 1970, which is outside. */
const FIRST_DAY = '2000-01-01';
const LAST_DAY = '2099-12-31';

const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** Returns the schema of a text in one line. Spaces around it are removed, and an empty text becomes null. */
function lineSchema(max: number) {
  return z
    .string()
    .refine((text) => text.isWellFormed() && !CONTROL.test(text))
    .transform((text) => text.trim() || null)
    .refine((text) => text === null || text.length <= max || [...text].length <= max);
}

export const customerNameSchema = lineSchema(CUSTOMER_NAME_MAX);
export const descriptionSchema = lineSchema(DESCRIPTION_MAX);

/** Returns the instant at which a bill is due that is due on a day such as `2026-11-30`. Null if the date does not exist or is out of range. */
export function dueAtOfDay(day: string): Date | null {
  const start = day >= FIRST_DAY && day <= LAST_DAY ? parseDay(day) : null;
  return start && addMs(start, DAY_MS - 1);
}

/** No day can be calculated from a number outside the range of `Date`, so numbers are limited first. */
const LAST_MS = Date.parse(`${LAST_DAY}T23:59:59.999Z`);

/** Unix milliseconds of any instant of the day. */
const dueAtSchema = z
  .instanceof(JsonNumber)
  .transform(({ text }) => Number(text))
  .refine((ms) => Number.isInteger(ms) && ms >= 0 && ms <= LAST_MS)
  .transform((ms, context): Date => {
    const dueAt = dueAtOfDay(eastAfricanDay(new Date(ms)));
    if (dueAt) return dueAt;
    context.addIssue('out of range');
    return z.NEVER;
  });

/** The value of an optional member of a request that is invalid, and therefore ignored. */
const IGNORED = Symbol('ignored');

/** Returns the schema of a member of which an invalid value is ignored. Existing integrations may send other things under its name. */
function ignoredUnless<Value>(schema: z.ZodType<Value>, meta: Readonly<Record<string, unknown>>) {
  return z
    .unknown()
    .optional()
    .transform((value): Value | null | typeof IGNORED => {
      if (value === undefined || value === null || value === '') return null;
      const read = schema.safeParse(value);
      return read.success ? read.data : IGNORED;
    })
    .meta(meta);
}

/** The optional members of a request that creates a bill. */
export const infoMembers = {
  description: ignoredUnless(descriptionSchema, {
    type: ['string', 'null'],
    maxLength: DESCRIPTION_MAX,
    description: 'What the customer pays for. The payment page and the receipt show it.',
  }),
  customer: ignoredUnless(
    z
      .unknown()
      // The body's reader makes an object of a number.
      .refine((value) => !(value instanceof JsonNumber))
      .pipe(z.object({ name: customerNameSchema.nullish() }))
      .transform(({ name }) => name ?? null),
    {
      type: ['object', 'null'],
      properties: { name: { type: ['string', 'null'], maxLength: CUSTOMER_NAME_MAX } },
      description: "The customer's name. The payment page and the receipt show it.",
    },
  ),
  dueAt: ignoredUnless(dueAtSchema, {
    type: ['integer', 'null'],
    description: 'Unix milliseconds of any instant of the East African day on which the bill is due.',
  }),
};
type SentInfo = { readonly [Name in keyof typeof infoMembers]: z.output<(typeof infoMembers)[Name]> };

/** Returns the optional values of a parsed request, or null if there are none, and the names of the members that were ignored. */
export function readInfo({ description, customer, dueAt }: SentInfo): {
  readonly info: BillInfo | null;
  readonly ignored: readonly string[];
} {
  if (description === null && customer === null && dueAt === null) return { info: null, ignored: [] };
  const sent = { description, customer, dueAt };
  const known = <Value>(value: Value | typeof IGNORED): Value | null => (value === IGNORED ? null : value);
  const info = { customerName: known(customer), description: known(description), dueAt: known(dueAt) };
  const ignored = Object.entries(sent).flatMap(([name, value]) => (value === IGNORED ? [name] : []));
  return { info: hasInfo(info) ? info : null, ignored };
}

const NO_INFO_JSON = '"description":null,"customer":null,"dueAt":null';

/** Returns the members of the answer to reading a bill, as JSON text. */
export function infoJson(info: BillInfo): string {
  if (!hasInfo(info)) return NO_INFO_JSON;
  const { customerName, description, dueAt } = info;
  const customer = customerName === null ? 'null' : `{"name":${JSON.stringify(customerName)}}`;
  return `"description":${description === null ? 'null' : JSON.stringify(description)},"customer":${customer},"dueAt":${dueAt?.getTime() ?? null}`;
}
