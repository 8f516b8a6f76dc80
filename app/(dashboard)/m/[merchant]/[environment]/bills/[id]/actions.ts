'use server';

import { billFieldProblem } from '@/components/dashboard/bill-new/field-problem';
import { askWaysProblem, paymentRequestProblem, recordProblem } from '@/components/dashboard/bill-page/problems';
import { askBillInstruments } from '@/lib/backoffice/bill-page/bill-instruments';
import { changeInfo } from '@/lib/backoffice/bill-page/change-info';
import { closeBill, reopenBill } from '@/lib/backoffice/bill-page/close-bill';
import { NOTE_MAX, noteBill } from '@/lib/backoffice/bill-page/note-bill';
import { correctFromForm, recordFromForm } from '@/lib/backoffice/bill-page/record-from-form';
import { each, formAction, ofMerchant, optional, plainAction, text } from '@/lib/entry/server/form-action';
import { releaseAttempt } from '@/lib/gateway/attempts/release-attempt';
import { INFO_FIELDS } from '@/lib/gateway/bills/bill-info';
import { promptAgain } from '@/lib/gateway/prompts/prompt-again';
import { translator } from '@/lib/platform/i18n/translator';

const page = ofMerchant(({ bill }: { readonly bill: string }) => `bills/${encodeURIComponent(bill)}`);
const fields = { bill: text() };

/** Releases an unknown attempt and redirects to the bill's page, which shows the result. */
export const releaseAction = plainAction(
  page,
  { ...fields, attempt: text(), reason: text() },
  async ({ runtime, access, back }, { attempt, reason }) => {
    const released = await releaseAttempt(runtime, access, { attemptId: attempt, reason });
    return back(released.ok ? 'released' : `problem=${released.error.code}`);
  },
);

export const requestPaymentAction = formAction(
  page,
  { ...fields, form: text(), mobile: text(), network: text(), amount: optional },
  async ({ runtime, access, locale, back }, { bill: billId, form: formId, ...typed }) => {
    const asked = await promptAgain(runtime, access, { ...typed, billId, formId });
    return asked.ok ? back('result=asked') : { problems: paymentRequestProblem(asked.error, typed.mobile, locale) };
  },
);

/** Asks for the number and the QR code of a bill. */
export const askWaysAction = formAction(page, fields, async ({ runtime, access, locale, back }, { bill }) => {
  const asked = await askBillInstruments(runtime, access, bill);
  return asked.ok ? back('result=waysAsked') : { problems: { all: askWaysProblem(asked.error, locale) } };
});

export const noteAction = formAction(
  page,
  { ...fields, form: text(), text: text() },
  async ({ runtime, access, locale, back }, { bill: billId, form: formId, ...note }) => {
    const noted = await noteBill(runtime, access, { ...note, billId, formId });
    if (noted.ok) return back('result=noted');
    return { problems: { text: translator(locale, 'BillPage')(noted.error, { max: String(NOTE_MAX) }) } };
  },
);

export const changeInfoAction = formAction(
  page,
  { ...fields, ...each(INFO_FIELDS, text()) },
  async ({ runtime, access, locale, back }, { bill: billId, ...typed }) => {
    const changed = await changeInfo(runtime, access, { billId, typed });
    if (changed.ok) return back('result=saved');
    const { error } = changed;
    if (error.kind !== 'wrong') return { problems: { all: translator(locale, 'BillPage')(error.kind) } };
    const { MAX_BILL_AMOUNT } = runtime.settings;
    const problems = Object.entries(error.problems).map(([field, code]) => [field, billFieldProblem({ code }, MAX_BILL_AMOUNT, locale)]);
    return { problems: Object.fromEntries(problems) };
  },
);

function closingAction(change: typeof closeBill | typeof reopenBill, result: string) {
  return formAction(page, { ...fields, reason: text() }, async ({ runtime, access, locale, back }, { bill: billId, reason }) => {
    const changed = await change(runtime, access, { billId, reason });
    if (changed.ok) return back(`result=${result}`);
    const { error } = changed;
    const known = error === 'not_allowed' || error === 'second_factor_due' || error === 'not_found';
    return { problems: { reason: known ? translator(locale, 'BillPage')(error) : translator(locale, 'CloseBill')(error) } };
  });
}

export const closeAction = closingAction(closeBill, 'closed');
export const reopenAction = closingAction(reopenBill, 'reopened');

export const recordAction = formAction(
  page,
  { ...fields, form: text(), kind: text(), amount: text(), day: text(), slip: text(), note: text(), overpay: text() },
  async ({ runtime, access, locale, back }, typed) => {
    const recorded = await recordFromForm(runtime, access, typed);
    return recorded.ok ? back('result=recorded') : { problems: recordProblem(recorded.error, locale) };
  },
);

export const correctAction = formAction(
  page,
  { ...fields, payment: text(), to: text(), reason: text() },
  async ({ runtime, access, locale, back }, typed) => {
    const corrected = await correctFromForm(runtime, access, typed);
    if (corrected.ok) return back('result=corrected');
    const { error } = corrected;
    if (error === 'not_allowed' || error === 'second_factor_due') return { problems: { all: translator(locale, 'BillPage')(error) } };
    const text = translator(locale, 'RecordPayment')(error === 'not_found' ? 'payment_not_found' : error);
    return { problems: error.startsWith('reason') ? { reason: text } : { to: text } };
  },
);
