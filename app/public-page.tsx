import { type NoticeKind, PayNotice } from '@/components/pay/notice-page';
import { htmlResponse } from '@/components/pay/render';
import { catchErrors, ERRORS, failureResponse, type RouteHandler } from '@/lib/entry/http/errors';
import { chosenLanguage, rememberLanguage } from '@/lib/entry/http/pay-device';
import { pathOf, queryOf, requestId } from '@/lib/entry/http/request-facts';
import { withinLimits } from '@/lib/entry/http/within-limits';
import { type WebRuntime, webRuntime } from '@/lib/entry/server/web-runtime';
import { baseUrl } from '@/lib/platform/config/settings';
import type { Failure } from '@/lib/platform/core/failure';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Environment } from '@/lib/platform/core/scope';
import { chooseLocale, type Locale } from '@/lib/platform/i18n/locale';

/** A request for a page that anybody may open. */
export interface PublicVisit {
  readonly runtime: WebRuntime;
  readonly environment: Environment;
  readonly id: string;
  readonly request: Request;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly locale: Locale;
  /** The client's address. */
  readonly address: string | null;
}

/**
 * Returns a handler for a public page: it limits requests, refuses other methods and shows failures as pages. @param options.forms whether
 * the page has forms that are sent with POST.
 */
export function publicPage(
  show: (visit: PublicVisit) => Promise<Response>,
  { forms = false }: { readonly forms?: boolean } = {},
): RouteHandler {
  return async (request) => {
    const id = requestId(request.headers);
    const runtime = webRuntime();
    const environment = runtime.environmentOf(request.headers);
    if (!environment) return failureResponse({ code: 'base_address_unknown' }, id);
    const query = queryOf(request.url);
    const base = baseUrl(runtime.settings, environment);
    const { headers } = request;
    const locale = chooseLocale(chosenLanguage(query, headers, base), headers.get('accept-language'));
    const address = runtime.addressOf(headers);
    const method = forms && request.method === 'POST' ? 'POST' : 'GET';
    const visit: PublicVisit = { runtime, environment, id, request, method, path: pathOf(request.url), query, headers, locale, address };
    const answer = await catchErrors(runtime, id, async (): Promise<Result<Response, Failure>> => {
      if (request.method !== 'GET' && request.method !== 'HEAD' && method !== 'POST')
        return fail({ code: 'method_not_allowed', detail: request.method, headers: { allow: forms ? 'GET, HEAD, POST' : 'GET, HEAD' } });
      const page = { show: () => show(visit), busy: (seconds: number) => tooBusy(visit, seconds) };
      return ok(await withinLimits(runtime.limits, address, page));
    });
    if (answer.ok) {
      rememberLanguage(answer.value, { query, headers, base });
      return answer.value;
    }
    const { status } = ERRORS[answer.error.code];
    return status < 500 ? failureResponse(answer.error, id) : notice(visit, 'error', status);
  };
}

/** Returns a page about a failure instead of the page that was asked for. */
export function notice({ runtime, id, path, locale }: PublicVisit, kind: NoticeKind, status: number): Promise<Response> {
  const otherLanguage = `${path}?lang=${locale === 'sw' ? 'en' : 'sw'}`;
  return htmlResponse(
    <PayNotice {...{ locale, kind, otherLanguage }} contact={runtime.settings.OPERATOR_CONTACT} again={path} />,
    status,
    id,
  );
}

export async function tooBusy(visit: PublicVisit, waitSeconds: number): Promise<Response> {
  const response = await notice(visit, 'tooBusy', 429);
  response.headers.set('retry-after', String(waitSeconds));
  return response;
}
