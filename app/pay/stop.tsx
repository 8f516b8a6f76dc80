import { htmlResponse } from '@/components/pay/render';
import { StopPage } from '@/components/pay/stop-page';
import { findBillByLink } from '@/lib/bills/linked-bill';
import { clientNetwork } from '@/lib/core/client-network';
import { isUuid } from '@/lib/core/ids';
import { mobileProblem, readMobile } from '@/lib/core/mobile';
import { visibleLine } from '@/lib/core/text';
import { requestRefusal } from '@/lib/refusals/request-refusal';
import { REASON_MAX } from '@/lib/refusals/rules';
import type { Visit } from './show';

/** Shows the form that blocks payment requests to a number. */
export async function showStop({ id, query, locale }: Visit): Promise<Response> {
  return htmlResponse(<StopPage locale={locale} billId={billOf(query)} typed={null} answer={null} />, 200, id);
}

/** Stores a request to block a number. Sending the same form again shows the same answer. */
export async function submitStop({ runtime, environment, id, query, locale }: Visit, address: string | null): Promise<Response> {
  const typed = query.get('mobile') ?? '';
  const reason = asText(query.get('reason') ?? '');
  const mobile = readMobile(typed);
  const billId = billOf(query);
  if (mobile === null) {
    const filled = { mobile: typed.slice(0, 40), reason, problem: mobileProblem(typed) };
    return htmlResponse(<StopPage locale={locale} billId={billId} typed={filled} answer={null} />, 422, id);
  }
  const request = await requestRefusal(runtime, { environment, mobile, reason: reason || null, holder: clientNetwork(address) });
  runtime.log.info({ requestId: id, request: request.kind }, 'request to block a number received');
  const status = request.kind === 'too_many' ? 429 : 200;
  const contact = runtime.settings.OPERATOR_CONTACT ?? null;
  const bill = billId !== null && contact === null ? await findBillByLink(runtime.db, environment, billId) : undefined;
  const answer = { request, mobile, contact, shopNumber: bill?.supportNumber ?? null };
  return htmlResponse(<StopPage locale={locale} billId={billId} typed={null} answer={answer} />, status, id);
}

/** Returns the id of the bill to whose page the visitor can return; null if the query contains no valid bill id. */
function billOf(query: URLSearchParams): string | null {
  const bill = query.get('bill') ?? '';
  return isUuid(bill) ? bill : null;
}

/** Replaces control characters: PostgreSQL cannot store NUL, and the operator reads this text in a terminal. */
function asText(written: string): string {
  return visibleLine(written).slice(0, REASON_MAX);
}
