import { cookies, headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { cache } from 'react';
import { dashboardPath, grantAccess, type MerchantAccess } from '@/lib/accounts/access/grant-access';
import { type AccountAccess, grantAccount } from '@/lib/accounts/access/grant-account';
import type { Environment } from '@/lib/core/scope';
import { cookiesOf } from '@/lib/http/cookies';
import type { Locale } from '@/lib/i18n/translator';
import { readSessionCookie } from './auth';
import { cookieNames } from './cookie-names';
import { deviceCookies } from './device-cookie';
import { pageLocale } from './preferences';
import { noteStranger, ownHeaders, traced } from './visit-notes';
import { type WebRuntime, webRuntime } from './web-runtime';

/** @returns the token in the request's session cookie; whether it still opens anything, only the database knows. */
export async function sessionToken(runtime: WebRuntime): Promise<string | null> {
  return readSessionCookie(runtime, (await cookies()).get(cookieNames(runtime.settings).session)?.value);
}

/** @returns the token that next-auth's own forms must send back, or null before the first visit to the sign-in page. */
export async function csrfToken(runtime: WebRuntime): Promise<string | null> {
  return (await cookies()).get(cookieNames(runtime.settings).csrf)?.value.split('|')[0] || null;
}

/** What a page or action of the dashboard works with. */
export interface Visit {
  readonly runtime: WebRuntime;
  readonly access: MerchantAccess;
  readonly locale: Locale;
  /** What a form sends along to say where it belongs. */
  readonly place: { readonly merchant: string; readonly environment: Environment };
  /** @returns the address of a page of this merchant and environment. */
  readonly path: (page: string) => string;
}

async function visitOf(runtime: WebRuntime, access: MerchantAccess): Promise<Visit> {
  const place = { merchant: access.merchant.slug, environment: access.scope.environment };
  const path = (page: string) => dashboardPath({ slug: place.merchant, environment: place.environment, page });
  return { runtime, access, locale: await pageLocale(), place, path };
}

// Remembered for as long as one page is rendered, and no longer: its title asks what the page asks.
const accessTo = cache(async (merchant: string, environment: string) => {
  const runtime = webRuntime();
  return grantAccess(runtime, { token: await sessionToken(runtime), merchant, environment });
});

/** For the title of a page, which leads nobody anywhere. @returns null for whoever is not let in. */
export async function peekVisit({ merchant, environment }: { merchant: string; environment: string }): Promise<Visit | null> {
  const access = await accessTo(merchant, environment);
  return access.ok ? visitOf(webRuntime(), access.value) : null;
}

/**
 * Lets a visitor in, or ends the request: to the sign-in page without a session, as not found without a membership.
 * @param page the address below the environment, to come back to after signing in.
 * @param options.sent whether something was sent, which is lost then: the sign-in page says why.
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
    await noteStranger(runtime, await sessionToken(runtime), `/m/${merchant}/${environment}/${page}`);
    notFound();
  }
  redirect(signInPath(`/m/${encodeURIComponent(merchant)}/${encodeURIComponent(environment)}/${page}`, sent));
}

/** Lets an action in: as a page, and only when one of our own pages sent it. The form names the merchant and environment. */
export async function openAction(form: FormData, page: string): Promise<Visit & { readonly address: string | null }> {
  const sent = await ownHeaders();
  const visit = await openVisit({ merchant: formText(form, 'merchant'), environment: formText(form, 'environment') }, page, { sent: true });
  return { ...visit, access: traced(visit.runtime, visit.access, sent), address: visit.runtime.addressOf(sent) };
}

/**
 * Lets in a request for data that a page's component makes, which does not count as use of the session. @returns what to work with, or
 * the answer that ends it: 401 without a session, 404 without a membership.
 */
export async function openData(place: { merchant: string; environment: string }): Promise<Visit | Response> {
  const runtime = webRuntime();
  const token = await sessionToken(runtime);
  const access = await grantAccess(runtime, { token, ...place, background: true });
  if (access.ok) return visitOf(runtime, traced(runtime, access.value, await headers()));
  if (access.error === 'not_found') await noteStranger(runtime, token, `/m/${place.merchant}/${place.environment}`);
  return Response.json(null, { status: access.error === 'not_found' ? 404 : 401, headers: { 'cache-control': 'no-store' } });
}

/** What a page or action of one's own account works with. */
interface AccountVisit {
  readonly runtime: WebRuntime;
  readonly account: AccountAccess;
  readonly locale: Locale;
}

function signInPath(callbackUrl: string, sent: boolean): string {
  return `/sign-in?${new URLSearchParams({ callbackUrl, ...(sent && { error: 'Expired' }) })}`;
}

/** Lets a visitor in to their own account, or sends them to the sign-in page. @param page its address, to come back to. */
export async function openAccount(page: `/account${string}`, { sent = false }: { readonly sent?: boolean } = {}): Promise<AccountVisit> {
  const runtime = webRuntime();
  const account = await grantAccount(runtime, await sessionToken(runtime));
  if (account) return { runtime, account, locale: await pageLocale() };
  redirect(signInPath(page, sent));
}

/** Lets an action on one's own account in: as a page, and only when one of our own pages sent it. */
export async function openAccountAction(page: `/account${string}`): Promise<AccountVisit & { readonly address: string | null }> {
  const sent = await ownHeaders();
  const visit = await openAccount(page, { sent: true });
  return { ...visit, address: visit.runtime.addressOf(sent) };
}

/** What an action of somebody who is not signed in works with. */
interface GuestVisit {
  readonly runtime: WebRuntime;
  readonly locale: Locale;
  readonly address: string | null;
  readonly userAgent: string | null;
  /** The request's device cookies. */
  readonly devices: readonly string[];
}

/** Lets in an action that needs no session, only when one of our own pages sent it. */
export async function openGuestAction(): Promise<GuestVisit> {
  const sent = await ownHeaders();
  const runtime = webRuntime();
  return {
    runtime,
    locale: await pageLocale(),
    address: runtime.addressOf(sent),
    userAgent: sent.get('user-agent'),
    devices: deviceCookies(runtime.settings, cookiesOf(sent)),
  };
}

/** @returns a text field of a form, empty when it is missing. */
export function formText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
