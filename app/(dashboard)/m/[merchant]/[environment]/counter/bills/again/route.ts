import { z } from 'zod';
import { paymentRequestProblem } from '@/components/dashboard/bill-page/payment-request-problem';
import { counterBill } from '@/components/dashboard/counter/present-counter';
import type { AgainAnswer } from '@/components/dashboard/counter/request-again-form';
import { baseUrl } from '@/lib/config/settings';
import { showEntry } from '@/lib/counter/show-counter';
import { readJson } from '@/lib/http/read-json';
import { promptAgain } from '@/lib/payments/prompts/prompt-again';
import { dataRoute, sentDataRoute } from '@/lib/server/visit';

const HEADERS = { 'cache-control': 'no-store' };
const requestSchema = z.object({ bill: z.uuid(), mobile: z.string().max(100), form: z.uuid() });

/** A GET request does not send a payment request. */
export const GET = dataRoute(() => new Response(null, { status: 405, headers: { allow: 'POST' } }));

/** Sends another payment request for a bill that the member entered at the counter. */
export const POST = sentDataRoute(async ({ runtime, access, locale }, request) => {
  const sent = await readJson(request, requestSchema);
  if (!sent.ok) return new Response(null, { status: sent.error, headers: HEADERS });
  const { bill: billId, mobile, form: formId } = sent.value;
  const requested = await promptAgain(runtime, access, { billId, mobile, network: '', amount: null, formId, from: 'counter' });
  const row = await showEntry(runtime, access, billId);
  const problem = requested.ok ? null : paymentRequestProblem(requested.error, mobile, locale);
  if (!row || problem) {
    const answer: AgainAnswer = { kind: 'problem', text: problem?.text ?? '' };
    return Response.json(answer, { status: row || problem ? 200 : 404, headers: HEADERS });
  }
  const answer: AgainAnswer = { kind: 'sent', bill: counterBill(row, baseUrl(runtime.settings, access.scope.environment), locale) };
  return Response.json(answer, { headers: HEADERS });
});
