import { SECOND_MS } from '@/lib/core/clock';
import type { OutboundAnswer } from '@/lib/outbound/call-once';
import { isChallenge } from './challenge-rules';
import { redirectData } from './redirect-rules';

/** The reasons why a delivery attempt failed. `describeFailure` explains each in a sentence. */
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
  'invalid_answer',
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
 * The facts of a failure, for example `stage`, `status` or `location`. If no answer came, `detail` has the technical error message.
 * Some texts come from the receiver: they are shortened and must not be trusted.
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

/** Returns why a delivery attempt failed, or null if the receiver itself answered with 2xx. @param url the URL that was called. */
export function failureOf({ status, headers, error }: Pick<OutboundAnswer, 'status' | 'headers' | 'error'>, url: string): Failure | null {
  if (status === null) return error ? failure(error.kind, { ...error.data, detail: error.detail }) : failure('other', {});
  // Some firewalls answer in place of the receiver, with status 202.
  if (isChallenge(headers)) return failure('challenge', { status });
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400 && headers.location !== undefined) {
    return failure('redirect', { status, ...redirectData(headers.location, url) });
  }
  return failure(BY_STATUS[status] ?? (status >= 500 ? 'server_error' : 'http_status'), { status });
}

/** Maximum length of a stored text that comes from the receiver, in characters. */
const TEXT_MAX = 300;

function failure(errorClass: ErrorClass, data: ErrorData): Failure {
  const errorData = Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, typeof value === 'string' ? cleanText(value, TEXT_MAX) : value]),
  );
  return { errorClass, errorData };
}

/** Removes control characters and cuts the text to `max` UTF-16 units, but not in the middle of a surrogate pair. */
function cleanText(text: string, max: number): string {
  return text
    .replace(/\p{Cc}/gu, '')
    .slice(0, max)
    .toWellFormed()
    .replace(/\ufffd$/, '');
}

const NUMBER_OF_SECONDS = /^\d{1,9}$/;
/** Matches the three date formats of RFC 9110, 5.6.7. The third one contains no time zone, but is in GMT like the others. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [\d A-Za-z:-]+$/;

/** Returns the time in the Retry-After header of a 429 or 503 answer, or null if it is missing, unreadable or a date in the past. */
export function retryAfter({ status, headers }: Pick<OutboundAnswer, 'status' | 'headers'>, now: Date): Date | null {
  const value = headers['retry-after']?.trim() ?? '';
  if (status !== 429 && status !== 503) return null;
  if (NUMBER_OF_SECONDS.test(value)) return new Date(now.getTime() + Number(value) * SECOND_MS);
  if (!HTTP_DATE.test(value)) return null;
  const until = new Date(value.endsWith(' GMT') ? value : `${value} GMT`);
  return until > now ? until : null;
}

/** Response headers that are logged: they show which of the merchant's machines answered, and why. Cookies are never logged. */
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

/** Returns the response headers that are logged, each cut to 1024 characters. */
export function loggedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => LOGGED_HEADERS.has(name))
      .map(([name, value]) => [name, cleanText(value, HEADER_MAX)]),
  );
}
