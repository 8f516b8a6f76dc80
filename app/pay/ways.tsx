import { brandStyle } from '@/components/pay/brand';
import { htmlResponse } from '@/components/pay/render';
import { WAYS_STYLE, WaysPage, waysAddress } from '@/components/pay/ways-page';
import { type AskInstrumentsRefusal, askInstruments } from '@/lib/gateway/instruments/ask-instruments';
import { customerNetwork, type PayWays, showPayWays } from '@/lib/gateway/payment-page/pay-ways';
import type { PayPage } from '@/lib/gateway/payment-page/show-pay-page';
import { localeOf, type Visit } from './visit';

/** The status of the page for each refused request. */
const REFUSED = { not_offered: 422, too_many: 429 } as const;

/** Asks for the instruments of a bill and redirects to the page that shows them, or shows there why none are issued. */
export async function askWays(visit: Visit, page: PayPage): Promise<Response> {
  const { runtime, id } = visit;
  const asked = await askInstruments(runtime, page.bill.id, 'customer');
  runtime.log.info({ requestId: id, billId: page.bill.id, refused: asked.ok ? null : asked.error }, 'payment instruments requested');
  if (!asked.ok && asked.error !== 'not_payable') return showWays(visit, page, await showPayWays(runtime, page.bill), asked.error);
  // If the bill cannot be paid any more, its page says why.
  const location = waysAddress(page.bill.id, visit.locale);
  return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store', 'x-request-id': id } });
}

/** Shows how a bill can be paid without a prompt. */
export async function showWays(
  visit: Visit,
  page: PayPage,
  ways: PayWays,
  refusal: Exclude<AskInstrumentsRefusal, 'not_payable'> | null = null,
): Promise<Response> {
  const { runtime, id, query } = visit;
  const network = await customerNetwork(runtime, page, visit.device.mobile);
  const refresh = query.get('refresh') !== 'off' && refusal === null;
  const shown = { page, ways, network, refusal, refresh, locale: localeOf(visit, page), now: runtime.clock() };
  return htmlResponse(<WaysPage {...shown} />, refusal ? REFUSED[refusal] : 200, id, { style: WAYS_STYLE, brand: brandStyle(page.bill) });
}
