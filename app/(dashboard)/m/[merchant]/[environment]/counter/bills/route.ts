import { z } from 'zod';
import { billFieldProblem } from '@/components/dashboard/bill-new/field-problem';
import { counterBill, counterData } from '@/components/dashboard/counter/present-counter';
import type { EnterAnswer, FieldProblem } from '@/components/dashboard/counter/send-bill';
import { type EnterRefusal, enterBill } from '@/lib/backoffice/counter/enter-bill';
import { showCounter } from '@/lib/backoffice/counter/show-counter';
import { readJson } from '@/lib/entry/http/body';
import { dataRoute, sentDataRoute, type Visit } from '@/lib/entry/server/visit';
import type { BillField } from '@/lib/gateway/bills/create/typed-bill';
import { baseUrl } from '@/lib/platform/config/settings';
import { translator } from '@/lib/platform/i18n/translator';

const text = z.string().max(300);
const enteredSchema = z.object({
  id: z.uuid(),
  amount: text,
  reference: text,
  mobile: text,
  prompt: z.boolean(),
  confirmedAt: z.number().nullable(),
});

/** Returns the present state of the member's counter. */
export const GET = dataRoute(async ({ runtime, access, locale }) => {
  const view = await showCounter(runtime, access);
  if (!view) return new Response(null, { status: 403 });
  return Response.json(counterData(view, baseUrl(runtime.settings, access.scope.environment), locale));
});

/** Creates a bill that was entered at the counter. If the device sends the same entry again, no second bill is created. */
export const POST = sentDataRoute(async (visit, request) => {
  const { runtime, access, locale } = visit;
  const sent = await readJson(request, enteredSchema);
  if (!sent.ok) return new Response(null, { status: sent.error });
  const { id, ...entered } = sent.value;
  const result = await enterBill(runtime, access, { entryId: id, ...entered });
  const answer: EnterAnswer = result.ok
    ? { kind: 'sent', bill: counterBill(result.value, baseUrl(runtime.settings, access.scope.environment), locale) }
    : refused(result.error, entered.mobile, visit);
  return Response.json(answer);
});

function refused(refusal: EnterRefusal, mobile: string, { runtime, locale }: Visit): EnterAnswer {
  const t = translator(locale, 'BillPage');
  switch (refusal.kind) {
    case 'stale':
      return { kind: 'stale', now: runtime.clock().getTime() };
    case 'wrong': {
      const max = runtime.settings.MAX_BILL_AMOUNT;
      const problems = refusal.problems.map((one) => ({ field: fieldOf(one.field), text: billFieldProblem(one, max, locale, mobile) }));
      return { kind: 'wrong', problems };
    }
    case 'inactive':
      return { kind: 'wrong', problems: [{ field: null, text: translator(locale, 'NewBill')('inactive') }] };
    case 'entry_invalid':
      return { kind: 'wrong', problems: [{ field: null, text: t('form_invalid') }] };
    default:
      return { kind: 'wrong', problems: [{ field: null, text: t(refusal.kind) }] };
  }
}

/** The form at the counter has only three fields of a bill. A problem with any other field is shown for the whole form (null). */
function fieldOf(field: BillField): FieldProblem['field'] {
  return field === 'amount' || field === 'reference' || field === 'mobile' ? field : null;
}
