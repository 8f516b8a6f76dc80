import type { Cookie } from '@/lib/entry/http/cookies';
import { encryptDeviceCookie } from '@/lib/identity/accounts/device';
import { type DeviceSecret, encryptDeviceSecret } from '@/lib/identity/accounts/sign-in/device-secret';
import type { Settings } from '@/lib/platform/config/settings';
import { DAY_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { cookieNames, cookieOptions } from './cookie-names';
import type { WebRuntime } from './web-runtime';

// The maximum lifetime of a cookie in browsers is 400 days (RFC 6265bis).
const LIFETIME_MS = 400 * DAY_MS;

/** Returns the values of a request's device cookies: one for each account that has signed in on the device. */
export function deviceCookies(settings: Pick<Settings, 'LIVE_BASE_URL' | 'PORT'>, cookies: ReadonlyMap<string, string>): string[] {
  return valuesOf(cookies, cookieNames(settings).device);
}

/** Returns the values of a request's cookies of cashiers: one for each cashier who may sign in on the device with a PIN. */
export function cashierCookies(settings: Pick<Settings, 'LIVE_BASE_URL' | 'PORT'>, cookies: ReadonlyMap<string, string>): string[] {
  return valuesOf(cookies, cookieNames(settings).cashier);
}

function valuesOf(cookies: ReadonlyMap<string, string>, prefix: string): string[] {
  return [...cookies].filter(([name]) => name.startsWith(`${prefix}.`)).map(([, value]) => value);
}

/** Returns the cookie by which sign-in recognises a device of an account. */
export function deviceCookie(runtime: Pick<WebRuntime, 'secrets' | 'settings'>, userId: string, device: string) {
  return longCookie(runtime, cookieNames(runtime.settings).device, userId, encryptDeviceCookie(runtime, userId, device));
}

/** Returns the cookie with the secret of a cashier's device. Together with the PIN it signs the cashier in. */
export function cashierCookie(runtime: Pick<WebRuntime, 'secrets' | 'settings'>, userId: string, device: DeviceSecret) {
  return longCookie(runtime, cookieNames(runtime.settings).cashier, userId, encryptDeviceSecret(runtime, device));
}

function longCookie(runtime: Pick<WebRuntime, 'secrets' | 'settings'>, prefix: string, userId: string, value: string): Cookie {
  // The name contains a hash of the account, so that several people can use one device without revealing who they are.
  const account = runtime.secrets.token('session', `device:${userId}`).slice(0, 11);
  return { name: `${prefix}.${account}`, value, maxAge: LIFETIME_MS / SECOND_MS, ...cookieOptions(runtime.settings) };
}
