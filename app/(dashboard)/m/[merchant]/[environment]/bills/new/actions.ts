'use server';

import { redirect } from 'next/navigation';
import type { CreateBillState } from '@/components/dashboard/bill-new/create-form';
import { billFieldProblem } from '@/components/dashboard/bill-new/field-problem';
import { createBillFromForm } from '@/lib/bills/create/create-bill-from-form';
import { newId } from '@/lib/core/ids';
import { translator } from '@/lib/i18n/translator';
import { formText, openAction } from '@/lib/server/visit';

/** Form values are cut to this length when they are shown again. */
const TYPED_MAX = 300;

/** Creates a bill and redirects to its page, or returns the form values and the errors. */
export async function createBillAction(_before: CreateBillState, form: FormData): Promise<CreateBillState> {
  const { runtime, access, locale, path } = await openAction(form, 'bills/new');
  const typed = { amount: formText(form, 'amount'), reference: formText(form, 'reference'), mobile: formText(form, 'mobile') };
  const formId = formText(form, 'form');
  const created = await createBillFromForm(runtime, access, { typed, formId });
  if (created.ok) {
    const result = typed.mobile.trim() === '' ? 'created' : 'createdAsked';
    redirect(path(`bills/${created.value}?result=${result}`));
  }
  const refusal = created.error;
  const back = {
    typed: {
      amount: typed.amount.slice(0, TYPED_MAX),
      reference: typed.reference.slice(0, TYPED_MAX),
      mobile: typed.mobile.slice(0, TYPED_MAX),
    },
    // A form id can be used once, so the form gets a new one.
    formId: refusal.kind === 'form_reused' || refusal.kind === 'form_invalid' ? newId(runtime) : formId,
  };
  if (refusal.kind === 'wrong') {
    const errors = refusal.problems.map((problem) => [problem.field, billFieldProblem(problem, runtime.settings.MAX_BILL_AMOUNT, locale)]);
    return { ...back, problem: null, problems: Object.fromEntries(errors) };
  }
  const known = refusal.kind === 'not_allowed' || refusal.kind === 'form_invalid';
  const problem = known ? translator(locale, 'BillPage')(refusal.kind) : translator(locale, 'NewBill')(refusal.kind);
  return { ...back, problem, problems: {} };
}
