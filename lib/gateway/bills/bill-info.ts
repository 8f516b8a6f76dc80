import { z } from 'zod';
import { allowedReturnUrl } from '@/lib/identity/merchants/return-origins';
import { isEmail } from '@/lib/identity/merchants/rules';
import { addMs, DAY_MS } from '@/lib/platform/core/clock';
import { eastAfricanDay } from '@/lib/platform/core/east-african-day';
import { parseDay } from '@/lib/platform/core/instant';
import { JsonNumber } from '@/lib/platform/core/json-number';
import type { Environment } from '@/lib/platform/core/scope';
import { jsonb, nullable, type SqlType, text, timestamptz } from '@/lib/platform/db/sql-types';
import { LOCALES, type Locale } from '@/lib/platform/i18n/locale';
import { timeSchema } from './answer-schema';

// The optional values of a bill. Everything about such a value is declared here: what a request may send, its column, the members of
// answers, and the field of a form.

/** Facts about a bill for people. Each value is optional, and none of them has an effect on money. */
export interface BillInfo {
  /** The customer's name, as the merchant writes it on an invoice. */
  readonly customerName: string | null;
  readonly description: string | null;
  /** The last millisecond of the East African day on which the bill is due. */
  readonly dueAt: Date | null;
}

/** The merchant's own texts by name. */
type Metadata = Readonly<Record<string, string>>;

/**
 * All optional values of a bill: its info, and values that only a merchant's server can give a bill, through the API. Only `expiresAt` has
 * an effect on money: from this time on, nobody is asked to pay the bill.
 */
export interface FullInfo extends BillInfo {
  readonly customerEmail: string | null;
  readonly metadata: Metadata | null;
  readonly expiresAt: Date | null;
  /** The shop's page to which the payment page links. The link is shown only as long as the merchant allows the origin of this address. */
  readonly returnUrl: string | null;
  /** The language of the payment page, unless the visitor has chosen one. */
  readonly language: Locale | null;
}

/** The stored values, as the API returns them. */
export interface StoredInfo extends Omit<FullInfo, 'metadata' | 'language'> {
  /** The metadata as JSON text, as PostgreSQL writes it. */
  readonly metadata: string | null;
  readonly language: string | null;
}

export function hasInfo({ customerName, description, dueAt }: BillInfo): boolean {
  return customerName !== null || description !== null || dueAt !== null;
}

/** Returns the values as the audit log stores them. */
export function infoFacts({ customerName, description, dueAt }: BillInfo) {
  return { customerName, description, dueDate: dueAt && eastAfricanDay(dueAt) };
}

/** Maximum lengths in characters. */
export const CUSTOMER_NAME_MAX = 100;
export const DESCRIPTION_MAX = 255;
const EMAIL_MAX = 254;
const RETURN_URL_MAX = 2_000;
/** The limits of `metadata`. */
const KEYS_MAX = 16;
const KEY_MAX = 40;
const VALUE_MAX = 500;

/**
 * The first and the last day on which a bill can be due. If a client sends seconds in place of milliseconds, the day is in 1970, so Bili
 * notices the mistake.
 */
const FIRST_DAY = '2000-01-01';
const LAST_DAY = '2099-12-31';
/** The last accepted instant. A larger number could be outside the range of `Date`, and the calculation of its day would fail. */
const LAST_MS = Date.parse(`${LAST_DAY}T23:59:59.999Z`);

const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** Returns the schema of a text in one line. Spaces around it are removed, and an empty text becomes null. */
function lineSchema(max: number) {
  return z
    .string()
    .refine((line) => line.isWellFormed() && !CONTROL.test(line))
    .transform((line) => line.trim() || null)
    .refine((line) => line === null || line.length <= max || [...line].length <= max);
}

export const customerNameSchema = lineSchema(CUSTOMER_NAME_MAX);
export const descriptionSchema = lineSchema(DESCRIPTION_MAX);
const emailSchema = lineSchema(EMAIL_MAX).refine((line) => line === null || isEmail(line));

/** Returns the instant at which a bill with a due date such as `2026-11-30` is due. Null if the date does not exist or is out of range. */
export function dueAtOfDay(day: string): Date | null {
  const start = day >= FIRST_DAY && day <= LAST_DAY ? parseDay(day) : null;
  return start && addMs(start, DAY_MS - 1);
}

/** Unix milliseconds. */
const instantSchema = z
  .instanceof(JsonNumber)
  .transform(({ text: digits }) => Number(digits))
  .refine((ms) => Number.isInteger(ms) && ms >= 0 && ms <= LAST_MS)
  .transform((ms) => new Date(ms));

