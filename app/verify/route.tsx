import { PayNotice } from '@/components/pay/pay-shell';
import { type Checked, VerifyDocument } from '@/components/pay/receipt/verify-page';
import { htmlResponse } from '@/components/pay/render';
import type { Failure } from '@/lib/core/failure';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Environment } from '@/lib/core/scope';
import { ERRORS, failureResponse } from '@/lib/http/errors';
import { queryOf, requestId } from '@/lib/http/request-facts';
import { catchErrors, everyMethod } from '@/lib/http/route-module';
import { withinLimits } from '@/lib/http/within-limits';
import { chooseLocale } from '@/lib/i18n/translator';
import { verifyReceipt } from '@/lib/receipts/verify-receipt';
import { type WebRuntime, webRuntime } from '@/lib/server/web-runtime';

/** No code is longer, even with spaces in it. */
const TYPED_MAX = 40;
const STATUSES = { genuine: 200, unknown: 404, malformed: 422, busy: 429 } as const;

async function handle(request: Request): Promise<Response> {
  const id = requestId(request.headers);
  const runtime = webRuntime();
  const environment = runtime.environmentOf(request.headers);
  if (!environment) return failureResponse({ code: 'base_address_unknown' }, id);
  const query = queryOf(request.url);
  const locale = chooseLocale(query.get('lang'), request.headers.get('accept-language'));
  const typed = (query.get('code') ?? '').trim();
  const address = runtime.addressOf(request.headers);
  const notice = (kind: 'error' | 'tooBusy', status: number) => {
    const otherLanguage = `/verify?lang=${locale === 'sw' ? 'en' : 'sw'}`;
    return htmlResponse(<PayNotice locale={locale} kind={kind} otherLanguage={otherLanguage} />, status, id);
  };
  const show = async () => {
    const checked = typed === '' ? null : await check(runtime, environment, typed, address);
    if (checked) runtime.log.info({ requestId: id, environment, checked: checked.kind }, 'receipt checked');
    const page = <VerifyDocument checked={checked} typed={typed.slice(0, TYPED_MAX)} now={runtime.clock()} locale={locale} />;
    const response = await htmlResponse(page, checked ? STATUSES[checked.kind] : 200, id);
    if (checked?.kind === 'busy') response.headers.set('retry-after', '60');
    return response;
  };
  const busy = async (seconds: number) => {
    const response = await notice('tooBusy', 429);
    response.headers.set('retry-after', String(seconds));
    return response;
  };
  const answer = await catchErrors(runtime, id, async (): Promise<Result<Response, Failure>> => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return fail({ code: 'method_not_allowed', detail: request.method, headers: { allow: 'GET, HEAD' } });
    return ok(await withinLimits(runtime.limits, address, { show, busy }));
  });
  if (answer.ok) return answer.value;
  const { status } = ERRORS[answer.error.code];
  return status < 500 ? failureResponse(answer.error, id) : notice('error', status);
}

async function check(runtime: WebRuntime, environment: Environment, typed: string, address: string | null): Promise<Checked> {
  if (!runtime.limits.takeCheck(address).allowed) return { kind: 'busy' };
  return typed.length > TYPED_MAX ? { kind: 'malformed' } : verifyReceipt(runtime, environment, typed);
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(handle);
