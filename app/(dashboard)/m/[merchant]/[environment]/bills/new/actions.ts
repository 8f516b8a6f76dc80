'use server';

import { redirect } from 'next/navigation';
import type { CreateBillState } from '@/components/dashboard/bill-new/create-form';
import { billFieldProblem } from '@/components/dashboard/bill-new/field-problem';
import { createBillFromForm } from '@/lib/bills/create/create-bill-from-form';
import { newId } from '@/lib/core/ids';
import { translator } from '@/lib/i18n/translator';
import { formText, openAction } from '@/lib/server/visit';

/** Longest text that comes back into a field. */
const TYPED_MAX = 300;

/** Makes a bill and leads to its page; what was wrong comes back with what was typed. */
export async function createBillAction(_before: CreateBillState, form: FormData): Promise<CreateBillState> {
  const { runtime, access, locale, path } = await openAction(form, 'bills/new');
  const typed = { amount: formText(form, 'amount'), reference: formText(form, 'reference'), mobile: formText(form, 'mobile') };
  const formId = formText(form, 'form');
  const created = await createBillFromForm(runtime, access, { typed, formId });
  if (created.ok) {
    const told = typed.mobile.trim() === '' ? 'created' : 'createdAsked';
    redirect(path(`bills/${created.value}?told=${told}`));
  }
  const refusal = created.error;
  const back = {
    typed: {
      amount: typed.amount.slice(0, TYPED_MAX),
      reference: typed.reference.slice(0, TYPED_MAX),
      mobile: typed.mobile.slice(0, TYPED_MAX),
    },
    // A form that has made a bill gets a new number with the answer that says so.
    formId: refusal.kind === 'form_reused' || refusal.kind === 'form_invalid' ? newId(runtime) : formId,
  };
  if (refusal.kind === 'wrong') {
    const said = refusal.problems.map((problem) => [problem.field, billFieldProblem(problem, runtime.settings.MAX_BILL_AMOUNT, locale)]);
    return { ...back, problem: null, problems: Object.fromEntries(said) };
  }
  const known = refusal.kind === 'not_allowed' || refusal.kind === 'form_invalid';
  const problem = known ? translator(locale, 'BillPage')(refusal.kind) : translator(locale, 'NewBill')(refusal.kind);
  return { ...back, problem, problems: {} };
}
