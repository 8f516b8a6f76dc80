import { z } from 'zod';
import { eastAfricanDay } from '@/lib/core/east-african-day';
import { JsonNumber } from '@/lib/core/json-number';
import type { Environment } from '@/lib/core/scope';
import { LOCALES } from '@/lib/i18n/locale';
import { allowedReturnUrl } from '@/lib/merchants/return-origins';
import { isEmail } from '@/lib/merchants/rules';
import { type BillExtras, hasExtras, type Metadata } from './bill-extras';
import { type BillInfo, customerNameSchema, descriptionSchema, dueAtOfDay, hasInfo, LAST_DAY, lineSchema } from './bill-info';
import { CUSTOMER_NAME_MAX, DESCRIPTION_MAX } from './info-fields';

/** The limits of `metadata`. */
const KEYS_MAX = 16;
const KEY_MAX = 40;
const VALUE_MAX = 500;
const EMAIL_MAX = 254;
const RETURN_URL_MAX = 2_000;

/** The last accepted instant. A larger number could be outside the range of `Date`, and the calculation of its day would fail. */
const LAST_MS = Date.parse(`${LAST_DAY}T23:59:59.999Z`);

/** Unix milliseconds. */
const instantSchema = z
  .instanceof(JsonNumber)
  .transform(({ text }) => Number(text))
  .refine((ms) => Number.isInteger(ms) && ms >= 0 && ms <= LAST_MS)
  .transform((ms) => new Date(ms));

/** Unix milliseconds of any instant of the day on which the bill is due. */
const dueAtSchema = instantSchema.transform((instant, context): Date => {
  const dueAt = dueAtOfDay(eastAfricanDay(instant));
  if (dueAt) return dueAt;
  context.addIssue('out of range');
  return z.NEVER;
});

const emailSchema = lineSchema(EMAIL_MAX).refine((text) => text === null || isEmail(text));

/** Rejects JSON numbers. The parser of the request body represents them as objects (`JsonNumber`), but they are not JSON objects. */
const objectSchema = z.unknown().refine((value) => !(value instanceof JsonNumber));

const isKey = (key: string) => key.length > 0 && key.length <= KEY_MAX && key.isWellFormed() && !/\p{Cc}/u.test(key) && key !== '__proto__';
// PostgreSQL's jsonb cannot store the character U+0000.
const isValue = (value: unknown) =>
  typeof value === 'string' && value.length <= VALUE_MAX && value.isWellFormed() && !value.includes('\u0000');

const metadataSchema = objectSchema
  .refine((value) => typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length <= KEYS_MAX)
  .refine((value) => Object.entries(Object(value)).every(([key, text]) => isKey(key) && isValue(text)))
  .pipe(z.record(z.string(), z.string()))
  .transform((metadata): Metadata | null => (Object.keys(metadata).length === 0 ? null : metadata));

/** Stands for an invalid value of an optional member of a request. Such a value is ignored. */
const IGNORED = Symbol('ignored');
type Ignorable<Value> = Value | null | typeof IGNORED;

/**
 * Returns the schema of an optional member. Invalid values are ignored, because an existing integration may already send a member with the
 * same name for a purpose of its own.
 */
function ignoredUnless<Value>(schema: z.ZodType<Value>, meta: Readonly<Record<string, unknown>> = {}) {
  return z
    .unknown()
    .optional()
    .transform((value): Ignorable<Value> => {
      if (value === undefined || value === null || value === '') return null;
      const read = schema.safeParse(value);
      return read.success ? read.data : IGNORED;
    })
    .meta(meta);
}

