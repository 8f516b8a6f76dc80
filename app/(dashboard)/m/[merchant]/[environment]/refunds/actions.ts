'use server';

import { describePlan } from '@/components/dashboard/refunds/refund-texts';
import { askRefundFromForm } from '@/lib/backoffice/refunds/ask-from-form';
import { returnFromForm } from '@/lib/backoffice/refunds/return-from-form';
import { formAction, ofMerchant, plainAction, text } from '@/lib/entry/server/form-action';
import { approveRefund, stopRefund } from '@/lib/gateway/refunds/decide-refund';
import { translator } from '@/lib/platform/i18n/translator';

/** The forms are on the page of a bill and, without a bill, on the page of refunds. */
const page = ofMerchant(({ bill }: { readonly bill: string }) => (bill === '' ? 'refunds' : `bills/${encodeURIComponent(bill)}`));
const fields = { bill: text(), refund: text() };

/** Says how the money will go back, and asks for the refund when the person has confirmed that. */
export const askRefundAction = formAction(
  page,
  { bill: text(), form: text(), payment: text(), amount: text(), way: text(), reason: text(), step: text() },
  async ({ runtime, access, locale, back }, { form: formId, step, ...typed }) => {
    if (step === 'back') return {};
    const asked = await askRefundFromForm(runtime, access, { typed, formId, confirmed: step === 'send' });
    if (!asked.ok) return { problems: { [fieldOf(asked.error)]: translator(locale, 'RefundForm')(asked.error) } };
    if (asked.value.kind === 'planned') return { done: describePlan(asked.value, typed.way === 'hand', locale) };
    return back(`refundResult=asked_${asked.value.waits}`);
  },
);

function fieldOf(error: string): 'amount' | 'reason' | 'all' {
  if (error === 'amount_wrong' || error === 'refund_more_than_left') return 'amount';
  return error === 'reason_required' || error === 'reason_too_long' ? 'reason' : 'all';
}

export const approveRefundAction = plainAction(page, fields, async ({ runtime, access, back }, { refund }) => {
  const approved = await approveRefund(runtime, access, refund);
  return back(`refundResult=${approved.ok ? 'approved' : approved.error}`);
});

export const stopRefundAction = plainAction(page, fields, async ({ runtime, access, back }, { refund }) => {
  const stopped = await stopRefund(runtime, access, refund);
  return back(`refundResult=${stopped.ok ? 'stopped' : stopped.error}`);
});

/** Records that a person has given the money back. */
export const returnRefundAction = formAction(
  page,
  { ...fields, how: text(), day: text() },
  async ({ runtime, access, locale, back }, { refund: id, ...typed }) => {
    const returned = await returnFromForm(runtime, access, { id, ...typed });
    if (returned.ok) return back('refundResult=returned');
    const { error } = returned;
    const field = error === 'day_wrong' ? 'day' : error === 'how_wrong' ? 'how' : 'all';
    return { problems: { [field]: translator(locale, 'RefundForm')(error) } };
  },
);
