import { cookies } from 'next/headers';
import { NextRequest } from 'next/server';
import NextAuth from 'next-auth';
import { readBody } from '@/lib/entry/http/body';
import { cookiesOf } from '@/lib/entry/http/cookies';
import { failureResponse } from '@/lib/entry/http/errors';
import { requestId } from '@/lib/entry/http/request-facts';
import { ownPath } from '@/lib/entry/http/same-origin';
import { authOptions, type SignInAnswer } from '@/lib/entry/server/auth';
import { cookieNames } from '@/lib/entry/server/cookie-names';
import { deviceCookie } from '@/lib/entry/server/device-cookie';
import { typedEmailCookie } from '@/lib/entry/server/typed-email';
import { type WebRuntime, webRuntime } from '@/lib/entry/server/web-runtime';

const FORM_MAX_BYTES = 16 * 1024;
const FORM = /^application\/x-www-form-urlencoded\s*(;|$)/i;
/** The actions of next-auth that our pages use. All others are blocked: they would read or change the session without the database. */
const ACTIONS = new Set(['signin', 'callback', 'signout', 'error']);

async function handle(request: NextRequest, context: { readonly params: Promise<{ nextauth: string[] }> }): Promise<Response> {
  const id = requestId(request.headers);
  const [action = ''] = (await context.params).nextauth;
  if (!ACTIONS.has(action)) return failureResponse({ code: 'not_found' }, id);
  const runtime = webRuntime();
  if (request.method === 'GET' && action === 'callback') return failureResponse({ code: 'not_found' }, id);
  if (request.method === 'POST' && !FORM.test(request.headers.get('content-type') ?? '')) return new Response(null, { status: 415 });
  const body = request.method === 'POST' ? await readBody(request, FORM_MAX_BYTES) : null;
  if (body && !body.ok) return failureResponse({ code: body.error }, id);
  const bounded = body ? new NextRequest(request.url, { method: 'POST', headers: request.headers, body: body.value }) : request;
  const answers: SignInAnswer[] = [];
  const response: Response = await NextAuth(
    bounded,
    context,
    authOptions(runtime, runtime.addressOf(request.headers), (answer) => answers.push(answer)),
  );
  for (const answer of answers) await redirectAfterPassword(runtime, response, answer, callbackPath(runtime, body?.value));
  makeRedirectRelative(response, runtime.settings.LIVE_BASE_URL.origin);
  // If the form's CSRF token does not match the cookie, next-auth sets a new cookie and redirects here with the parameter `csrf`. The
  // sign-in page then explains the problem, and the person sends the form again. A browser that does not send the new cookie has disabled
  // cookies.
  if (action === 'signin' && request.nextUrl.searchParams.has('csrf')) {
    const enabled = cookiesOf(request.headers).has(cookieNames(runtime.settings).csrf);
    response.headers.set('location', `/sign-in?error=${enabled ? 'Expired' : 'Cookies'}`);
  }
  response.headers.set('cache-control', 'no-store');
  return response;
}

const ERRORS = { wrong: 'CredentialsSignin', expired: 'PasswordExpired' } as const;

/** Sets where a sign-in continues after the password was checked. next-auth itself supports neither waiting times nor a second factor. */
async function redirectAfterPassword(runtime: WebRuntime, { headers }: Response, answer: SignInAnswer, callbackUrl: string): Promise<void> {
  if (answer.kind === 'entered') {
    (await cookies()).set(deviceCookie(runtime, answer.userId, answer.device));
    return;
  }
  if (answer.kind === 'code_due') {
    headers.set('location', `/sign-in/code?${new URLSearchParams({ callbackUrl })}`);
    return;
  }
  (await cookies()).set(typedEmailCookie(runtime, answer.email));
  const { refusal } = answer;
  const why = refusal.code === 'wait' ? { error: 'Wait', until: refusal.until.toISOString() } : { error: ERRORS[refusal.code] };
  headers.set('location', `/sign-in?${new URLSearchParams({ ...why, callbackUrl })}`);
}

/** Returns the path of the page to open after signing in. */
function callbackPath({ settings }: WebRuntime, body: Uint8Array | undefined): string {
  return ownPath(new URLSearchParams(new TextDecoder().decode(body)).get('callbackUrl'), settings.LIVE_BASE_URL.origin) ?? '/';
}

/**
 * Makes redirects relative. next-auth redirects to the base address. If a visitor used another host name, the browser has the cookies for
 * that host name only.
 */
function makeRedirectRelative({ headers }: Response, origin: string): void {
  const location = headers.get('location');
  if (location === origin || location?.startsWith(`${origin}/`)) headers.set('location', location.slice(origin.length) || '/');
}

export { handle as GET, handle as POST };
