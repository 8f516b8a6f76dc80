import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isLoopback } from '@/lib/platform/core/loopback';
import { fail, ok, type Result, valueOrNull } from '@/lib/platform/core/result';
import type { Environment } from '@/lib/platform/core/scope';
import type { CredentialField, ProviderAccount, ProviderAdapter, RawAnswer, TillIdentity } from './port';
import { notSent } from './raw-answer';

/** The number of accounts whose credentials a process remembers. */
const REMEMBERED = 1_000;

/** How an adapter reads credentials that could be parsed. */
interface CredentialsUse<Credentials> {
  /** If it depends on the credentials: a function, which gets null if they are invalid. */
  readonly callsAtOnce: number | ((credentials: Credentials | null) => number);
  /** By default, there is no limit. */
  readonly callsPerMinute?: (credentials: Credentials) => number;
  /** Returns one sentence for each problem. */
  readonly check: (credentials: Credentials, environment: Environment) => readonly string[];
  /** Returns the base URL of the provider's API. */
  readonly address: (credentials: Credentials) => string;
  /**
   * Returns the name and the value of what identifies the till, and its kind: a number of the business, the application, or a secret. Of a
   * secret, only the hash is used.
   */
  readonly till: (credentials: Credentials) => {
    readonly name: string;
    readonly value: string;
    readonly is: 'number' | 'application' | 'secret';
  };
}

/** Creates the functions that read the credentials of a provider's accounts. @param provider the provider's name in error messages. */
export function credentialsReader<Schema extends z.ZodObject>(provider: string, schema: Schema) {
  type Credentials = z.output<Schema>;
  const known = new Map<string, Result<Credentials, readonly string[]>>();

  /** Parses credentials, and remembers the results. A failure has one sentence for each problem, and never contains a secret. */
  function parseCredentials(text: string | null): Result<Credentials, readonly string[]> {
    if (text === null) return fail([`${provider} needs credentials.`]);
    const remembered = known.get(text);
    if (remembered) return remembered;
    const parsed = schema.safeParse(readJson(text));
    const result = parsed.success ? ok(parsed.data) : fail(parsed.error.issues.map((issue) => toSentence(provider, issue)));
    if (known.size >= REMEMBERED) known.clear();
    known.set(text, result);
    return result;
  }

  return {
    parseCredentials,
    /** Makes a call with the credentials of an account. If they are invalid, the call is not made. */
    async withCredentials(
      { credentials }: Pick<ProviderAccount, 'credentials'>,
      call: (credentials: Credentials) => RawAnswer | Promise<RawAnswer>,
    ): Promise<RawAnswer> {
      const parsed = parseCredentials(credentials);
      return parsed.ok ? call(parsed.value) : notSent(parsed.error.join(' '));
    },
    /** Creates the members of an adapter that only read the credentials of an account, and those that most providers have in common. */
    accountMembers({ callsAtOnce, callsPerMinute, check, address, till }: CredentialsUse<Credentials>) {
      return {
        simulatesFailures: false,
        statement: null,
        reversals: null,
        payouts: null,
        instruments: null,
        callsAtOnce: ({ credentials }) =>
          typeof callsAtOnce === 'number' ? callsAtOnce : callsAtOnce(valueOrNull(parseCredentials(credentials))),
        callsPerMinute({ credentials }) {
          const parsed = parseCredentials(credentials);
          return parsed.ok ? (callsPerMinute?.(parsed.value) ?? null) : null;
        },
        checkCredentials(credentials, environment) {
          const parsed = parseCredentials(credentials);
          return parsed.ok ? check(parsed.value, environment) : parsed.error;
        },
        addressOf(credentials) {
          const parsed = parseCredentials(credentials);
          return parsed.ok ? URL.parse(address(parsed.value)) : null;
        },
        tillOf(credentials) {
          const parsed = parseCredentials(credentials);
          return parsed.ok ? toIdentity(till(parsed.value)) : null;
        },
      } satisfies Partial<ProviderAdapter>;
    },
  };
}

function toIdentity({ name, value, is }: ReturnType<CredentialsUse<unknown>['till']>): TillIdentity {
  const key = is === 'secret' ? createHash('sha256').update(value).digest('hex') : value;
  const shown = is === 'secret' ? `the same ${name}` : `the ${name} ${value}`;
  return { name, shown, key: `${name} ${key}`, isBusinessNumber: is === 'number' };
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
