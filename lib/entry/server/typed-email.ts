import type { Cookie } from '@/lib/entry/http/cookies';
import { MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { cookieNames, cookieOptions } from './cookie-names';
import type { WebRuntime } from './web-runtime';

const LIFETIME_MS = 10 * MINUTE_MS;
const CONTEXT = 'typed-email';

type CookieRuntime = Pick<WebRuntime, 'settings' | 'secrets'>;

/**
 * Returns the cookie with a typed e-mail address, for the form that is shown again. The address is not in the URL, where it would stay in
 * browser histories.
 */
export function typedEmailCookie({ settings, secrets }: CookieRuntime, email: string): Cookie {
  const value = Buffer.from(secrets.encrypt(email, CONTEXT)).toString('base64url');
  return { name: cookieNames(settings).typed, value, maxAge: LIFETIME_MS / SECOND_MS, ...cookieOptions(settings) };
}

/** Returns the e-mail address in the cookies of a request, or an empty string. */
export function readTypedEmail({ settings, secrets }: CookieRuntime, cookies: ReadonlyMap<string, string>): string {
  const stored = cookies.get(cookieNames(settings).typed);
  if (!stored) return '';
  try {
    return secrets.decrypt(new Uint8Array(Buffer.from(stored, 'base64url')), CONTEXT);
  } catch {
    // This installation did not encrypt the value of the cookie.
    return '';
  }
}
