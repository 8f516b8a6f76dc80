import type { Problem } from '@/components/pay/form-problem';
import { reach } from '@/lib/config/fail-point';
import { readMobile } from '@/lib/core/mobile';
import { readShillings } from '@/lib/core/money';
import { isOperatedNetwork } from '@/lib/core/network';
import { writeDevice } from '@/lib/http/pay-device';
import { readFormId } from '@/lib/payments/page/form-id';
import { showPayPage } from '@/lib/payments/page/show-pay-page';
import type { AskedAmount } from '@/lib/payments/prompts/choose-amount';
import { type PromptRequest, requestPush } from '@/lib/payments/prompts/request-push';
import { fieldMobile, sentValues } from './form-values';
import { show, type Visit } from './show';

/** Takes the form: asks for the prompt and leads back to the page, or shows it with what is wrong. */
export async function submit(visit: Visit): Promise<Response> {
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
function problemOf(asked: PromptRequest): Problem | null {
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
