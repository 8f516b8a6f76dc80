import type { ReactNode } from 'react';
import { notice, type PublicVisit, publicPage } from '@/app/public-page';
import { AuthPage, authParts } from '@/components/auth/auth-page';
import { htmlResponse } from '@/components/pay/render';
import type { IllustrationName } from '@/components/ui/illustration';
import { readBody, readFields } from '@/lib/entry/http/body';
import { type Cookie, cookiesOf, preferenceCookie, preferenceOf, setCookieHeader } from '@/lib/entry/http/cookies';
import { failureResponse, type RouteHandler } from '@/lib/entry/http/errors';
import { refuseForeignForm } from '@/lib/entry/http/refusals';
import { isSameOrigin, ownPath } from '@/lib/entry/http/same-origin';
import { cookieNames, isTheme, LANGUAGE_COOKIE, THEME_COOKIE, type Theme } from '@/lib/entry/server/cookie-names';
import { cashierCookies, deviceCookies } from '@/lib/entry/server/device-cookie';
import { isLocale } from '@/lib/platform/i18n/locale';

/** More than the longest password and name need, also when all their characters are escaped. */
const FORM_MAX_BYTES = 16 * 1024;

/** A request for a page that people use before they are signed in. These pages exist on the live base address only, like the dashboard. */
export interface Guest extends PublicVisit {
  readonly theme: Theme;
  readonly cookies: ReadonlyMap<string, string>;
  /** The token of the session cookie, or null. Only the database knows whether the session is still valid. */
  readonly session: string | null;
  readonly userAgent: string | null;
  /** The cookies by which sign-in recognises the device. */
  readonly devices: readonly string[];
  /** The cookies of the cashiers who may sign in on this device with a PIN. */
  readonly cashiers: readonly string[];
}

interface SetsCookies {
  readonly cookies?: readonly (Cookie | null)[];
}

/** A page to show. The status is 422 if it shows what is wrong with a form. */
interface Shown extends SetsCookies {
  readonly title: string;
  readonly content: ReactNode;
  readonly status?: 200 | 404 | 422;
  /** The drawing above the title, on a page that ends a visit. */
  readonly art?: IllustrationName;
}

/** A path to redirect to. `afterwards` is run after the answer, so that the time of the answer does not reveal what it finds. */
interface Left extends SetsCookies {
  readonly to: string;
  readonly afterwards?: () => Promise<void>;
}

/** Data for a script of our own pages. */
interface Data extends SetsCookies {
  readonly data: unknown;
}

export type GuestAnswer = Shown | Left | Data;

/**
 * Returns a handler of a page for people who are not signed in.
 * @param send handles the form of the page, which must come from one of our own pages. Omit it if the page has none.
 */
export function guestPage(
  show: (guest: Guest) => Promise<GuestAnswer>,
  send?: (guest: Guest, form: URLSearchParams) => Promise<GuestAnswer>,
): RouteHandler {
  const answer = async (visit: PublicVisit): Promise<Response> => {
    const { environment, id, method, path, query, runtime } = visit;
    if (environment === 'sandbox') {
      if (method === 'POST') return failureResponse({ code: 'not_found' }, id);
      return redirect(id, 307, `${runtime.settings.LIVE_BASE_URL.origin}${path}${query.size > 0 ? `?${query}` : ''}`);
    }
    const guest = await meet(visit);
    if (!send || method !== 'POST') return respond(guest, 307, await show(guest));
    const form = await readForm(guest);
    return form instanceof Response ? form : respond(guest, 303, await send(guest, form));
  };
  return publicPage(answer, { forms: send !== undefined });
}

async function meet(visit: PublicVisit): Promise<Guest> {
  const { runtime, headers, query } = visit;
  const { settings } = runtime;
  const cookies = cookiesOf(headers);
  const language = preferenceOf(cookies, LANGUAGE_COOKIE, settings.LIVE_BASE_URL);
  const theme = preferenceOf(cookies, THEME_COOKIE, settings.LIVE_BASE_URL);
  return {
    ...visit,
    locale: isLocale(query.get('lang')) || !isLocale(language) ? visit.locale : language,
    theme: isTheme(theme) ? theme : 'system',
    cookies,
    session: await readSession(visit, cookies.get(cookieNames(settings).session)),
    userAgent: headers.get('user-agent'),
    devices: deviceCookies(settings, cookies),
    cashiers: cashierCookies(settings, cookies),
  };
}

