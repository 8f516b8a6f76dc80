import { z } from 'zod';
import type { CashAnswer } from '@/components/dashboard/counter/cash-panel';
import { counterBill } from '@/components/dashboard/counter/present-counter';
import { showEntry } from '@/lib/backoffice/counter/show-counter';
import { type CashRefusal, takeCash } from '@/lib/backoffice/counter/take-cash';
import { readJson } from '@/lib/entry/http/body';
import { dataRoute, sentDataRoute } from '@/lib/entry/server/visit';
import { baseUrl } from '@/lib/platform/config/settings';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';

const cashSchema = z.object({ bill: z.uuid(), amount: z.string().regex(/^\d{1,18}$/), form: z.uuid() });

/** A GET request records nothing. */
export const GET = dataRoute(() => new Response(null, { status: 405, headers: { allow: 'POST' } }));

/** Records cash for a bill that the member entered at the counter. If the device sends the same form again, nothing more is recorded. */
export const POST = sentDataRoute(async ({ runtime, access, locale }, request) => {
  const sent = await readJson(request, cashSchema);
  if (!sent.ok) return new Response(null, { status: sent.error });
  const { bill: billId, amount, form: formId } = sent.value;
  const taken = await takeCash(runtime, access, { billId, amount: BigInt(amount), formId });
  const row = await showEntry(runtime, access, billId);
  if (!row) return new Response(null, { status: 404 });
  const bill = counterBill(row, baseUrl(runtime.settings, access.scope.environment), locale);
  const answer: CashAnswer = { bill, problem: taken.ok ? null : problemOf(taken.error, locale) };
  return Response.json(answer);
});

function problemOf(refusal: CashRefusal, locale: Locale): string {
  const t = translator(locale, 'Counter');
  switch (refusal) {
    case 'second_factor_due':
      return translator(locale, 'BillPage')(refusal);
    case 'not_allowed':
    case 'prompt_open':
    case 'more_than_due':
    case 'shift_closed':
      return t(`cash_${refusal}`);
    default:
      return t('cash_failed');
  }
}