/** The optional members of a request that creates a bill. */
export const optionalMembers = {
  description: ignoredUnless(descriptionSchema, {
    type: ['string', 'null'],
    maxLength: DESCRIPTION_MAX,
    description: 'What the customer pays for. The payment page and the receipt show it.',
  }),
  customer: ignoredUnless(objectSchema.pipe(z.object({ name: ignoredUnless(customerNameSchema), email: ignoredUnless(emailSchema) })), {
    type: ['object', 'null'],
    properties: {
      name: { type: ['string', 'null'], maxLength: CUSTOMER_NAME_MAX, description: 'The payment page and the receipt show it.' },
      email: { type: ['string', 'null'], maxLength: EMAIL_MAX, description: 'For the merchant. Bili sends nothing to it.' },
    },
    description: "The customer's name and e-mail address.",
  }),
  dueAt: ignoredUnless(dueAtSchema, {
    type: ['integer', 'null'],
    description: 'Unix milliseconds of any instant of the East African day on which the bill is due.',
  }),
  metadata: ignoredUnless(metadataSchema, {
    type: ['object', 'null'],
    maxProperties: KEYS_MAX,
    propertyNames: { minLength: 1, maxLength: KEY_MAX },
    additionalProperties: { type: 'string', maxLength: VALUE_MAX },
    description: 'Your own texts by name, for example ids of your system. Customers do not see them.',
  }),
  expiresAt: ignoredUnless(instantSchema, {
    type: ['integer', 'null'],
    description: 'Unix milliseconds. From this time on, nobody is asked to pay the bill, and it is closed.',
  }),
  returnUrl: ignoredUnless(z.string().max(RETURN_URL_MAX), {
    type: ['string', 'null'],
    maxLength: RETURN_URL_MAX,
    description: "The page of your shop to which the payment page links. Its origin must be one of the merchant's return addresses.",
  }),
  language: ignoredUnless(z.enum(LOCALES), {
    type: ['string', 'null'],
    enum: [...LOCALES, null],
    description: 'The language of the payment page, unless the visitor has chosen one.',
  }),
};
type Sent = { readonly [Name in keyof typeof optionalMembers]: z.output<(typeof optionalMembers)[Name]> };

/** What decides whether an optional value is allowed. */
interface OptionalContext {
  readonly environment: Environment;
  readonly returnOrigins: readonly string[];
  readonly now: Date;
}

interface ReadOptional {
  /** Null if the request has no valid value for any field of `BillInfo`. */
  readonly info: BillInfo | null;
  readonly extras: BillExtras | null;
  /** The names of the members that were ignored. */
  readonly ignored: readonly string[];
}

const NOTHING: ReadOptional = { info: null, extras: null, ignored: [] };

/** Returns the optional values of a parsed request. */
export function readOptional(sent: Sent, { environment, returnOrigins, now }: OptionalContext): ReadOptional {
  const { description, customer, dueAt, metadata, language } = sent;
  const plain = description === null && customer === null && dueAt === null && metadata === null && language === null;
  if (plain && sent.expiresAt === null && sent.returnUrl === null) return NOTHING;
  const expiresAt = sent.expiresAt instanceof Date && sent.expiresAt <= now ? IGNORED : sent.expiresAt;
  const returnUrl =
    typeof sent.returnUrl === 'string'
      ? (allowedReturnUrl(sent.returnUrl, { environment, origins: returnOrigins }) ?? IGNORED)
      : sent.returnUrl;
  const { name, email } = customer === null || customer === IGNORED ? { name: null, email: null } : customer;
  const read = { description, customer, 'customer.name': name, 'customer.email': email, dueAt, metadata, expiresAt, returnUrl, language };
  const info = { customerName: known(name), description: known(description), dueAt: known(dueAt) };
  const extras = {
    customerEmail: known(email),
    metadata: known(metadata),
    expiresAt: known(expiresAt),
    returnUrl: known(returnUrl),
    language: known(language),
  };
  return {
    info: hasInfo(info) ? info : null,
    extras: hasExtras(extras) ? extras : null,
    ignored: Object.entries(read).flatMap(([member, value]) => (value === IGNORED ? [member] : [])),
  };
}

function known<Value>(value: Ignorable<Value>): Value | null {
  return value === IGNORED ? null : value;
}
