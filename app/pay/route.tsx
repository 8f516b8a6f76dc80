import { PayNotice } from '@/components/pay/notice-page';
import { htmlResponse } from '@/components/pay/render';
import { baseUrl } from '@/lib/config/settings';
import type { Failure } from '@/lib/core/failure';
import { findUuid, isUuid } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import { readBody } from '@/lib/http/body';
import { ERRORS, failureResponse } from '@/lib/http/errors';
import { readDevice } from '@/lib/http/pay-device';
import { chosenLanguage, rememberLanguage } from '@/lib/http/pay-language';
import { readFields } from '@/lib/http/read-form';
import { queryOf, requestId } from '@/lib/http/request-facts';
import { catchErrors, everyMethod } from '@/lib/http/route-module';
import { isForeignForm } from '@/lib/http/same-origin';
import { withinLimits } from '@/lib/http/within-limits';
import { chooseLocale } from '@/lib/i18n/locale';
import { refuseForeignForm } from '@/lib/server/refusals';
import { webRuntime } from '@/lib/server/web-runtime';
import { otherLanguage, show, type Visit } from './show';
import { submitStop } from './stop';
import { submit } from './submit';

const FORM_MAX_BYTES = 16 * 1024;

async function handle(request: Request): Promise<Response> {
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
    return ok(form.query.get('show') === 'stop' ? await submitStop(form, address) : await submit(form));
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

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(handle);