/** Unix milliseconds of any instant of the day on which the bill is due. */
const dueAtSchema = instantSchema.transform((instant, context): Date => {
  const dueAt = dueAtOfDay(eastAfricanDay(instant));
  if (dueAt) return dueAt;
  context.addIssue('out of range');
  return z.NEVER;
});

/** Rejects JSON numbers. The parser of the request body represents them as objects (`JsonNumber`), but they are not JSON objects. */
const objectSchema = z.unknown().refine((value) => !(value instanceof JsonNumber));

const isKey = (key: string) => key.length > 0 && key.length <= KEY_MAX && key.isWellFormed() && !/\p{Cc}/u.test(key) && key !== '__proto__';
// PostgreSQL's jsonb cannot store the character U+0000.
const isValue = (value: unknown) =>
  typeof value === 'string' && value.length <= VALUE_MAX && value.isWellFormed() && !value.includes('\u0000');

const textsSchema = z.record(z.string(), z.string());
const metadataSchema = objectSchema
  .refine((value) => typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length <= KEYS_MAX)
  .refine((value) => Object.entries(Object(value)).every(([key, value]) => isKey(key) && isValue(value)))
  .pipe(textsSchema)
  .transform((metadata): Metadata | null => (Object.keys(metadata).length === 0 ? null : metadata));

/** The declaration of an optional value. */
interface InfoMember<Value, Stored> {
  /** What a request may send. Any other value is ignored. */
  readonly schema: z.ZodType<Value | null>;
  /** What the API description says about the member of a request. */
  readonly request: Readonly<Record<string, unknown>>;
  /** The column of the table `bill`. */
  readonly column: string;
  readonly type: SqlType<Stored | null>;
  /** Whether the column contains JSON. It is written and read as JSON text. */
  readonly json?: true;
  /** The schema of the member of an answer. */
  readonly answer: z.ZodType;
}

const MEMBERS = {
  description: {
    schema: descriptionSchema,
    request: {
      type: ['string', 'null'],
      maxLength: DESCRIPTION_MAX,
      description: 'What the customer pays for. The payment page and the receipt show it.',
    },
    column: 'description',
    type: nullable(text),
    answer: z.string().nullable().meta({ description: 'What the customer pays for.' }),
  },
  customerName: {
    schema: customerNameSchema,
    request: { type: ['string', 'null'], maxLength: CUSTOMER_NAME_MAX, description: 'The payment page and the receipt show it.' },
    column: 'customer_name',
    type: nullable(text),
    answer: z.string().nullable().meta({ description: "The customer's name." }),
  },
  customerEmail: {
    schema: emailSchema,
    request: { type: ['string', 'null'], maxLength: EMAIL_MAX, description: 'For the merchant. Bili sends nothing to it.' },
    column: 'customer_email',
    type: nullable(text),
    answer: z.string().nullable().meta({ description: "The customer's e-mail address. Bili sends nothing to it." }),
  },
  dueAt: {
    schema: dueAtSchema,
    request: {
      type: ['integer', 'null'],
      description: 'Unix milliseconds of any instant of the East African day on which the bill is due.',
    },
    column: 'due_at',
    type: nullable(timestamptz),
    answer: timeSchema('The last millisecond of the day on which the bill is due (East Africa Time).').nullable(),
  },
  metadata: {
    schema: metadataSchema,
    request: {
      type: ['object', 'null'],
      maxProperties: KEYS_MAX,
      propertyNames: { minLength: 1, maxLength: KEY_MAX },
      additionalProperties: { type: 'string', maxLength: VALUE_MAX },
      description: 'Your own texts by name, for example ids of your system. Customers do not see them.',
    },
    column: 'metadata',
    type: nullable(text),
    json: true,
    answer: textsSchema.nullable().meta({ description: 'Your own texts by name.' }),
  },
  expiresAt: {
    schema: instantSchema,
    request: {
      type: ['integer', 'null'],
      description: 'Unix milliseconds. From this time on, nobody is asked to pay the bill, and it is closed.',
    },
    column: 'expires_at',
    type: nullable(timestamptz),
    answer: timeSchema('From this time on, nobody is asked to pay the bill.').nullable(),
  },
  returnUrl: {
    schema: z.string().max(RETURN_URL_MAX),
    request: {
      type: ['string', 'null'],
      maxLength: RETURN_URL_MAX,
      description: "The page of your shop to which the payment page links. Its origin must be one of the merchant's return addresses.",
    },
    column: 'return_url',
    type: nullable(text),
    answer: z.string().nullable().meta({ description: 'The page of your shop to which the payment page links.' }),
  },
  language: {
    schema: z.enum(LOCALES),
    request: {
      type: ['string', 'null'],
      enum: [...LOCALES, null],
      description: 'The language of the payment page, unless the visitor has chosen one.',
    },
    column: 'language',
    type: nullable(text),
    answer: z.enum(LOCALES).nullable().meta({ description: 'The language of the payment page.' }),
  },
} satisfies { readonly [Name in keyof FullInfo]: InfoMember<FullInfo[Name], StoredInfo[Name]> };

