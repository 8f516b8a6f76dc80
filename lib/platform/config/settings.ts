import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import { isLoopback } from '@/lib/platform/core/loopback';
import { isMailAddress } from '@/lib/platform/core/mailbox';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import { splitDatabaseUrl } from './database-url';
import { parseFailPoint } from './fail-point';
import { type MailSettings, mailFrom, mailServer } from './mail-settings';

/** All settings with their accepted values and defaults. `describe-settings.ts` explains them. */
export const settingsSchema = z.object({
  PORT: port(3000),
  SANDBOX_PORT: port(3001),
  HOST: z.string().optional(),
  METRICS_PORT: optionalPort(),
  WORKER_METRICS_PORT: optionalPort(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  LIVE_BASE_URL: origin(),
  SANDBOX_BASE_URL: origin(),
  TRUSTED_PROXIES: networks(),
  HSTS: z.enum(['host', 'subdomains'], 'must be host or subdomains').default('host'),
  WEBHOOK_ALLOWED_NETWORKS: networks(),
  WEBHOOK_LOG_DAYS: wholeNumber(1, 3_650, 90),
  KEEP_CUSTOMERS_DAYS: wholeNumber(30, 36_500, 730),
  KEEP_MESSAGES_DAYS: wholeNumber(30, 36_500, 180),
  KEEP_DEVICES_DAYS: wholeNumber(30, 36_500, 90),
  DATA_DIR: z
    .string()
    .default('.data')
    .transform((path) => resolve(path)),
  DATABASE_URL: databaseUrl(),
  MIGRATE_DATABASE_URL: databaseUrl(),
  POSTGRES_TOOLS: z.string().optional(),
  DATABASE_POOL_SIZE: wholeNumber(1, 500, 10),
  WEB_PROCESSES: wholeNumber(0, 64, 0),
  SECRET_KEY: masterKey(),
  SECRET_KEY_OTHER: masterKey(),
  SHUTDOWN_DELAY: wholeNumber(0, 300, 5),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent'], 'must be one of debug, info, warn, error, silent').default('info'),
  LOG_FORMAT: z.enum(['auto', 'json', 'readable'], 'must be one of auto, json, readable').default('auto'),
  RATE_LIMIT_LIVE_WRITES: perSecond(50),
  RATE_LIMIT_LIVE_READS: perSecond(200),
  RATE_LIMIT_SANDBOX_WRITES: perSecond(20),
  RATE_LIMIT_SANDBOX_READS: perSecond(50),
  RATE_LIMIT_FAILURES: perSecond(20),
  RATE_LIMIT_PAGES: perSecond(50),
  MAX_BILL_AMOUNT: wholeNumber(1, 1_000_000_000_000, 1_000_000_000),
  SANDBOX_DELAY_FACTOR: z.coerce
    .number('must be a number from 0.001 to 1')
    .min(0.001, 'must be a number from 0.001 to 1')
    .max(1, 'must be a number from 0.001 to 1')
    .default(1),
  FAILPOINT: z
    .string()
    .transform((text) => parseFailPoint(text))
    .refine((parsed) => parsed !== null, 'must be the name of a fail point, or a name and which time, for example create.committed:2')
    .transform((parsed) => parsed ?? undefined)
    .optional(),
  OPERATOR_NAME: line(60, 'Malipo Ltd'),
  OPERATOR_LOGO: z.string().optional(),
  OPERATOR_CONTACT: line(100, '0712 345 678 or help@example.com'),
  DOCS_URL: z
    .string()
    .refine((text) => /^https?:\/\/./.test(text) && URL.canParse(text), 'must be an http or https address')
    .optional(),
  SIGN_UP: z.enum(['invitation', 'open'], 'must be invitation or open').default('invitation'),
  REQUIRE_SECOND_FACTOR: z.enum(['off', 'live', 'all'], 'must be off, live or all').default('live'),
  SESSION_IDLE_MINUTES: wholeNumber(15, 10_080, 1_440),
  SMTP_URL: mailServer(),
  MAIL_FROM: mailFrom(),
  OPERATOR_EMAIL: z.string().refine(isMailAddress, 'must be one e-mail address, for example operator@example.com').optional(),
  PUSH_CONTACT: z.string().refine(isMailAddress, 'must be one e-mail address, for example operator@example.com').optional(),
  OPERATOR_WEBHOOK_URL: z
    .string()
    .refine((text) => /^https?:\/\/./.test(text) && URL.canParse(text), 'must be an http or https address')
    .optional(),
});

/** Settings whose invalid values are not repeated in messages, because they may contain a password. */
const SECRETS = ['SECRET_KEY', 'SECRET_KEY_OTHER', 'DATABASE_URL', 'MIGRATE_DATABASE_URL', 'SMTP_URL', 'OPERATOR_WEBHOOK_URL'];

/** The settings that contain ports. No two of them may have the same port. */
const PORTS = ['PORT', 'SANDBOX_PORT', 'METRICS_PORT', 'WORKER_METRICS_PORT'] as const;

type BuiltFromOthers = 'LIVE_BASE_URL' | 'SANDBOX_BASE_URL' | 'SMTP_URL' | 'MAIL_FROM';

/** The validated settings. A setting without a value is undefined: `describe-settings.ts` explains what that means. */
export interface Settings extends Readonly<Omit<z.infer<typeof settingsSchema>, BuiltFromOthers>> {
  /** SMTP_URL and MAIL_FROM. Without them, no mail is stored or sent. */
  readonly mail: MailSettings | undefined;
  readonly LIVE_BASE_URL: URL;
  readonly SANDBOX_BASE_URL: URL;
  /** Whether both base addresses have their defaults. If so, Bili answers requests for any host. */
  readonly defaultBaseUrls: boolean;
}

export function baseUrl(settings: Pick<Settings, 'LIVE_BASE_URL' | 'SANDBOX_BASE_URL'>, environment: 'live' | 'sandbox'): URL {
  return environment === 'live' ? settings.LIVE_BASE_URL : settings.SANDBOX_BASE_URL;
}

export interface ConnectedSettings extends Settings {
  readonly DATABASE_URL: string;
  readonly SECRET_KEY: string;
}

/** Validates the environment variables. Empty variables count as missing. Returns the settings, or a sentence for each invalid variable. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Result<Settings, string[]> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
  const parsed = settingsSchema.safeParse(given);
  if (!parsed.success) {
    return fail(parsed.error.issues.map((issue) => sentence(String(issue.path[0]), issue.message, given)));
  }
  const { SMTP_URL: server, MAIL_FROM: from, ...values } = parsed.data;
  if (server && !from) return fail(['MAIL_FROM is required when SMTP_URL is set, for example Bili <bili@example.com>.']);
  if (values.OPERATOR_EMAIL && !server)
    return fail(['OPERATOR_EMAIL needs SMTP_URL and MAIL_FROM, because Bili sends notices to it by mail.']);
  if (values.SIGN_UP === 'open' && !server) {
    return fail(['SIGN_UP=open needs SMTP_URL and MAIL_FROM, because new people get a link by mail.']);
  }
  const samePort = findSamePort(values);
  if (samePort) return fail([samePort]);
  if (values.MIGRATE_DATABASE_URL && !values.DATABASE_URL) return fail(['MIGRATE_DATABASE_URL needs DATABASE_URL.']);
  if (values.DATABASE_URL && !values.SECRET_KEY) {
    return fail(['SECRET_KEY is required when DATABASE_URL is set; make one with: openssl rand -base64 32']);
  }
  if (values.SECRET_KEY_OTHER && !values.SECRET_KEY) return fail(['SECRET_KEY_OTHER needs SECRET_KEY, which encrypts.']);
  if (values.SECRET_KEY_OTHER && values.SECRET_KEY_OTHER === values.SECRET_KEY) {
    return fail(['SECRET_KEY and SECRET_KEY_OTHER must differ.']);
  }
  if (values.FAILPOINT && env.NODE_ENV !== 'test') return fail(['FAILPOINT kills the process and is for tests: it needs NODE_ENV=test.']);
  const live = values.LIVE_BASE_URL ?? new URL(`http://localhost:${values.PORT}`);
  const sandbox = values.SANDBOX_BASE_URL ?? new URL(`http://localhost:${values.SANDBOX_PORT}`);
  if (live.origin === sandbox.origin) return fail([`LIVE_BASE_URL and SANDBOX_BASE_URL must differ, but both are ${live.origin}.`]);
  return ok({
    ...values,
    // If both base addresses are loopback addresses, other machines are not meant to connect.
    HOST: values.HOST ?? (isLoopback(live) && isLoopback(sandbox) ? '127.0.0.1' : undefined),
    mail: server && from ? { server, from } : undefined,
    LIVE_BASE_URL: live,
    SANDBOX_BASE_URL: sandbox,
    defaultBaseUrls: values.LIVE_BASE_URL === undefined && values.SANDBOX_BASE_URL === undefined,
  });
}

function sentence(name: string, message: string, given: Record<string, string | undefined>): string {
  return `${name} ${message}${SECRETS.includes(name) ? '' : `, but is "${given[name]}"`}.`;
}

/** Returns a sentence about two settings with the same port, or undefined. */
function findSamePort(values: Partial<Record<(typeof PORTS)[number], number | undefined>>): string | undefined {
  for (const [index, name] of PORTS.entries()) {
    const other = PORTS.slice(0, index).find((earlier) => values[earlier] !== undefined && values[earlier] === values[name]);
    if (other) return `${other} and ${name} must differ, but both are ${values[name]}.`;
  }
  return undefined;
}

function masterKey() {
  return z
    .string()
    .refine(
      (text) => /^[\w+/-]+=*$/.test(text) && Buffer.from(text, 'base64').length >= 32,
      'must be at least 32 random bytes in base64; make one with: openssl rand -base64 32',
    )
    .optional();
}

function databaseUrl() {
  return z
    .string()
    .superRefine((text, context) => {
      const urls = splitDatabaseUrl(text);
      if (!urls.ok) context.addIssue({ code: 'custom', message: urls.error });
    })
    .optional();
}

function wholeNumber(min: number, max: number, absent: number) {
  return number(min, max).default(absent);
}

function number(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

function perSecond(absent: number) {
  return wholeNumber(1, 1_000_000, absent);
}

function port(absent: number) {
  return wholeNumber(1, 65_535, absent);
}

function optionalPort() {
  return number(1, 65_535).optional();
}

function origin() {
  return z
    .string()
    .transform((text) => (URL.canParse(text) ? new URL(text) : null))
    .refine(
      (url) => url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash && !url.username,
      'must be an http or https address without a path, for example https://pay.example.com',
    )
    .transform((url) => url ?? undefined)
    .optional();
}

function line(most: number, example: string) {
  const message = `must be one line of at most ${most} characters, for example ${example}`;
  return z
    .string()
    .transform((text) => text.trim())
    .refine((text) => text.length <= most && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(text), message)
    .optional();
}

function networks() {
  return z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((part) => part.trim() || []))
    .refine(
      (parts) => parts.every(isAddressOrNetwork),
      'must be addresses or networks separated by commas, for example 127.0.0.1,10.0.0.0/8',
    );
}

function isAddressOrNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}
