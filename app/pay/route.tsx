import { brandStyle } from '@/components/pay/brand';
import type { FormProblem } from '@/components/pay/pay-form';
import { PayDocument, PayNotice } from '@/components/pay/pay-page';
import { ReceiptDocument } from '@/components/pay/receipt-page';
import { htmlResponse } from '@/components/pay/render';
import { ShareDocument } from '@/components/pay/share';
import { webPayUrl } from '@/lib/bills/schema';
import { reach } from '@/lib/config/fail-point';
import type { Environment } from '@/lib/config/runtime';
import { baseUrl } from '@/lib/config/settings';
import type { Failure } from '@/lib/core/failure';
import { parseMobile } from '@/lib/core/mobile';
import { isOperatedNetwork } from '@/lib/core/network';
import { fail, ok, type Result } from '@/lib/core/result';
import { attempt, everyMethod } from '@/lib/http/api';
import { readBody } from '@/lib/http/body';
import { ERRORS, failureResponse } from '@/lib/http/errors';
import { requestId } from '@/lib/http/request-facts';
import { chooseLocale, type Locale } from '@/lib/i18n/translator';
import { requestPush } from '@/lib/payments/request-push';
import { showPayPage } from '@/lib/payments/show-pay-page';
import { showReceipt } from '@/lib/receipts/show-receipt';
import { type WebRuntime, webRuntime } from '@/lib/server/web-runtime';
import { showStop, submitStop } from './stop';

const FORM_MAX_BYTES = 16 * 1024;

interface Visit {
  readonly runtime: WebRuntime;
  readonly environment: Environment;
  readonly id: string;
  readonly query: URLSearchParams;
  readonly locale: Locale;
}

async function handle(request: Request): Promise<Response> {
  const id = requestId(request.headers);
  const runtime = webRuntime();
  const environment = runtime.environmentOf(request.headers);
  if (!environment) return failureResponse({ code: 'base_address_unknown' }, id);
  const visit = { runtime, environment, id, acceptLanguage: request.headers.get('accept-language') };
  const query = new URL(request.url).searchParams;
  const answer = await attempt(runtime, id, async (): Promise<Result<Response, Failure>> => {
    if (request.method === 'GET' || request.method === 'HEAD') return ok(await show(localized(visit, query), null));
    if (request.method !== 'POST')
      return fail({ code: 'method_not_allowed', detail: request.method, headers: { allow: 'GET, HEAD, POST' } });
    const address = runtime.addressOf(request.headers);
    const waitSeconds = runtime.formCeiling(address);
    if (waitSeconds !== null) return ok(await turnBack(localized(visit, query), waitSeconds));
    const body = await readBody(request, FORM_MAX_BYTES);
    if (!body.ok) return fail({ code: body.error });
    const form = localized(visit, new URLSearchParams(new TextDecoder().decode(body.value)));
    return ok(form.query.get('show') === 'stop' ? await submitStop(form, address) : await submit(form));
  });
  if (answer.ok) return answer.value;
  const { status } = ERRORS[answer.error.code];
  if (status < 500) return failureResponse(answer.error, id);
  const { locale } = localized(visit, query);
  return htmlResponse(<PayNotice locale={locale} kind="error" otherLanguage={otherLanguage(query, locale)} />, status, id);
}

function localized(
  { acceptLanguage, ...visit }: Omit<Visit, 'query' | 'locale'> & { acceptLanguage: string | null },
  query: URLSearchParams,
): Visit {
  return { ...visit, query, locale: chooseLocale(query.get('lang'), acceptLanguage) };
}

async function show(visit: Visit, form: FormProblem | null): Promise<Response> {
  const { runtime, environment, id, query, locale } = visit;
  if (form === null && query.get('show') === 'stop') return showStop(visit);
  const page = await showPayPage(runtime, environment, query.get('bill') ?? '');
  if (!page) return htmlResponse(<PayNotice locale={locale} kind="notFound" otherLanguage={otherLanguage(query, locale)} />, 404, id);
  if (query.get('part') === 'version') {
    return new Response(page.version, {
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', 'x-request-id': id },
    });
  }
  const style = brandStyle(page.bill);
  const link = webPayUrl(baseUrl(runtime.settings, environment), page.bill.id);
  if (query.get('show') === 'qr') return htmlResponse(<ShareDocument page={page} webPayUrl={link} locale={locale} />, 200, id, style);
  const receipt = await showReceipt(runtime, page.bill);
  if (receipt && query.get('show') === 'receipt')
    return htmlResponse(<ReceiptDocument bill={page.bill} receipt={receipt} webPayUrl={link} locale={locale} />, 200, id, style);
  return htmlResponse(
    <PayDocument page={page} receipt={receipt} locale={locale} form={form} refresh={query.get('refresh') !== 'off'} />,
    form ? 422 : 200,
    id,
    style,
  );
}

async function submit(visit: Visit): Promise<Response> {
  const { runtime, environment, query, locale } = visit;
  const typed = query.get('mobile') ?? '';
  const mobile = parseMobile(typed.trim());
  const network = query.get('network') ?? '';
  const chosen = isOperatedNetwork(network) ? network : null;
  const page = await showPayPage(runtime, environment, query.get('bill') ?? '');
  if (!page || mobile === null)
    return show(visit, { typed: typed.slice(0, 40), chosen, problem: typed.length > 40 ? 'tooManyBytes' : 'mobileInvalid' });
  if (network !== '' && chosen === null) return show(visit, { typed, chosen, problem: 'networkInvalid' });
  if (page.state.kind === 'ready') {
    const seenAttemptId = query.get('after') || null;
    const asked = await requestPush(runtime, { billId: page.bill.id, mobile, chosenNetwork: chosen, seenAttemptId });
    reach('push.committed');
    runtime.log.info({ requestId: visit.id, billId: page.bill.id, chosen, asked: asked.kind }, 'push requested from the payment page');
    if (asked.kind === 'nothing_left' || asked.kind === 'more_than_left') return show(visit, { typed, chosen, problem: 'closedForOthers' });
    if (asked.kind === 'refused') return show(visit, { typed, chosen, problem: 'numberRefused' });
    if (asked.kind === 'too_many') return show(visit, { typed, chosen, problem: { tooMany: asked.limit, until: asked.until } });
    if (asked.kind === 'not_served') return show(visit, { typed, chosen, problem: { notServed: asked.network } });
  }
  // A repeated submit, or one for a bill that is paid or being paid, sees how things stand.
  return new Response(null, {
    status: 303,
    headers: { location: `/pay?bill=${page.bill.id}&lang=${locale}`, 'cache-control': 'no-store', 'x-request-id': visit.id },
  });
}

async function turnBack({ id, query, locale }: Visit, waitSeconds: number): Promise<Response> {
  const page = <PayNotice locale={locale} kind="tooBusy" otherLanguage={otherLanguage(query, locale)} />;
  const response = await htmlResponse(page, 429, id);
  response.headers.set('retry-after', String(waitSeconds));
  return response;
}

function otherLanguage(query: URLSearchParams, locale: Locale): string {
  return `/pay?bill=${encodeURIComponent(query.get('bill') ?? '')}&lang=${locale === 'sw' ? 'en' : 'sw'}`;
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(handle);
