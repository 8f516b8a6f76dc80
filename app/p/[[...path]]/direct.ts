import { notice, type PublicVisit, publicPage, tooBusy } from '@/app/public-page';
import { findLinkedBill } from '@/lib/gateway/bills/short-links';

/**
 * The query parameters that a short link may have. All others are dropped, so that a short link can lead to no other page than the bill's
 * own pages.
 */
const KEPT: Readonly<Record<string, RegExp>> = { show: /^(?:qr|receipt)$/, lang: /^(?:sw|en)$/ };

/** Redirects a short link, `/p/<code>`, to the page of its bill. */
async function show(visit: PublicVisit): Promise<Response> {
  const { runtime, environment, id, path, query, address } = visit;
  const verdict = runtime.limits.takeLink(address);
  if (!verdict.allowed) return tooBusy(visit, verdict.retrySeconds);
  const [, , code = '', ...more] = path.split('/');
  // A link may end with a slash, or with an escaped character of the sentence around it.
  const bill = more.some((part) => part !== '')
    ? undefined
    : await findLinkedBill(runtime, environment, code.replace(/%[\da-f]{2}/gi, '.'));
  if (bill === undefined) return notice(visit, 'notFound', 404);
  const kept = Object.entries(KEPT).filter(([name, values]) => values.test(query.get(name) ?? ''));
  const location = `/pay?${new URLSearchParams([['bill', bill], ...kept.map(([name]) => [name, query.get(name) ?? ''])])}`;
  return new Response(null, { status: 302, headers: { location, 'cache-control': 'no-store', 'x-request-id': id } });
}

export const shortLink = publicPage(show);
