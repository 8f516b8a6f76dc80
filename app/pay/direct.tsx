import type { FormProblem, FormValues, Problem } from '@/components/pay/form-problem';
import { PayNotice } from '@/components/pay/notice-page';
import { htmlResponse } from '@/components/pay/render';
import { readBody, readFields } from '@/lib/entry/http/body';
import { catchErrors, ERRORS, failureResponse } from '@/lib/entry/http/errors';
import { chosenLanguage, readDevice, rememberLanguage, writeDevice } from '@/lib/entry/http/pay-device';
import { refuseForeignForm } from '@/lib/entry/http/refusals';
import { queryOf, requestId } from '@/lib/entry/http/request-facts';
import { isForeignForm } from '@/lib/entry/http/same-origin';
import { withinLimits } from '@/lib/entry/http/within-limits';
import { webRuntime } from '@/lib/entry/server/web-runtime';
import type { RequestedAmount } from '@/lib/gateway/prompts/decide-prompt';
import { type RequestPromptResult, readFormId, requestPrompt } from '@/lib/gateway/prompts/request-prompt';
import { reach } from '@/lib/platform/config/fail-point';
import { baseUrl } from '@/lib/platform/config/settings';
import type { Failure } from '@/lib/platform/core/failure';
import { findUuid, isUuid } from '@/lib/platform/core/ids';
import { mobileProblem, readMobile } from '@/lib/platform/core/mobile';
import { readShillings } from '@/lib/platform/core/money';
import { isOperatedNetwork } from '@/lib/platform/core/network';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import { chooseLocale } from '@/lib/platform/i18n/locale';
import { fieldMobile, findPage, otherLanguage, show, showPage, submitStop } from './show';
import type { Visit } from './visit';
import { askWays } from './ways';

const FORM_MAX_BYTES = 16 * 1024;
/** Values that are shown again are cut to this length. */
const SHOWN_MAX_LENGTH = 40;

export async function pay(request: Request): Promise<Response> {
  const id = requestId(request.headers);
  const runtime = webRuntime();
  const environment = runtime.environmentOf(request.headers);
  if (!environment) return failureResponse({ code: 'base_address_unknown' }, id);
  const device = readDevice(runtime, environment, request.headers);
  const visit = { runtime, environment, id, device, headers: request.headers };
  const query = withBillId(queryOf(request.url));
  const address = runtime.addressOf(request.headers);
  const answer = await catchErrors(runtime, id, async (): Promise<Result<Response, Failure>> => {
    const busy = (seconds: number) => tooBusy(withLocale(visit, query), seconds);
    if (request.method === 'GET' || request.method === 'HEAD')
      return ok(await withinLimits(runtime.limits, address, { show: () => show(withLocale(visit, query), null), busy }));
    if (request.method !== 'POST')
      return fail({ code: 'method_not_allowed', detail: request.method, headers: { allow: 'GET, HEAD, POST' } });
    const verdict = runtime.limits.takeForm(address);
    if (!verdict.allowed) return ok(await busy(verdict.retrySeconds));
    const body = await readBody(request, FORM_MAX_BYTES);
    if (!body.ok) return fail({ code: body.error });
    const fields = await readFields(body.value, request.headers.get('content-type'));
    if (!fields) return fail({ code: 'form_type_unsupported' });
    const form = withLocale(visit, withBillId(fields));
    if (isForeignForm(request.headers)) {
      refuseForeignForm(runtime, request.headers);
      return ok(await showRefusal(form));
    }
    return ok(await answerForm(form, address));
  });
  if (answer.ok) {
    if (request.method === 'GET')
      rememberLanguage(answer.value, { query, headers: request.headers, base: baseUrl(runtime.settings, environment) });
    return answer.value;
  }
  const { status } = ERRORS[answer.error.code];
  if (status < 500) return failureResponse(answer.error, id);
  const { locale } = withLocale(visit, query);
  return htmlResponse(<PayNotice locale={locale} kind="error" otherLanguage={otherLanguage(query, locale)} />, status, id);
}

/** Answers the form that the field `show` names: a request to block a number, a request for other ways to pay, or a payment request. */
async function answerForm(form: Visit, address: string | null): Promise<Response> {
  const kind = form.query.get('show');
  if (kind === 'stop') return submitStop(form, address);
  if (kind !== 'ways') return submit(form);
  const page = await findPage(form);
  return page ? askWays(form, page) : show(form, null);
}

