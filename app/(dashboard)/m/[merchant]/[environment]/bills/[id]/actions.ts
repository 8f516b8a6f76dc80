'use server';

import { redirect } from 'next/navigation';
import { billFieldProblem } from '@/components/dashboard/bill-new/field-problem';
import type { InfoState } from '@/components/dashboard/bill-page/info-form';
import type { PaymentRequestState } from '@/components/dashboard/bill-page/payment-request-form';
import { paymentRequestProblem } from '@/components/dashboard/bill-page/payment-request-problem';
import type { TypedState } from '@/components/dashboard/bill-page/reason-form';
import { INFO_FIELDS, type TypedInfo } from '@/lib/bills/info-fields';
import { changeInfo } from '@/lib/bills/page/change-info';
import { type CloseRefusal, closeBill, type ReopenRefusal, reopenBill } from '@/lib/bills/page/close-bill';
import { NOTE_MAX, noteBill } from '@/lib/bills/page/note-bill';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { releaseAttempt } from '@/lib/payments/attempts/release-attempt';
import { promptAgain } from '@/lib/payments/prompts/prompt-again';
import { formText, openAction, type Visit } from '@/lib/server/visit';

/** Form values are cut to this length when they are shown again. */
const TYPED_MAX = 2_000;

/** Releases an unknown attempt and redirects to the bill's page, which shows the result. */
export async function releaseAction(form: FormData): Promise<void> {
  const visit = await openBillAction(form);
  const released = await releaseAttempt(visit.runtime, visit.access, {
    attemptId: formText(form, 'attempt'),
    reason: formText(form, 'reason'),
  });
  backTo(visit, form, released.ok ? 'released' : `problem=${released.error.code}`);
}

export async function requestPaymentAction(_before: PaymentRequestState, form: FormData): Promise<PaymentRequestState> {
  const visit = await openBillAction(form);
  const [mobile, network] = [formText(form, 'mobile').slice(0, TYPED_MAX), formText(form, 'network')];
  const amount = form.has('amount') ? formText(form, 'amount').slice(0, TYPED_MAX) : null;
  const asked = await promptAgain(visit.runtime, visit.access, {
    billId: formText(form, 'bill'),
    mobile,
    network,
    amount,
    formId: formText(form, 'form'),
  });
  if (!asked.ok) return { mobile, network, amount: amount ?? '', problem: paymentRequestProblem(asked.error, mobile, visit.locale) };
  backTo(visit, form, 'result=asked');
}

export async function noteAction(_before: TypedState, form: FormData): Promise<TypedState> {
  const visit = await openBillAction(form);
  const text = formText(form, 'text');
  const noted = await noteBill(visit.runtime, visit.access, {
    billId: formText(form, 'bill'),
    text,
    formId: formText(form, 'form'),
  });
  if (!noted.ok) {
    return { typed: text.slice(0, TYPED_MAX), problem: translator(visit.locale, 'BillPage')(noted.error, { max: String(NOTE_MAX) }) };
  }
  backTo(visit, form, 'result=noted');
}

export async function changeInfoAction(_before: InfoState, form: FormData): Promise<InfoState> {
  const visit = await openBillAction(form);
  const fields = INFO_FIELDS.map((field) => [field, formText(form, field).slice(0, TYPED_MAX)] as const);
  const typed: TypedInfo = Object.fromEntries(fields);
  const changed = await changeInfo(visit.runtime, visit.access, { billId: formText(form, 'bill'), typed });
  if (changed.ok) backTo(visit, form, 'result=saved');
  const { error } = changed;
  if (error.kind !== 'wrong') return { typed, problem: translator(visit.locale, 'BillPage')(error.kind), problems: {} };
  const { MAX_BILL_AMOUNT } = visit.runtime.settings;
  const problems = Object.entries(error.problems).map(([field, code]) => [
    field,
    billFieldProblem({ code }, MAX_BILL_AMOUNT, visit.locale),
  ]);
  return { typed, problem: null, problems: Object.fromEntries(problems) };
}

export async function closeAction(_before: TypedState, form: FormData): Promise<TypedState> {
  return closeOrReopen(form, closeBill, 'closed');
}

export async function reopenAction(_before: TypedState, form: FormData): Promise<TypedState> {
  return closeOrReopen(form, reopenBill, 'reopened');
}

async function closeOrReopen(form: FormData, change: typeof closeBill | typeof reopenBill, result: string): Promise<TypedState> {
  const visit = await openBillAction(form);
  const [billId, reason] = [formText(form, 'bill'), formText(form, 'reason')];
  const changed = await change(visit.runtime, visit.access, { billId, reason });
  if (!changed.ok) return closeProblem(reason, changed.error, visit.locale);
  backTo(visit, form, `result=${result}`);
}

function openBillAction(form: FormData): Promise<Visit> {
  return openAction(form, pageOf(form));
}

function pageOf(form: FormData): string {
  return `bills/${encodeURIComponent(formText(form, 'bill'))}`;
}

function backTo({ path }: Visit, form: FormData, result: string): never {
  redirect(path(`${pageOf(form)}?${result}`));
}

function closeProblem(reason: string, problem: CloseRefusal | ReopenRefusal, locale: Locale): TypedState {
  const typed = reason.slice(0, TYPED_MAX);
  if (problem === 'not_allowed' || problem === 'second_factor_due' || problem === 'not_found')
    return { typed, problem: translator(locale, 'BillPage')(problem) };
  return { typed, problem: translator(locale, 'CloseBill')(problem) };
}
