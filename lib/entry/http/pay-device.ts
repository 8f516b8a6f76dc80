import type { Secrets } from '@/lib/platform/config/secrets';
import { baseUrl, type Settings } from '@/lib/platform/config/settings';
import { DAY_MS, HOUR_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { isUuid } from '@/lib/platform/core/ids';
import { type Mobile, parseMobile } from '@/lib/platform/core/mobile';
import type { Environment } from '@/lib/platform/core/scope';
import { isLocale, type Locale } from '@/lib/platform/i18n/locale';
import { cookiesOf, preferenceCookie, preferenceOf } from './cookies';

/** What the cookies of a customer's device remember of earlier visits to payment pages. */
export interface PayDevice {
  /** The last attempt that this device requested. This device may see the full mobile number of that attempt. */
  readonly attemptId: string | null;
  /** The mobile number that was last entered on this device, if the customer agreed to store it; otherwise null. */
  readonly mobile: Mobile | null;
}

type DeviceRuntime = {
  readonly secrets: Pick<Secrets, 'encrypt' | 'decrypt'>;
  readonly settings: Pick<Settings, 'PORT' | 'LIVE_BASE_URL' | 'SANDBOX_BASE_URL'>;
};

/** How long the cookie remembers an attempt: longer than a customer waits for the result of a prompt. */
const ATTEMPT_MS = HOUR_MS;
const MOBILE_MS = 365 * DAY_MS;
const SEALED = /^[\w-]{40,200}$/;

/** Reads the cookies of a request. Cookies that Bili did not write for this environment are ignored. */
export function readDevice(runtime: DeviceRuntime, environment: Environment, headers: Headers): PayDevice {
  const names = payCookieNames(runtime, environment);
  const cookies = cookiesOf(headers);
  const attemptId = open(runtime, cookies.get(names.attempt), `${environment}/pay-attempt`);
  const mobile = open(runtime, cookies.get(names.mobile), `${environment}/pay-mobile`);
  return { attemptId: attemptId !== null && isUuid(attemptId) ? attemptId : null, mobile: mobile === null ? null : parseMobile(mobile) };
}

/**
 * Returns the Set-Cookie headers of a device. Both values are encrypted: a thief of the cookies cannot read the number in them, and nobody
 * can forge a cookie that makes a page show another customer's number. If `mobile` is null, the stored number is deleted.
 */
export function writeDevice(runtime: DeviceRuntime, environment: Environment, { attemptId, mobile }: PayDevice): string[] {
  const names = payCookieNames(runtime, environment);
  const secure = baseUrl(runtime.settings, environment).protocol === 'https:' ? '; Secure' : '';
  const attributes = (ms: number) => `Path=/pay; Max-Age=${ms / SECOND_MS}; HttpOnly; SameSite=Lax${secure}`;
  const cookie = (name: string, text: string | null, context: string, ms: number) =>
    text === null ? `${name}=; ${attributes(0)}` : `${name}=${seal(runtime, text, `${environment}/${context}`)}; ${attributes(ms)}`;
  return [
    ...(attemptId === null ? [] : [cookie(names.attempt, attemptId, 'pay-attempt', ATTEMPT_MS)]),
    cookie(names.mobile, mobile, 'pay-mobile', MOBILE_MS),
  ];
}

/**
 * Returns the names of the cookies. They contain port and environment, because browsers send cookies to every port of a host. The prefix is
 * not `__Host-`, because that would require the path `/`.
 */
export function payCookieNames(
  { settings }: Pick<DeviceRuntime, 'settings'>,
  environment: Environment,
): { attempt: string; mobile: string } {
  const prefix = baseUrl(settings, environment).protocol === 'https:' ? '__Secure-' : '';
  return { attempt: `${prefix}bili-${settings.PORT}.${environment}.asked`, mobile: `${prefix}bili-${settings.PORT}.${environment}.number` };
}

function seal({ secrets }: DeviceRuntime, text: string, context: string): string {
  return Buffer.from(secrets.encrypt(text, context)).toString('base64url');
}

function open({ secrets }: DeviceRuntime, sealed: string | undefined, context: string): string | null {
  if (sealed === undefined || !SEALED.test(sealed)) return null;
  try {
    return secrets.decrypt(new Uint8Array(Buffer.from(sealed, 'base64url')), context);
  } catch {
    // The cookie is forged, cut off, or written by another installation or for another environment.
    return null;
  }
}

/** The cookie with the language of the pages for customers. The dashboard has another cookie, because a shop's device may show both. */
export const PAY_LANGUAGE_COOKIE = 'bili-pay-lang';

/** Returns the language in the address (`lang`), otherwise the language in the cookie. Returns null if neither is there. */
export function chosenLanguage(query: URLSearchParams, headers: Headers, base: URL): Locale | null {
  const language = query.get('lang');
  if (isLocale(language)) return language;
  const remembered = preferenceOf(cookiesOf(headers), PAY_LANGUAGE_COOKIE, base);
  return isLocale(remembered) ? remembered : null;
}

/**
 * Stores the language of the address in a cookie on the customer's device, if the customer opened the address from one of our own pages.
 * Links on a shop's site and requests of the page's script do not change the stored language.
 */
export function rememberLanguage(
  response: Response,
  { query, headers, base }: { query: URLSearchParams; headers: Headers; base: URL },
): void {
  const language = query.get('lang');
  if (!isLocale(language) || preferenceOf(cookiesOf(headers), PAY_LANGUAGE_COOKIE, base) === language) return;
  // Old browsers do not send the Sec-Fetch headers. Without these headers, a request is handled as if one of our own pages had sent it.
  const page = (headers.get('sec-fetch-dest') ?? 'document') === 'document';
  const own = (headers.get('sec-fetch-site') ?? 'same-origin') === 'same-origin';
  if (page && own) response.headers.append('set-cookie', preferenceCookie(PAY_LANGUAGE_COOKIE, language, base));
}