async function readSession({ runtime }: PublicVisit, cookie: string | undefined): Promise<string | null> {
  if (cookie === undefined) return null;
  // The module loads next-auth, which visitors without a session do not need.
  const { readSessionCookie } = await import('@/lib/entry/server/auth');
  return readSessionCookie(runtime, cookie);
}

/** Returns the cookie of a session that starts on a page for guests. */
export async function sessionCookieOf({ runtime }: PublicVisit, token: string): Promise<Cookie> {
  const { sessionCookie } = await import('@/lib/entry/server/auth');
  return sessionCookie(runtime, token);
}

/** Returns the path in the query parameter or form field `callbackUrl`, to open after signing in. */
export function wantedPath({ runtime }: PublicVisit, fields: URLSearchParams): string {
  return ownPath(fields.get('callbackUrl'), runtime.settings.LIVE_BASE_URL.origin) ?? '/';
}

/** Returns the fields of the form, or the response that refuses it. */
async function readForm(guest: Guest): Promise<URLSearchParams | Response> {
  const { runtime, request, headers, id } = guest;
  if (!isSameOrigin(headers)) {
    refuseForeignForm(runtime, headers);
    return notice(guest, 'foreignForm', 403);
  }
  const body = await readBody(request, FORM_MAX_BYTES);
  if (!body.ok) return failureResponse({ code: body.error }, id);
  const form = await readFields(body.value, headers.get('content-type'));
  return form ?? failureResponse({ code: 'form_type_unsupported' }, id);
}

async function respond(guest: Guest, redirectStatus: 303 | 307, answer: GuestAnswer): Promise<Response> {
  const { runtime, headers, query } = guest;
  const base = runtime.settings.LIVE_BASE_URL;
  const response = await responseOf(guest, redirectStatus, answer);
  for (const cookie of answer.cookies ?? []) if (cookie) response.headers.append('set-cookie', setCookieHeader(cookie));
  const chosen = query.get('lang');
  if (isLocale(chosen) && headers.get('sec-fetch-site') === 'same-origin')
    response.headers.append('set-cookie', preferenceCookie(LANGUAGE_COOKIE, chosen, base));
  if ('to' in answer && answer.afterwards) runAfterwards(guest, answer.afterwards);
  return response;
}

async function responseOf(guest: Guest, redirectStatus: 303 | 307, answer: GuestAnswer): Promise<Response> {
  const { id } = guest;
  if ('to' in answer) return redirect(id, redirectStatus, answer.to);
  if ('data' in answer) return Response.json(answer.data, { headers: { 'cache-control': 'no-store', 'x-request-id': id } });
  return render(guest, answer);
}

function render({ runtime, id, locale, theme, path, query }: Guest, { title, content, status = 200, art }: Shown): Promise<Response> {
  const { OPERATOR_NAME: name, OPERATOR_CONTACT: contact } = runtime.settings;
  const other = new URLSearchParams(query);
  other.set('lang', locale === 'sw' ? 'en' : 'sw');
  const page = (
    <AuthPage {...{ locale, theme, title, art }} otherLanguage={`${path}?${other}`} operator={{ name, contact }}>
      {content}
    </AuthPage>
  );
  return htmlResponse(page, status, id, authParts(theme));
}

function redirect(id: string, status: 303 | 307, location: string): Response {
  return new Response(null, { status, headers: { location, 'cache-control': 'no-store', 'x-request-id': id } });
}

function runAfterwards({ runtime, id }: Guest, run: () => Promise<void>): void {
  setImmediate(() => {
    run().catch((error: unknown) => runtime.log.error({ err: error, requestId: id }, 'a mail could not be queued'));
  });
}
