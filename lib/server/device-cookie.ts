import { encryptDeviceCookie } from '@/lib/accounts/device';
import type { Settings } from '@/lib/config/settings';
import { DAY_MS, SECOND_MS } from '@/lib/core/clock';
import { cookieNames, cookieOptions } from './cookie-names';
import type { WebRuntime } from './web-runtime';

// The maximum lifetime of a cookie in browsers is 400 days (RFC 6265bis).
const LIFETIME_MS = 400 * DAY_MS;

/** Returns the values of a request's device cookies: one for each account that has signed in on the device. */
export function deviceCookies(settings: Pick<Settings, 'LIVE_BASE_URL' | 'PORT'>, cookies: ReadonlyMap<string, string>): string[] {
  const { device } = cookieNames(settings);
  return [...cookies].filter(([name]) => name.startsWith(`${device}.`)).map(([, value]) => value);
}

/** Returns the cookie by which sign-in recognises a device of an account. */
export function deviceCookie(runtime: Pick<WebRuntime, 'secrets' | 'settings'>, userId: string, device: string) {
  // The name contains a hash of the account, so that several people can use one device without revealing who they are.
  const account = runtime.secrets.token('session', `device:${userId}`).slice(0, 11);
  return {
    name: `${cookieNames(runtime.settings).device}.${account}`,
    value: encryptDeviceCookie(runtime, userId, device),
    maxAge: LIFETIME_MS / SECOND_MS,
    ...cookieOptions(runtime.settings),
  };
}
