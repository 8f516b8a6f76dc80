import { brandStyle } from '@/components/pay/brand';
import type { FormProblem, Problem } from '@/components/pay/form-problem';
import { PayDocument, PayNotice } from '@/components/pay/pay-page';
import { ReceiptDocument } from '@/components/pay/receipt-page';
import { htmlResponse } from '@/components/pay/render';
import { ShareDocument } from '@/components/pay/share';
import { webPayUrl } from '@/lib/bills/schema';
import { reach } from '@/lib/config/fail-point';
import type { Environment } from '@/lib/config/runtime';
import { baseUrl } from '@/lib/config/settings';
import type { Failure } from '@/lib/core/failure';
import { readMobile } from '@/lib/core/mobile';
import { readShillings } from '@/lib/core/money';
import { isOperatedNetwork } from '@/lib/core/network';
import { fail, ok, type Result } from '@/lib/core/result';
import { attempt, everyMethod } from '@/lib/http/api';
import { readBody } from '@/lib/http/body';
import { ERRORS, failureResponse } from '@/lib/http/errors';
import { type PayDevice, readDevice, writeDevice } from '@/lib/http/pay-device';
import { queryOf, requestId } from '@/lib/http/request-facts';
import { chooseLocale, isLocale, type Locale } from '@/lib/i18n/translator';
import type { AskedAmount } from '@/lib/payments/choose-amount';
import { readFormId } from '@/lib/payments/form-id';
import { type PushRequest, requestPush } from '@/lib/payments/request-push';
import { showPayPage } from '@/lib/payments/show-pay-page';
import { showReceipt } from '@/lib/receipts/show-receipt';
import { type WebRuntime, webRuntime } from '@/lib/server/web-runtime';
import { fieldMobile, firstValues, sentValues } from './form-values';
import { showStop, submitStop } from './stop';

const FORM_MAX_BYTES = 16 * 1024;

interface Visit {
  readonly runtime: WebRuntime;
  readonly environment: Environment;
  readonly id: string;
  readonly query: URLSearchParams;
  readonly locale: Locale;
  readonly device: PayDevice;
}

async function handle(request: Request): Promise<Response> {
  const id = requestId(request.headers);
  const runtime = webRuntime();
  const environment = runtime.environmentOf(request.headers);
  if (!environment) return failureResponse({ code: 'base_address_unknown' }, id);
  const device = readDevice(runtime, environment, request.headers);
  const visit = { runtime, environment, id, device, acceptLanguage: request.headers.get('accept-language') };
  const query = queryOf(request.url);
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

async function show(visit: Visit, wrong: FormProblem | null): Promise<Response> {
  const { runtime, environment, id, query, device } = visit;
  if (wrong === null && query.get('show') === 'stop') return showStop(visit);
  const page = await showPayPage(runtime, environment, query.get('bill') ?? '', device.attemptId);
  if (!page) {
    const { locale } = visit;
    return htmlResponse(<PayNotice locale={locale} kind="notFound" otherLanguage={otherLanguage(query, locale)} />, 404, id);
  }
  // What the customer has chosen goes before what the merchant has, and that before the browser.
  const locale = isLocale(query.get('lang')) ? visit.locale : (page.bill.merchantLanguage ?? visit.locale);
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
  const values = wrong?.typed ?? firstValues(page, device);
  const refresh = query.get('refresh') !== 'off';
  return htmlResponse(
    <PayDocument page={page} receipt={receipt} locale={locale} values={values} wrong={wrong} refresh={refresh} now={runtime.clock()} />,
    wrong ? 422 : 200,
    id,
    style,
  );
}

async function submit(visit: Visit): Promise<Response> {
  const { runtime, environment, query, locale, device } = visit;
  const typed = sentValues(query);
  const sent = query.get('mobile') ?? '';
  const mobile = readMobile(sent);
  const page = await showPayPage(runtime, environment, query.get('bill') ?? '', device.attemptId);
  if (!page || mobile === null) {
    const kind = sent.length > typed.mobile.length ? 'tooManyBytes' : 'mobileInvalid';
    return show(visit, { typed, problem: { field: 'mobile', kind } });
  }
  const understood = { ...typed, mobile: fieldMobile(mobile) };
  const back = (problem: Problem) => show(visit, { typed: understood, problem });
  const network = query.get('network') ?? '';
  if (network !== '' && !isOperatedNetwork(network)) return back({ field: 'network', kind: 'networkInvalid' });
  const asked = await requestPush(runtime, {
    billId: page.bill.id,
    mobile,
    chosenNetwork: typed.chosen,
    amount: readAmount(query.get('amount')),
    formId: readFormId(query.get('form')),
  });
  reach('push.committed');
  runtime.log.info(
    { requestId: visit.id, billId: page.bill.id, chosen: typed.chosen, asked: asked.kind },
    'push requested from the payment page',
  );
  const problem = problemOf(asked);
  // Where there is no form to correct anything in, the page itself says how things stand.
  if (problem && page.form) return back(problem);
  const attemptId = 'attemptId' in asked ? asked.attemptId : null;
  const headers = new Headers({
    location: `/pay?bill=${page.bill.id}&lang=${locale}`,
    'cache-control': 'no-store',
    'x-request-id': visit.id,
  });
  for (const cookie of writeDevice(runtime, environment, { attemptId, mobile: typed.remember ? mobile : null }))
    headers.append('set-cookie', cookie);
  return new Response(null, { status: 303, headers });
}

/** @param typed null where the form had no field for it. */
function readAmount(typed: string | null): AskedAmount {
  return typed === null ? null : (readShillings(typed) ?? 'unreadable');
}

/** @returns what the form has to say when no phone rings; null where the page itself says what came of it. */
function problemOf(asked: PushRequest): Problem | null {
  switch (asked.kind) {
    case 'amount_wrong':
      return { field: 'amount', kind: asked.problem };
    case 'above_wallet':
      return { field: 'amount', kind: 'amountAboveWallet', network: asked.network };
    case 'refused':
      return { field: 'mobile', kind: 'numberRefused' };
    case 'too_many':
      return { field: 'mobile', kind: 'tooMany', limit: asked.limit, until: asked.until };
    case 'not_served':
      return { field: 'network', kind: 'notServed', network: asked.network };
    default:
      return null;
  }
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
