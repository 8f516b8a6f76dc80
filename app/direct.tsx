import { HOME_PARTS, HomeDocument } from '@/components/pay/home-page';
import { htmlResponse } from '@/components/pay/render';
import { isSignUpOpen } from '@/lib/backoffice/email-links/sign-up';
import { cookiesOf, preferenceCookie, preferenceOf } from '@/lib/entry/http/cookies';
import { cookieNames, LANGUAGE_COOKIE } from '@/lib/entry/server/cookie-names';
import { operatorLogo } from '@/lib/entry/server/operator-logo';
import { findHome } from '@/lib/identity/accounts/access/grant-account';
import { baseUrl } from '@/lib/platform/config/settings';
import { isLocale } from '@/lib/platform/i18n/locale';
import { type PublicVisit, publicPage } from './public-page';

/** The home page. Whoever is signed in continues to the dashboard. */
async function show(visit: PublicVisit): Promise<Response> {
  const { runtime, environment, id, query, headers } = visit;
  const { settings } = runtime;
  // Live and sandbox have one home page and one dashboard, both at the address of live.
  if (environment === 'sandbox') return redirect(`${baseUrl(settings, 'live').origin}/`, id);
  const dashboard = await findDashboard(visit);
  if (dashboard !== null) return redirect(dashboard, id);
  const chosen = query.get('lang');
  const remembered = preferenceOf(cookiesOf(headers), LANGUAGE_COOKIE, settings.LIVE_BASE_URL);
  const locale = isLocale(chosen) || !isLocale(remembered) ? visit.locale : remembered;
  const operator = {
    name: settings.OPERATOR_NAME ?? null,
    contact: settings.OPERATOR_CONTACT ?? null,
    logo: await operatorLogo(runtime),
  };
  const response = await htmlResponse(
    <HomeDocument operator={operator} open={isSignUpOpen(runtime)} locale={locale} />,
    200,
    id,
    HOME_PARTS,
  );
  // The dashboard's pages use the same cookie, so that signing in does not change the language.
  if (isLocale(chosen) && headers.get('sec-fetch-site') === 'same-origin')
    response.headers.append('set-cookie', preferenceCookie(LANGUAGE_COOKIE, chosen, settings.LIVE_BASE_URL));
  return response;
}

/** Returns the path of the dashboard for whoever is signed in; null without a session. */
async function findDashboard({ runtime, headers }: PublicVisit): Promise<string | null> {
  const cookie = cookiesOf(headers).get(cookieNames(runtime.settings).session);
  if (cookie === undefined) return null;
  // The module loads next-auth, which visitors without a session do not need.
  const { readSessionCookie } = await import('@/lib/entry/server/auth');
  const home = await findHome(runtime, await readSessionCookie(runtime, cookie));
  if (home.kind === 'signed_out') return null;
  return home.kind === 'merchant' ? home.path : '/no-merchant';
}

function redirect(location: string, id: string): Response {
  return new Response(null, { status: 307, headers: { location, 'cache-control': 'no-store', 'x-request-id': id } });
}

export const home = publicPage(show);