const NAMES = namesOf<FullInfo>(MEMBERS);

export const NO_INFO: FullInfo = noInfo();

function noInfo(): { readonly [Name in keyof FullInfo]: null };
function noInfo(): Readonly<Record<string, null>> {
  return Object.fromEntries(NAMES.map((name) => [name, null]));
}

function namesOf<Named extends object>(members: Readonly<Record<keyof Named, unknown>>): (keyof Named)[] {
  const names: (keyof Named)[] = [];
  for (const name in members) names.push(name);
  return names;
}

/** Stands for an invalid value of an optional member of a request. Such a value is ignored. */
const IGNORED = Symbol('ignored');
type Ignorable<Value> = Value | null | typeof IGNORED;

/**
 * Returns the schema of an optional member. Invalid values are ignored, because an existing integration may already send a member with the
 * same name for a purpose of its own.
 */
function ignoredUnless<Value>({
  schema,
  request,
}: {
  readonly schema: z.ZodType<Value>;
  readonly request: InfoMember<Value, unknown>['request'];
}) {
  return z
    .unknown()
    .optional()
    .transform((value): Ignorable<Value> => {
      if (value === undefined || value === null || value === '') return null;
      const read = schema.safeParse(value);
      return read.success ? read.data : IGNORED;
    })
    .meta(request);
}

/** The optional members of a request that creates a bill. */
export const infoMembers = {
  description: ignoredUnless(MEMBERS.description),
  customer: ignoredUnless({
    schema: objectSchema.pipe(z.object({ name: ignoredUnless(MEMBERS.customerName), email: ignoredUnless(MEMBERS.customerEmail) })),
    request: {
      type: ['object', 'null'],
      properties: { name: MEMBERS.customerName.request, email: MEMBERS.customerEmail.request },
      description: "The customer's name and e-mail address.",
    },
  }),
  dueAt: ignoredUnless(MEMBERS.dueAt),
  metadata: ignoredUnless(MEMBERS.metadata),
  expiresAt: ignoredUnless(MEMBERS.expiresAt),
  returnUrl: ignoredUnless(MEMBERS.returnUrl),
  language: ignoredUnless(MEMBERS.language),
};
type SentInfo = { readonly [Name in keyof typeof infoMembers]: z.output<(typeof infoMembers)[Name]> };

/** What decides whether an optional value is allowed. */
interface InfoContext {
  readonly environment: Environment;
  readonly returnOrigins: readonly string[];
  readonly now: Date;
}

interface ReadInfo {
  /** Null if the request has no valid value. */
  readonly info: FullInfo | null;
  /** The names of the members that were ignored. */
  readonly ignored: readonly string[];
}

const NOTHING: ReadInfo = { info: null, ignored: [] };

/** Returns the optional values of a parsed request. */
export function readInfo(sent: SentInfo, { environment, returnOrigins, now }: InfoContext): ReadInfo {
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
  const info: FullInfo = {
    customerName: known(name),
    description: known(description),
    dueAt: known(dueAt),
    customerEmail: known(email),
    metadata: known(metadata),
    expiresAt: known(expiresAt),
    returnUrl: known(returnUrl),
    language: known(language),
  };
  return {
    info: NAMES.some((name) => info[name] !== null) ? info : null,
    ignored: Object.entries(read).flatMap(([member, value]) => (value === IGNORED ? [member] : [])),
  };
}

function known<Value>(value: Ignorable<Value>): Value | null {
  return value === IGNORED ? null : value;
}

/** The columns of the optional values of a new bill: name, type and value. */
export const NEW_INFO_COLUMNS = NAMES.map((name) => {
  const { column, type, json }: InfoMember<unknown, unknown> = MEMBERS[name];
  // Each object is sent as JSON text. The driver would convert an array of objects to a PostgreSQL array instead of JSON.
  const stored = (value: unknown) => (json && value !== null ? JSON.stringify(value) : value);
  return { column, type: json ? nullable(jsonb) : type, of: (info: Partial<FullInfo> | null) => stored(info?.[name] ?? null) };
});

