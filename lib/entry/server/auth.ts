import type { AuthOptions, CookieOption } from 'next-auth';
import { decode, encode } from 'next-auth/jwt';
import CredentialsProvider from 'next-auth/providers/credentials';
import { type Cookie, cookiesOf } from '@/lib/entry/http/cookies';
import { ownPath } from '@/lib/entry/http/same-origin';
import { SESSION_MS } from '@/lib/identity/accounts/access/sessions';
import { isCredential, type Refusal, signIn, signOut } from '@/lib/identity/accounts/sign-in/sign-in';
import { SECOND_MS } from '@/lib/platform/core/clock';
import { cookieNames, cookieOptions } from './cookie-names';
import { CSRF_SECONDS, sessionSecret } from './csrf';
import { deviceCookies } from './device-cookie';
import type { WebRuntime } from './web-runtime';

/** The result of a password check. The sign-in page needs it, because next-auth only reports success or failure. */
export type SignInAnswer =
  | { readonly kind: 'entered'; readonly userId: string; readonly device: string }
  | { readonly kind: 'code_due' }
  | { readonly kind: 'refused'; readonly refusal: Refusal | { readonly code: 'expired' }; readonly email: string };

/**
 * Returns the options of next-auth. The cookie of next-auth contains only the random token of our session. The session's row in the
 * database decides whether the session is valid.
 * @param address the caller's address, which next-auth does not pass to the sign-out event.
 * @param answered called with the result of a password check.
 */
export function authOptions(runtime: WebRuntime, address: string | null, answered: (answer: SignInAnswer) => void): AuthOptions {
  const { settings, log } = runtime;
  const names = cookieNames(settings);
  const secure = settings.LIVE_BASE_URL.protocol === 'https:';
  const cookie = (name: string, maxAge?: number): CookieOption => ({
    name,
    options: { ...cookieOptions(settings), ...(maxAge !== undefined && { maxAge }) },
  });
  return {
    secret: sessionSecret(runtime),
    useSecureCookies: secure,
    session: { strategy: 'jwt', maxAge: SESSION_MS / SECOND_MS },
    cookies: {
      sessionToken: cookie(names.session),
      csrfToken: cookie(names.csrf, CSRF_SECONDS),
      callbackUrl: cookie(names.callback),
    },
    pages: { signIn: '/sign-in', signOut: '/sign-out', error: '/sign-in' },
    providers: [
      CredentialsProvider({
        credentials: { email: {}, password: {} },
        async authorize(credentials, request) {
          const { email, password } = credentials ?? {};
          if (typeof email !== 'string' || typeof password !== 'string' || !isCredential(email, password)) return null;
          const headers = new Headers(request.headers);
          try {
            const signedIn = await signIn(runtime, {
              email,
              password,
              userAgent: headers.get('user-agent'),
              address: runtime.addressOf(headers),
              devices: deviceCookies(settings, cookiesOf(headers)),
              session: await readSessionCookie(runtime, cookiesOf(headers).get(names.session)),
            });
            if (!signedIn.ok) {
              answered({ kind: 'refused', refusal: signedIn.error, email });
              return null;
            }
            const { user, token, codeDue, device } = signedIn.value;
            answered(codeDue ? { kind: 'code_due' } : { kind: 'entered', userId: user.id, device });
            // next-auth passes the id to the jwt callback below, and stores it nowhere else.
            return { id: token };
          } catch (error) {
            log.error({ err: error }, 'sign-in failed');
            // A fixed text, because next-auth puts the error message into the URL.
            throw new Error('Unavailable');
          }
        },
      }),
    ],
    callbacks: {
      jwt: ({ token, user }) => ({ sid: user ? user.id : token.sid }),
      redirect: ({ url, baseUrl }) => baseUrl + (ownPath(url, baseUrl) ?? '/'),
    },
    events: {
      async signOut({ token }) {
        if (typeof token?.sid === 'string') await signOut(runtime, { token: token.sid, address });
      },
    },
    logger: {
      error: (code, metadata) => log.error({ err: metadata instanceof Error ? metadata : metadata.error, code }, 'next-auth failed'),
      warn: (code) => log.warn({ code }, 'next-auth warns'),
      debug: () => undefined,
    },
  };
}

/** Returns the session token from its cookie, or null if the cookie is invalid or expired. */
export async function readSessionCookie(runtime: Pick<WebRuntime, 'secrets'>, cookie: string | undefined): Promise<string | null> {
  if (!cookie) return null;
  try {
    const token = await decode({ token: cookie, secret: sessionSecret(runtime) });
    return typeof token?.sid === 'string' ? token.sid : null;
  } catch {
    // The cookie is forged, cut off or expired.
    return null;
  }
}

/** Returns the session cookie of a token in next-auth's format, for sessions that start on our own pages. */
export async function sessionCookie(runtime: Pick<WebRuntime, 'secrets' | 'settings'>, token: string): Promise<Cookie> {
  const maxAge = SESSION_MS / SECOND_MS;
  const value = await encode({ token: { sid: token }, secret: sessionSecret(runtime), maxAge });
  return { name: cookieNames(runtime.settings).session, value, maxAge, ...cookieOptions(runtime.settings) };
}
