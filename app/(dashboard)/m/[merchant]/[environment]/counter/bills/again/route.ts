import { z } from 'zod';
import { paymentRequestProblem } from '@/components/dashboard/bill-page/problems';
import { counterBill } from '@/components/dashboard/counter/present-counter';
import type { AgainAnswer } from '@/components/dashboard/counter/result-panel';
import { showEntry } from '@/lib/backoffice/counter/show-counter';
import { readJson } from '@/lib/entry/http/body';
import { dataRoute, sentDataRoute } from '@/lib/entry/server/visit';
import { promptAgain } from '@/lib/gateway/prompts/prompt-again';
import { baseUrl } from '@/lib/platform/config/settings';

const requestSchema = z.object({ bill: z.uuid(), mobile: z.string().max(100), form: z.uuid() });

/** A GET request does not send a payment request. */
export const GET = dataRoute(() => new Response(null, { status: 405, headers: { allow: 'POST' } }));

/** Sends another payment request for a bill that the member entered at the counter. */
export const POST = sentDataRoute(async ({ runtime, access, locale }, request) => {
  const sent = await readJson(request, requestSchema);
  if (!sent.ok) return new Response(null, { status: sent.error });
  const { bill: billId, mobile, form: formId } = sent.value;
  const requested = await promptAgain(runtime, access, { billId, mobile, network: '', amount: null, formId, from: 'counter' });
  const row = await showEntry(runtime, access, billId);
  const [problem] = requested.ok ? [] : Object.values(paymentRequestProblem(requested.error, mobile, locale));
  if (!row || problem) {
    const answer: AgainAnswer = { kind: 'problem', text: problem ?? '' };
    return Response.json(answer, { status: row || problem ? 200 : 404 });
  }
  const answer: AgainAnswer = { kind: 'sent', bill: counterBill(row, baseUrl(runtime.settings, access.scope.environment), locale) };
  return Response.json(answer);
});
