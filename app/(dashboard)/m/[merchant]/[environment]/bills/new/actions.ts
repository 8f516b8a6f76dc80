'use server';

import { redirect } from 'next/navigation';
import type { CreateBillState } from '@/components/dashboard/bill-new/create-form';
import { billFieldProblem } from '@/components/dashboard/bill-new/field-problem';
import { groupAmount, usesPoints } from '@/components/dashboard/bill-new/group-amount';
import { createBillFromForm } from '@/lib/bills/create/create-bill-from-form';
import { newId } from '@/lib/core/ids';
import { translator } from '@/lib/i18n/translator';
import { formText, openAction } from '@/lib/server/visit';

/** Form values are cut to this length when they are shown again. */
const TYPED_MAX = 300;

function cut<Values extends Readonly<Record<string, string>>>(values: Values): Values;
function cut(values: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.slice(0, TYPED_MAX)]));
}

/** Creates a bill and redirects to its page, or returns the form values and the errors. */
export async function createBillAction(_before: CreateBillState, form: FormData): Promise<CreateBillState> {
  const { runtime, access, locale, path } = await openAction(form, 'bills/new');
  const typed = {
    amount: formText(form, 'amount'),
    reference: formText(form, 'reference'),
    mobile: formText(form, 'mobile'),
    customerName: formText(form, 'customerName'),
    description: formText(form, 'description'),
    dueDate: formText(form, 'dueDate'),
  };
  const formId = formText(form, 'form');
  const created = await createBillFromForm(runtime, access, { typed, formId });
  if (created.ok) {
    const result = typed.mobile.trim() === '' ? 'created' : 'createdAsked';
    redirect(path(`bills/${created.value}?result=${result}`));
  }
  const refusal = created.error;
  const back = {
    typed: cut(typed),
    // A form id can be used once, so the form gets a new one.
    formId: refusal.kind === 'form_reused' || refusal.kind === 'form_invalid' ? newId(runtime) : formId,
  };
  if (refusal.kind === 'wrong') {
    const errors = refusal.problems.map((problem) => [
      problem.field,
      billFieldProblem(problem, runtime.settings.MAX_BILL_AMOUNT, locale, typed.mobile),
    ]);
    const problems = Object.fromEntries(errors);
    // With JavaScript, the field changes 12.500 to 12,500 while the person types. An amount with points was sent without JavaScript. So the
    // form shows how the amount was read, and the person must send it again to confirm that.
    if (!usesPoints(typed.amount)) return { ...back, problem: null, problems };
    const amount = groupAmount(typed.amount);
    const read = translator(locale, 'BillField')('amount_thousands', { typed: back.typed.amount, amount });
    return { ...back, typed: { ...back.typed, amount }, problem: null, problems: { ...problems, amount: read } };
  }
  const known = refusal.kind === 'not_allowed' || refusal.kind === 'form_invalid';
  const problem = known ? translator(locale, 'BillPage')(refusal.kind) : translator(locale, 'NewBill')(refusal.kind);
  return { ...back, problem, problems: {} };
}
