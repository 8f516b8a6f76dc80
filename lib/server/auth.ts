import type { AuthOptions, CookieOption } from 'next-auth';
import { decode } from 'next-auth/jwt';
import CredentialsProvider from 'next-auth/providers/credentials';
import { SESSION_MS, signIn, signOut } from '@/lib/accounts/sign-in';
import type { Settings } from '@/lib/config/settings';
import { DAY_MS, SECOND_MS } from '@/lib/core/clock';
import { ownPath } from '@/lib/http/same-origin';
import type { WebRuntime } from './web-runtime';

const EMAIL_MAX = 254;
const PASSWORD_MAX = 1_000;
// Longer than any session, so that the sign-out button of the last day still has its token.
const CSRF_MS = 365 * DAY_MS;

/** Names that carry the port, because cookies ignore it: two deployments on one machine must not sign each other out. */
export function cookieNames({ LIVE_BASE_URL, PORT }: Pick<Settings, 'LIVE_BASE_URL' | 'PORT'>): {
  session: string;
  csrf: string;
  callback: string;
} {
  const prefix = `${LIVE_BASE_URL.protocol === 'https:' ? '__Host-' : ''}bili-${PORT}`;
  return { session: `${prefix}.session`, csrf: `${prefix}.csrf`, callback: `${prefix}.callback` };
}

/** The options of next-auth. Its cookie carries our session's random token and nothing else; the row in the database is the authority. */
export function authOptions(runtime: WebRuntime): AuthOptions {
  const { settings, log } = runtime;
  const names = cookieNames(settings);
  const secure = settings.LIVE_BASE_URL.protocol === 'https:';
  const cookie = (name: string, maxAge?: number): CookieOption => ({
    name,
    options: { httpOnly: true, sameSite: 'lax', path: '/', secure, ...(maxAge !== undefined && { maxAge }) },
  });
  return {
    secret: sessionSecret(runtime),
    useSecureCookies: secure,
    session: { strategy: 'jwt', maxAge: SESSION_MS / SECOND_MS },
    cookies: {
      sessionToken: cookie(names.session),
      csrfToken: cookie(names.csrf, CSRF_MS / SECOND_MS),
      callbackUrl: cookie(names.callback),
    },
    pages: { signIn: '/sign-in', signOut: '/sign-out', error: '/sign-in' },
    providers: [
      CredentialsProvider({
        credentials: { email: {}, password: {} },
        async authorize(credentials, request) {
          const { email, password } = credentials ?? {};
          if (typeof email !== 'string' || typeof password !== 'string' || email.length > EMAIL_MAX || password.length > PASSWORD_MAX)
            return null;
          if (email.includes('\0')) return null;
          const headers = new Headers(request.headers);
          try {
            const signedIn = await signIn(runtime, {
              email,
              password,
              userAgent: headers.get('user-agent'),
              address: runtime.addressOf(headers),
            });
            // next-auth hands the id to the jwt callback below and keeps it nowhere else.
            return signedIn && { id: signedIn.token };
          } catch (error) {
            log.error({ err: error }, 'sign-in failed');
            // next-auth writes an error's message into the address.
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
        if (typeof token?.sid === 'string') await signOut(runtime, token.sid);
      },
    },
    logger: {
      error: (code, metadata) => log.error({ err: metadata instanceof Error ? metadata : metadata.error, code }, 'next-auth failed'),
      warn: (code) => log.warn({ code }, 'next-auth warns'),
      debug: () => undefined,
    },
  };
}

/** @returns the session's token from its cookie, or null when the cookie is not one of ours or has run out. */
export async function readSessionCookie(runtime: Pick<WebRuntime, 'secrets'>, cookie: string | undefined): Promise<string | null> {
  if (!cookie) return null;
  try {
    const token = await decode({ token: cookie, secret: sessionSecret(runtime) });
    return typeof token?.sid === 'string' ? token.sid : null;
  } catch {
    // Forged, truncated or expired: whichever, nobody is signed in.
    return null;
  }
}

function sessionSecret({ secrets }: Pick<WebRuntime, 'secrets'>): string {
  return secrets.key('session').toString('base64');
}
