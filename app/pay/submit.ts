import type { Problem } from '@/components/pay/form-problem';
import { reach } from '@/lib/config/fail-point';
import { mobileProblem, readMobile } from '@/lib/core/mobile';
import { readShillings } from '@/lib/core/money';
import { isOperatedNetwork } from '@/lib/core/network';
import { writeDevice } from '@/lib/http/pay-device';
import { readFormId } from '@/lib/payments/page/form-id';
import { showPayPage } from '@/lib/payments/page/show-pay-page';
import type { RequestedAmount } from '@/lib/payments/prompts/choose-amount';
import { type RequestPromptResult, requestPrompt } from '@/lib/payments/prompts/request-prompt';
import { fieldMobile, sentValues } from './form-values';
import { show, type Visit } from './show';

/** Requests a prompt and redirects to the bill's page, or shows the form again with the problem. */
export async function submit(visit: Visit): Promise<Response> {
  const { runtime, environment, query, locale, device } = visit;
  const typed = sentValues(query);
  const sent = query.get('mobile') ?? '';
  const mobile = readMobile(sent);
  const page = await showPayPage(runtime, environment, query.get('bill') ?? '', device.attemptId);
  if (!page || mobile === null) {
    const problem = sent.length > typed.mobile.length ? ({ kind: 'tooManyBytes' } as const) : mobileProblem(sent);
    return show(visit, { typed, problem: { field: 'mobile', ...problem } });
  }
  const normalized = { ...typed, mobile: fieldMobile(mobile) };
  const showProblem = (problem: Problem) => show(visit, { typed: normalized, problem });
  const network = query.get('network') ?? '';
  if (network !== '' && !isOperatedNetwork(network)) return showProblem({ field: 'network', kind: 'networkInvalid' });
  const requested = await requestPrompt(runtime, {
    billId: page.bill.id,
    mobile,
    chosenNetwork: typed.chosen,
    amount: readAmount(query.get('amount')),
    formId: readFormId(query.get('form')),
  });
  reach('push.committed');
  runtime.log.info(
    { requestId: visit.id, billId: page.bill.id, chosen: typed.chosen, asked: requested.kind },
    'prompt requested from the payment page',
  );
  const problem = problemOf(requested);
  // If the bill can no longer be paid, the page has no form in which to show the problem. The redirect then leads to the page that explains
  // the state of the bill.
  if (problem && page.form) return showProblem(problem);
  const attemptId = 'attemptId' in requested ? requested.attemptId : null;
  const headers = new Headers({
    location: `/pay?bill=${page.bill.id}&lang=${locale}`,
    'cache-control': 'no-store',
    'x-request-id': visit.id,
  });
  for (const cookie of writeDevice(runtime, environment, { attemptId, mobile: typed.remember ? mobile : null }))
    headers.append('set-cookie', cookie);
  return new Response(null, { status: 303, headers });
}

/** Returns the amount of the form; null if the form had no amount field, and `unreadable` if the typed text is no amount. */
function readAmount(typed: string | null): RequestedAmount {
  return typed === null ? null : (readShillings(typed) ?? 'unreadable');
}

/** Returns the problem to show in the form, or null if the page itself shows the result. */
function problemOf(requested: RequestPromptResult): Problem | null {
  switch (requested.kind) {
    case 'amount_wrong':
      return { field: 'amount', kind: requested.problem };
    case 'above_wallet':
      return { field: 'amount', kind: 'amountAboveWallet', network: requested.network };
    case 'refused':
      return { field: 'mobile', kind: 'numberRefused' };
    case 'too_many':
      return { field: 'mobile', kind: 'tooMany', limit: requested.limit, until: requested.until };
    case 'not_served':
      return { field: 'network', kind: 'notServed', network: requested.network };
    default:
      return null;
  }
}
