import { SECOND_MS } from '@/lib/core/clock';
import type { OutboundAnswer } from '@/lib/outbound/call-once';
import { isChallenge } from './challenge-rules';
import { redirectData } from './redirect-rules';

/** Why a webhook was not delivered, in one word; `describeFailure` makes a sentence of it. */
export const ERROR_CLASSES = [
  'refused',
  'name_not_found',
  'timeout',
  'reset',
  'cert_expired',
  'cert_not_yet_valid',
  'cert_untrusted',
  'cert_wrong_name',
  'tls',
  'forbidden',
  'headers_too_large',
  'redirect',
  'gone',
  'unauthorized',
  'not_found',
  'method',
  'too_large',
  'rate_limited',
  'challenge',
  'server_error',
  'http_status',
  'other',
] as const;
export type ErrorClass = (typeof ERROR_CLASSES)[number];

/**
 * The facts of a failure by name: a `stage`, a `status`, a `location` …, and where no answer came a `detail` for people who know
 * the field. Texts may be the receiver's own: they are cut, and nothing in them may be trusted.
 */
export type ErrorData = Readonly<Record<string, string | number>>;

export interface Failure {
  readonly errorClass: ErrorClass;
  readonly errorData: ErrorData;
}

const BY_STATUS: Readonly<Record<number, ErrorClass>> = {
  401: 'unauthorized',
  403: 'unauthorized',
  404: 'not_found',
  405: 'method',
  410: 'gone',
  413: 'too_large',
  429: 'rate_limited',
};

/** @param url the address that was called. @returns why the webhook was not delivered; null when it was, which any 2xx of the receiver's own says. */
export function failureOf({ status, headers, error }: Pick<OutboundAnswer, 'status' | 'headers' | 'error'>, url: string): Failure | null {
  if (status === null) return error ? failure(error.kind, { ...error.data, detail: error.detail }) : failure('other', {});
  // Some firewalls answer 202 in the receiver's place.
  if (isChallenge(headers)) return failure('challenge', { status });
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400 && headers.location !== undefined) {
    return failure('redirect', { status, ...redirectData(headers.location, url) });
  }
  return failure(BY_STATUS[status] ?? (status >= 500 ? 'server_error' : 'http_status'), { status });
}

/** Longest text of the receiver's that is kept, characters. */
const TEXT_MAX = 300;

function failure(errorClass: ErrorClass, data: ErrorData): Failure {
  const errorData = Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, typeof value === 'string' ? cleanText(value, TEXT_MAX) : value]),
  );
  return { errorClass, errorData };
}

/** @returns the text without control characters, cut to a length, never through a character. */
function cleanText(text: string, max: number): string {
  return text
    .replace(/\p{Cc}/gu, '')
    .slice(0, max)
    .toWellFormed()
    .replace(/\ufffd$/, '');
}

const NUMBER_OF_SECONDS = /^\d{1,9}$/;
/** The three forms of a date that RFC 9110, 5.6.7 has; the last one names no zone. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [\d A-Za-z:-]+$/;

/** @returns until when a receiver that answers 429 or 503 asks to be left alone; null when it does not, or makes no sense. */
export function retryAfter({ status, headers }: Pick<OutboundAnswer, 'status' | 'headers'>, now: Date): Date | null {
  const value = headers['retry-after']?.trim() ?? '';
  if (status !== 429 && status !== 503) return null;
  if (NUMBER_OF_SECONDS.test(value)) return new Date(now.getTime() + Number(value) * SECOND_MS);
  if (!HTTP_DATE.test(value)) return null;
  const until = new Date(value.endsWith(' GMT') ? value : `${value} GMT`);
  return until > now ? until : null;
}

/** What tells a receiver's owner which of their machines answered, and why: kept with each try. Cookies and the like never are. */
const LOGGED_HEADERS: ReadonlySet<string> = new Set([
  'allow',
  'cf-mitigated',
  'cf-ray',
  'content-length',
  'content-type',
  'date',
  'location',
  'retry-after',
  'server',
  'sg-captcha',
  'traceparent',
  'via',
  'www-authenticate',
  'x-amz-cf-id',
  'x-amzn-requestid',
  'x-amzn-trace-id',
  'x-amzn-waf-action',
  'x-correlation-id',
  'x-request-id',
  'x-vercel-id',
  'x-vercel-mitigated',
]);
const HEADER_MAX = 1024;

/** @returns the headers of an answer that are worth keeping, each cut to 1 KiB. */
export function loggedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => LOGGED_HEADERS.has(name))
      .map(([name, value]) => [name, cleanText(value, HEADER_MAX)]),
  );
}
