import { createHash } from 'node:crypto';
import type { Cookie } from '@/lib/entry/http/cookies';
import { DAY_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { cookieNames, cookieOptions } from './cookie-names';
import type { WebRuntime } from './web-runtime';

// The CSRF cookie lives longer than any session, so that signing out on a session's last day still works.
export const CSRF_SECONDS = (365 * DAY_MS) / SECOND_MS;

/** Returns the secret of next-auth, which signs the cookies of the session and of the CSRF token. */
export function sessionSecret({ secrets }: Pick<WebRuntime, 'secrets'>): string {
  return secrets.key('session').toString('base64');
}

type CsrfRuntime = Pick<WebRuntime, 'settings' | 'secrets' | 'random'>;

/**
 * Returns the token that a form for next-auth must send. If the browser has no valid cookie with a token, also returns a new cookie, in the
 * format of next-auth. Without it, a page would have to redirect to next-auth first, which takes two more round trips on a slow line.
 */
export function csrfOf(
  runtime: CsrfRuntime,
  cookies: ReadonlyMap<string, string>,
): { readonly token: string; readonly cookie: Cookie | null } {
  const name = cookieNames(runtime.settings).csrf;
  const [token = '', hash] = (cookies.get(name) ?? '').replace(/%7C/i, '|').split('|');
  if (hash === hashOf(runtime, token)) return { token, cookie: null };
  const fresh = Buffer.from(runtime.random(32)).toString('hex');
  const value = encodeURIComponent(`${fresh}|${hashOf(runtime, fresh)}`);
  return { token: fresh, cookie: { name, value, maxAge: CSRF_SECONDS, ...cookieOptions(runtime.settings) } };
}

function hashOf(runtime: CsrfRuntime, token: string): string {
  return createHash('sha256').update(token).update(sessionSecret(runtime)).digest('hex');
}
