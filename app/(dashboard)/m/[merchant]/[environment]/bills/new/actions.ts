'use server';

import { billFieldProblem } from '@/components/dashboard/bill-new/field-problem';
import { groupAmount, usesPoints } from '@/components/dashboard/bill-new/group-amount';
import { each, formAction, ofMerchant, text } from '@/lib/entry/server/form-action';
import { INFO_FIELDS } from '@/lib/gateway/bills/bill-info';
import { createBillFromForm } from '@/lib/gateway/bills/create/create-bill-from-form';
import { newId } from '@/lib/platform/core/ids';
import { translator } from '@/lib/platform/i18n/translator';

const fields = { form: text(), amount: text(300), reference: text(), mobile: text(), ...each(INFO_FIELDS, text()) };

/** Creates a bill and redirects to its page. A bill without a number gets no payment request, so the page opens with the ways to send its link. */
export const createBillAction = formAction(ofMerchant('bills/new'), fields, async (visit, { form: formId, ...typed }) => {
  const { runtime, access, locale, path } = visit;
  const created = await createBillFromForm(runtime, access, { typed, formId });
  if (created.ok) return path(`bills/${created.value}?result=${typed.mobile.trim() === '' ? 'created&share=1' : 'createdAsked'}`);
  const refusal = created.error;
  if (refusal.kind === 'wrong') {
    const errors = refusal.problems.map((problem) => [
      problem.field,
      billFieldProblem(problem, runtime.settings.MAX_BILL_AMOUNT, locale, typed.mobile),
    ]);
    const problems = Object.fromEntries(errors);
    // With JavaScript, the field changes 12.500 to 12,500 while the person types. An amount with points was sent without JavaScript. So the
    // form shows how the amount was read, and the person must send it again to confirm that.
    if (!usesPoints(typed.amount)) return { problems };
    const amount = groupAmount(typed.amount);
    const read = translator(locale, 'BillField')('amount_thousands', { typed: typed.amount, amount });
    return { typed: { amount }, problems: { ...problems, amount: read } };
  }
  const known = refusal.kind === 'not_allowed' || refusal.kind === 'form_invalid';
  const all = known ? translator(locale, 'BillPage')(refusal.kind) : translator(locale, 'NewBill')(refusal.kind);
  // A form id can be used once, so the form gets a new one.
  const used = refusal.kind === 'form_reused' || refusal.kind === 'form_invalid';
  return { problems: { all }, ...(used && { typed: { form: newId(runtime) } }) };
});
