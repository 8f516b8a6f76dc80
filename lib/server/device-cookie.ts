import { encryptDeviceCookie } from '@/lib/accounts/device';
import type { Settings } from '@/lib/config/settings';
import { DAY_MS, SECOND_MS } from '@/lib/core/clock';
import { cookieNames, cookieOptions } from './cookie-names';
import type { WebRuntime } from './web-runtime';

// Browsers keep none longer than 400 days (RFC 6265bis).
const KEPT_MS = 400 * DAY_MS;

/** @returns what a request's device cookies hold: one for each account that has signed in from there. */
export function deviceCookies(settings: Pick<Settings, 'LIVE_BASE_URL' | 'PORT'>, cookies: ReadonlyMap<string, string>): string[] {
  const { device } = cookieNames(settings);
  return [...cookies].filter(([name]) => name.startsWith(`${device}.`)).map(([, value]) => value);
}

/** @returns the cookie by which a device is known again as one of an account's. */
export function deviceCookie(runtime: Pick<WebRuntime, 'secrets' | 'settings'>, userId: string, device: string) {
  // A name for each account, so that several people may use one device; it does not say whose.
  const account = runtime.secrets.token('session', `device:${userId}`).slice(0, 11);
  return {
    name: `${cookieNames(runtime.settings).device}.${account}`,
    value: encryptDeviceCookie(runtime, userId, device),
    maxAge: KEPT_MS / SECOND_MS,
    ...cookieOptions(runtime.settings),
  };
}
