import { SECOND_MS } from '@/lib/platform/core/clock';
import type { OutboundAnswer } from '@/lib/platform/outbound/call-once';

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

/**
 * Response headers by which a firewall in front of a receiver says that the response is a bot challenge:
 * Cloudflare (developers.cloudflare.com/cloudflare-challenges/challenge-types/challenge-pages/detect-response),
 * AWS WAF (docs.aws.amazon.com/waf/latest/developerguide/waf-captcha-and-challenge-actions.html), Vercel's firewall, SiteGround.
 */
const CHALLENGE_HEADERS: Readonly<Record<string, readonly string[]>> = {
  'cf-mitigated': ['challenge'],
  'x-amzn-waf-action': ['challenge', 'captcha'],
  'x-vercel-mitigated': ['challenge'],
  'sg-captcha': ['challenge'],
};

/** Returns whether a firewall answered with a bot challenge instead of the receiver. @param headers with lower-case names. */
function isChallenge(headers: Readonly<Record<string, string>>): boolean {
  return Object.entries(CHALLENGE_HEADERS).some(([name, values]) => values.includes(headers[name]?.trim().toLowerCase() ?? ''));
}

/** How a redirect's target differs from the called URL: only by https, by `www.`, by a trailing slash, or otherwise. */
type RedirectChange = 'https' | 'www' | 'slash' | 'elsewhere';

/**
 * Resolves a Location header and says how the target differs from the called URL.
 * @returns the absolute URL, or the header's text if it is not a valid URL.
 */
function redirectData(location: string, url: string): { location: string; change: RedirectChange } {
  const target = URL.parse(location, url);
  const called = URL.parse(url);
  if (!target || !called) return { location, change: 'elsewhere' };
  return { location: target.href, change: changeOf(called, target) };
}

function changeOf(called: URL, target: URL): RedirectChange {
  const same = (part: (url: URL) => string) => part(called) === part(target);
  const upgraded = called.protocol === 'http:' && target.protocol === 'https:';
  // An upgrade from http to https usually changes the port too, so neither protocol nor port is compared then.
  if (!upgraded && !(same(({ protocol }) => protocol) && same(({ port }) => port))) return 'elsewhere';
  if (!same(({ hostname }) => withoutWww(hostname)) || !same(({ search }) => search)) return 'elsewhere';
  if (!same(({ pathname }) => withoutSlash(pathname))) return 'elsewhere';
  if (!same(({ hostname }) => hostname)) return 'www';
  if (upgraded) return 'https';
  return same(({ pathname }) => pathname) ? 'elsewhere' : 'slash';
}

const withoutWww = (hostname: string) => hostname.replace(/^www\./, '');
const withoutSlash = (pathname: string) => pathname.replace(/\/$/, '');