/** Requests a prompt and redirects to the bill's page, or shows the form again with the problem. */
async function submit(visit: Visit): Promise<Response> {
  const { runtime, environment, query, locale } = visit;
  const billId = (query.get('bill') ?? '').toLowerCase();
  const values = sentValues(query);
  const number = query.get('mobile') ?? '';
  const mobile = readMobile(number);
  if (mobile === null) {
    const problem = number.length > values.mobile.length ? ({ kind: 'tooManyBytes' } as const) : mobileProblem(number);
    return show(visit, { values, problem: { field: 'mobile', ...problem } });
  }
  const withProblem = (problem: Problem): FormProblem => ({ values: { ...values, mobile: fieldMobile(mobile) }, problem });
  const network = query.get('network') ?? '';
  if (network !== '' && !isOperatedNetwork(network)) return show(visit, withProblem({ field: 'network', kind: 'networkInvalid' }));
  const result = await requestPrompt(runtime, {
    environment,
    billId,
    mobile,
    chosenNetwork: values.chosen,
    amount: readAmount(query.get('amount')),
    formId: readFormId(query.get('form')),
  });
  if (result.kind === 'not_found') return show(visit, null);
  reach('push.committed');
  runtime.log.info({ requestId: visit.id, billId, chosen: values.chosen, asked: result.kind }, 'prompt requested from the payment page');
  const problem = problemOf(result);
  if (problem) {
    // If the bill can no longer be paid, the page has no form in which to show the problem. The redirect then leads to the page that
    // explains the state of the bill.
    const page = await findPage(visit);
    if (page?.form) return showPage(visit, page, withProblem(problem));
  }
  const attemptId = 'attemptId' in result ? result.attemptId : null;
  const headers = new Headers({
    location: `/pay?bill=${billId}&lang=${locale}`,
    'cache-control': 'no-store',
    'x-request-id': visit.id,
  });
  for (const cookie of writeDevice(runtime, environment, { attemptId, mobile: values.remember ? mobile : null }))
    headers.append('set-cookie', cookie);
  return new Response(null, { status: 303, headers });
}

/** Returns the values of a submitted form, to show them again. */
function sentValues(form: URLSearchParams): FormValues {
  const network = form.get('network') ?? '';
  return {
    mobile: (form.get('mobile') ?? '').slice(0, SHOWN_MAX_LENGTH),
    amount: form.get('amount')?.slice(0, SHOWN_MAX_LENGTH) ?? null,
    chosen: isOperatedNetwork(network) ? network : null,
    remember: form.has('remember'),
  };
}

/** Returns the amount of the form; null if the form had no amount field, and `unreadable` if its text is no amount. */
function readAmount(text: string | null): RequestedAmount {
  return text === null ? null : (readShillings(text) ?? 'unreadable');
}

/** Returns the problem to show in the form, or null if the page itself shows the result. */
function problemOf(result: RequestPromptResult): Problem | null {
  switch (result.kind) {
    case 'amount_wrong':
      return { field: 'amount', kind: result.problem };
    case 'above_wallet':
      return { field: 'amount', kind: 'amountAboveWallet', network: result.network };
    case 'refused':
      return { field: 'mobile', kind: 'numberRefused' };
    case 'too_many':
      return { field: 'mobile', kind: 'tooMany', limit: result.limit, until: result.until };
    case 'not_served':
      return { field: 'network', kind: 'notServed', network: result.network };
    default:
      return null;
  }
}

/** Ignores a form that another site submitted. The customer can open our own page, and submit our own form there. */
function showRefusal({ id, query, locale }: Visit): Promise<Response> {
  const bill = query.get('bill') ?? '';
  const again = isUuid(bill) ? `/pay?bill=${bill}&lang=${locale}` : undefined;
  const page = <PayNotice locale={locale} kind="foreignForm" otherLanguage={otherLanguage(query, locale)} again={again} />;
  return htmlResponse(page, 403, id);
}

/** Replaces the parameter `bill` by the id in it. Chat programs append to a link the character that follows it. */
function withBillId(query: URLSearchParams): URLSearchParams {
  const id = findUuid(query.get('bill') ?? '');
  if (id !== null) query.set('bill', id);
  return query;
}

/** A visit whose query or form has not been read yet, so its language is not known. */
type Arrival = Omit<Visit, 'query' | 'locale' | 'chosen'> & { readonly headers: Headers };

function withLocale({ headers, ...visit }: Arrival, query: URLSearchParams): Visit {
  const chosen = chosenLanguage(query, headers, baseUrl(visit.runtime.settings, visit.environment));
  return { ...visit, query, chosen, locale: chooseLocale(chosen, headers.get('accept-language')) };
}

async function tooBusy({ id, query, locale }: Visit, waitSeconds: number): Promise<Response> {
  const page = <PayNotice locale={locale} kind="tooBusy" otherLanguage={otherLanguage(query, locale)} />;
  const response = await htmlResponse(page, 429, id);
  response.headers.set('retry-after', String(waitSeconds));
  return response;
}
