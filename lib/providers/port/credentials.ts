import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isLoopback } from '@/lib/core/loopback';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Environment } from '@/lib/core/scope';
import type { CredentialField, TillIdentity } from './port';

/** The number of accounts whose credentials a process remembers. */
const REMEMBERED = 1_000;

/** Parses credentials, and remembers the results. A failure has one sentence for each problem, and never contains a secret. */
type ReadCredentials<Credentials> = (text: string | null) => Result<Credentials, readonly string[]>;

/** Creates the function that parses credentials of a provider's accounts. @param provider the provider's name in error messages. */
export function credentialsReader<Schema extends z.ZodObject>(provider: string, schema: Schema): ReadCredentials<z.output<Schema>> {
  const known = new Map<string, Result<z.output<Schema>, readonly string[]>>();
  return (text) => {
    if (text === null) return fail([`${provider} needs credentials.`]);
    const remembered = known.get(text);
    if (remembered) return remembered;
    const parsed = schema.safeParse(readJson(text));
    const result = parsed.success ? ok(parsed.data) : fail(parsed.error.issues.map((issue) => toSentence(provider, issue)));
    if (known.size >= REMEMBERED) known.clear();
    known.set(text, result);
    return result;
  };
}

/**
 * Creates the function that checks an account's credentials and returns one sentence for each problem.
 * @param check checks credentials that could be parsed.
 */
export function credentialsCheck<Credentials>(
  parse: ReadCredentials<Credentials>,
  check: (credentials: Credentials, environment: Environment) => readonly string[],
) {
  return (text: string | null, environment: Environment): readonly string[] => {
    const parsed = parse(text);
    return parsed.ok ? check(parsed.value, environment) : parsed.error;
  };
}

/**
 * Creates the function that returns the identity of a till. @param identify returns the name and the value of what identifies the till,
 * and its kind: a number of the business, the application, or a secret. Of a secret, only the hash is used.
 */
export function tillReader<Credentials>(
  parse: ReadCredentials<Credentials>,
  identify: (credentials: Credentials) => {
    readonly name: string;
    readonly value: string;
    readonly is: 'number' | 'application' | 'secret';
  },
) {
  return (text: string | null): TillIdentity | null => {
    const parsed = parse(text);
    if (!parsed.ok) return null;
    const { name, value, is } = identify(parsed.value);
    const key = is === 'secret' ? createHash('sha256').update(value).digest('hex') : value;
    const shown = is === 'secret' ? `the same ${name}` : `the ${name} ${value}`;
    return { name, shown, key: `${name} ${key}`, isBusinessNumber: is === 'number' };
  };
}

function toSentence(provider: string, issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `${provider} credentials have no ${issue.keys.join(', ')}.`;
  if (issue.path.length === 0) return `${provider} credentials must be a JSON object.`;
  return `${issue.message}.`;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Describes the fields of a credentials file in their order. */
export function describeFields<Name extends string>(
  fields: Readonly<Record<Name, Omit<CredentialField, 'name'>>>,
): readonly CredentialField[] {
  return Object.entries<Omit<CredentialField, 'name'>>(fields).map(([name, field]) => ({ name, ...field }));
}

/** Returns the schema of a number between two limits. @param name the field, for the error message. */
export function numberBetween(name: string, min: number, max: number) {
  const message = `${name} must be a number between ${min} and ${max}`;
  return z.number(message).min(min, message).max(max, message);
}

export function wholeNumberBetween(name: string, min: number, max: number) {
  return numberBetween(name, min, max).refine(Number.isInteger, `${name} must be a whole number`);
}

/** Returns the schema of a key, password or other text of printable characters without spaces. */
export function secretText(name: string, min = 1, max = 500) {
  const message = `${name} must be ${min} to ${max} printable characters without spaces`;
  return z.string(`${name} is missing`).regex(new RegExp(`^[\\x21-\\x7e]{${min},${max}}$`), message);
}

/** Returns the schema of an address without a path. Plain HTTP is allowed only for a simulator on this machine. */
export function originUrl(name: string) {
  return z
    .string(`${name} must be an address`)
    .refine(
      (text) => isSecureUrl(text) && URL.parse(text)?.pathname === '/',
      `${name} must be an https address without a path (http only on this machine)`,
    );
}

/**
 * Returns the schema of an address without a path. The address of a simulator on this machine may have a path, because a simulator serves
 * several hosts of a provider at one port.
 */
export function originOrSimulatorUrl(name: string) {
  return z.string(`${name} must be an address`).refine((text) => {
    const url = URL.parse(text);
    return url !== null && isSecureUrl(text) && (url.pathname === '/' || isLoopback(url));
  }, `${name} must be an https address without a path (http only on this machine)`);
}

/** Returns the schema of an address with a path. Plain HTTP is allowed only for a simulator on this machine. */
export function pathUrl(name: string) {
  return z
    .string(`${name} is missing`)
    .max(500, `${name} may have at most 500 characters`)
    .refine(isSecureUrl, `${name} must be an https address without a query (http only on this machine)`);
}

function isSecureUrl(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.search || url.hash || url.username || url.password) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
}