/** The SQL of these values, for a table with the alias `b`. Metadata stays JSON text, which the API returns unchanged. */
export function infoColumns(names: readonly (keyof FullInfo)[] = NAMES): string {
  const sql = (name: keyof FullInfo, { column, json }: InfoMember<unknown, unknown>) => `b.${column}${json ? '::text' : ''} AS "${name}"`;
  return names.map((name) => sql(name, MEMBERS[name])).join(', ');
}

/** The types of the columns that `infoColumns` returns for the same names. */
export function infoTypes<Name extends keyof FullInfo>(names: readonly Name[]): { readonly [Each in Name]: (typeof MEMBERS)[Each]['type'] };
export function infoTypes(names: readonly (keyof FullInfo)[]): Readonly<Record<string, SqlType<unknown>>> {
  return Object.fromEntries(names.map((name) => [name, MEMBERS[name].type]));
}

/** The types of the columns of a StoredInfo. */
export const FULL_INFO_TYPES = infoTypes(NAMES);

/** Reads stored metadata, to show it on the page of the bill. */
export function readMetadata(json: string | null): Metadata {
  return json === null ? {} : textsSchema.parse(JSON.parse(json));
}

/** The schemas of the optional members of the answer to reading a bill. */
export const infoAnswer = {
  description: MEMBERS.description.answer,
  customer: z
    .strictObject({ name: MEMBERS.customerName.answer, email: MEMBERS.customerEmail.answer })
    .meta({ title: 'Customer', description: 'Who pays the bill.' })
    .nullable(),
  dueAt: MEMBERS.dueAt.answer,
  metadata: MEMBERS.metadata.answer,
  expiresAt: MEMBERS.expiresAt.answer,
  returnUrl: MEMBERS.returnUrl.answer,
  language: MEMBERS.language.answer,
};

/** The optional members in the examples of the API description. */
export const INFO_EXAMPLE = {
  description: 'School fees, term 1',
  customer: { name: 'Asha Juma', email: null },
  dueAt: 1_796_072_399_999,
  metadata: { order_id: '17' },
  expiresAt: null,
  returnUrl: null,
  language: 'sw',
} satisfies { readonly [Name in keyof typeof infoAnswer]: z.output<(typeof infoAnswer)[Name]> };

/** The members of {@link infoAnswer} of a bill without optional values, as JSON text. */
export const NO_INFO_JSON = Object.keys(infoAnswer)
  .map((name) => `"${name}":null`)
  .join(',');

/**
 * Returns the members of {@link infoAnswer} as JSON text. Most bills have no optional value: their text is always the same, which makes
 * answers faster.
 */
export function infoJson(bill: StoredInfo): string {
  const { customerName: name, description, dueAt, customerEmail: email, metadata, expiresAt, returnUrl, language } = bill;
  const noCustomer = name === null && email === null;
  const plain = noCustomer && description === null && dueAt === null && metadata === null;
  if (plain && expiresAt === null && returnUrl === null && language === null) return NO_INFO_JSON;
  return (
    `"description":${textJson(description)},"customer":${noCustomer ? 'null' : JSON.stringify({ name, email })}` +
    `,"dueAt":${timeJson(dueAt)},"metadata":${metadata},"expiresAt":${timeJson(expiresAt)}` +
    `,"returnUrl":${textJson(returnUrl)},"language":${textJson(language)}`
  );
}

function textJson(value: string | null): string {
  return value === null ? 'null' : JSON.stringify(value);
}

function timeJson(value: Date | null): number | null {
  return value?.getTime() ?? null;
}

/** A field for an optional value in the form of a bill. */
export interface InfoFormField {
  readonly name: InfoField;
  readonly maxLength?: number;
}

/** The optional fields of a form or file. */
export const INFO_FIELDS = ['customerName', 'description', 'dueDate'] as const;
export type InfoField = (typeof INFO_FIELDS)[number];

/** The optional fields of a form, in their order. */
export const INFO_FORM: readonly InfoFormField[] = [
  { name: 'customerName', maxLength: CUSTOMER_NAME_MAX },
  { name: 'description', maxLength: DESCRIPTION_MAX },
  { name: 'dueDate' },
];

/** The optional values of a bill as a person typed them. */
export type TypedInfo = Readonly<Partial<Record<InfoField, string>>>;
