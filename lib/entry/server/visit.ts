import { cookies, headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { cache } from 'react';
import { type Refusal, refuseForeignForm } from '@/lib/entry/http/refusals';
import { isSameOrigin } from '@/lib/entry/http/same-origin';
import { type AccessRefusal, dashboardPath, grantAccess, type MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { type AccountAccess, grantAccount } from '@/lib/identity/accounts/access/grant-account';
import type { Environment } from '@/lib/platform/core/scope';
import type { Locale } from '@/lib/platform/i18n/locale';
import { readSessionCookie } from './auth';
import { cookieNames } from './cookie-names';
import { pageLocale } from './preferences';
import { type WebRuntime, webRuntime } from './web-runtime';

/** Returns the token of the session cookie. Only the database knows whether the session is still valid. */
export async function sessionToken(runtime: WebRuntime): Promise<string | null> {
  return readSessionCookie(runtime, (await cookies()).get(cookieNames(runtime.settings).session)?.value);
}

/** Returns the token that next-auth's own forms must send, or null before the first visit to the sign-in page. */
export async function csrfToken(runtime: WebRuntime): Promise<string | null> {
  return (await cookies()).get(cookieNames(runtime.settings).csrf)?.value.split('|')[0] || null;
}

/** The context of a dashboard page or action. */
export interface Visit {
  readonly runtime: WebRuntime;
  readonly access: MerchantAccess;
  readonly locale: Locale;
  /** The merchant and environment, which forms send as hidden fields. */
  readonly place: { readonly merchant: string; readonly environment: Environment };
  /** Returns the URL of a page of this merchant and environment. */
  readonly path: (page: string) => string;
}

async function visitOf(runtime: WebRuntime, access: MerchantAccess): Promise<Visit> {
  const place = { merchant: access.merchant.slug, environment: access.scope.environment };
  const path = (page: string) => dashboardPath({ slug: place.merchant, environment: place.environment, page });
  return { runtime, access, locale: await pageLocale(), place, path };
}

// Cached while one page is rendered, because its title and its content need the same access.
const accessTo = cache(async (merchant: string, environment: string) => {
  const runtime = webRuntime();
  const address = runtime.addressOf(await headers());
  return grantAccess(runtime, { token: await sessionToken(runtime), merchant, environment, address });
});

/** Returns the visit for a page title, or null without access. It never redirects. */
export async function findVisit({ merchant, environment }: { merchant: string; environment: string }): Promise<Visit | null> {
  const access = await accessTo(merchant, environment);
  return access.ok ? visitOf(webRuntime(), access.value) : null;
}

/**
 * Checks access to a merchant's page. Without a session it redirects to the sign-in page, and without a membership it shows the page "not
 * found".
 * @param page the path below the environment, to return to after signing in.
 * @param options.sent whether a form was sent. The redirect loses the form, and the sign-in page says so.
 */
export async function openVisit(
  { merchant, environment }: { merchant: string; environment: string },
  page: string,
  { sent = false }: { readonly sent?: boolean } = {},
): Promise<Visit> {
  const access = await accessTo(merchant, environment);
  if (access.ok) return visitOf(webRuntime(), access.value);
  if (access.error === 'not_found') {
    const runtime = webRuntime();
    await recordStranger(runtime, await sessionToken(runtime), `/m/${merchant}/${environment}/${page}`);
    notFound();
  }
  redirect(signInPath(`/m/${encodeURIComponent(merchant)}/${encodeURIComponent(environment)}/${page}`, sent));
}

/** Whether the page answers a form that was sent without JavaScript. Such an answer does not know what the reader had unfolded. */
export async function answersPlainForm(): Promise<boolean> {
  const sent = await headers();
  // Next.js passes the headers of an action that a script has sent on to the page to which it redirects.
  return (sent.get('accept') ?? '').includes('text/html') && (sent.get('content-type') ?? '').startsWith('multipart/form-data');
}

/**
 * Checks access for a data request of a page's component. Returns the visit, or the answer: 401 without a session, 404 without a
 * membership. A request in the background, for example a poll, does not count as activity of the session.
 */
async function openData(place: Pick<PathParameters, 'merchant' | 'environment'>, background: boolean): Promise<Visit | Response> {
  const runtime = webRuntime();
  const token = await sessionToken(runtime);
  const sent = await headers();
  const access = await grantAccess(runtime, { token, ...place, address: runtime.addressOf(sent), background });
  if (access.ok) return visitOf(runtime, withRefusalLog(runtime, access.value, sent));
  if (access.error === 'not_found') await recordStranger(runtime, token, `/m/${place.merchant}/${place.environment}`);
  return Response.json(null, { status: access.error === 'not_found' ? 404 : 401 });
}

type PathParameters<Name extends string = never> = Record<'merchant' | 'environment' | Name, string>;
type DataRoute<Name extends string> = (request: Request, context: { readonly params: Promise<PathParameters<Name>> }) => Promise<Response>;

/**
 * Returns a route handler for a data request of a page's component. `answer` is called only for members of the merchant in the path. Browsers
 * do not store its response, unless the response says something else.
 */
export function dataRoute<Name extends string = never>(
  answer: (visit: Visit, request: Request, parameters: PathParameters<Name>) => Response | Promise<Response>,
  { background = true }: { readonly background?: boolean } = {},
): DataRoute<Name> {
  return async (request, { params }) => {
    const parameters = await params;
    const { merchant, environment } = parameters;
    const visit = await openData({ merchant, environment }, background);
    const response = visit instanceof Response ? visit : await answer(visit, request, parameters);
    if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'no-store');
    return response;
  };
}

/** Like dataRoute, for a request that changes something. The request must come from one of our own pages. */
export function sentDataRoute(answer: (visit: Visit, request: Request) => Promise<Response>): DataRoute<never> {
  const handle = dataRoute(answer, { background: false });
  return async (request, context) => (isSameOrigin(request.headers) ? handle(request, context) : new Response(null, { status: 404 }));
}

/** The context of a page or action of a person's own account. */
interface AccountVisit {
  readonly runtime: WebRuntime;
  readonly account: AccountAccess;
  readonly locale: Locale;
}

function signInPath(callbackUrl: string, sent: boolean): string {
  return `/sign-in?${new URLSearchParams({ callbackUrl, ...(sent && { error: 'Expired' }) })}`;
}

/** Checks access to the account pages, or redirects to the sign-in page. @param page the path to return to after signing in. */
export async function openAccount(page: `/account${string}`, { sent = false }: { readonly sent?: boolean } = {}): Promise<AccountVisit> {
  const runtime = webRuntime();
  const account = await grantAccount(runtime, await sessionToken(runtime), runtime.addressOf(await headers()));
  if (account) return { runtime, account, locale: await pageLocale() };
  redirect(signInPath(page, sent));
}

/** Returns the headers of a request from one of our own pages. Answers other requests with the page "not found", and records them. */
export async function ownHeaders(): Promise<Headers> {
  const sent = await headers();
  if (isSameOrigin(sent)) return sent;
  refuseForeignForm(webRuntime(), sent);
  notFound();
}

/** Records that a signed-in person opened a page of a merchant that does not exist, or of which the person is no member. */
async function recordStranger(runtime: WebRuntime, token: string | null, what: string): Promise<void> {
  const account = await grantAccount(runtime, token);
  if (!account) return;
  const { sessionId, user } = account;
  const who = { sessionId, userId: user.id, email: user.email };
  runtime.recordRefusal({ reason: 'stranger', what, who, scope: null, ...requestSource(runtime, await headers()) });
}

const REASONS: Readonly<Record<AccessRefusal, Refusal['reason']>> = { not_allowed: 'role', second_factor_due: 'second_factor' };

/** Returns a copy of the access that records refusals. Use it for requested actions, not for pages that only check a permission. */
export function withRefusalLog(runtime: WebRuntime, access: MerchantAccess, sent: Headers): MerchantAccess {
  const { sessionId, user, scope } = access;
  const who = { sessionId, userId: user.id, email: user.email };
  const from = requestSource(runtime, sent);
  return { ...access, refused: (what, why) => runtime.recordRefusal({ reason: REASONS[why], what, who, scope, ...from }) };
}

function requestSource({ addressOf }: WebRuntime, sent: Headers): Pick<Refusal, 'address' | 'requestId'> {
  return { address: addressOf(sent), requestId: sent.get('x-request-id') };
}
