'use server';

import type { BulkState } from '@/components/dashboard/bill-list/bulk-state';
import { type CloseBillsProblem, type CloseOutcome, closeBills } from '@/lib/bills/bulk/close-bills';
import { type RequestOutcome, type RequestPaymentsProblem, requestPayments } from '@/lib/bills/bulk/request-payments';
import { type BillResult, BULK_MAX } from '@/lib/bills/bulk/selected-bills';
import type { Result } from '@/lib/core/result';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { formText, openAction } from '@/lib/server/visit';

/** Form values are cut to this length when they are shown again. */
const TYPED_MAX = 200;

export async function closeBillsAction(_before: BulkState, form: FormData): Promise<BulkState> {
  const { runtime, access, locale } = await openAction(form, 'bills');
  const reason = formText(form, 'reason');
  return stateOf(await closeBills(runtime, access, { billIds: idsOf(form), reason }), reason, locale);
}

export async function requestPaymentsAction(_before: BulkState, form: FormData): Promise<BulkState> {
  const { runtime, access, locale } = await openAction(form, 'bills');
  const formId = formText(form, 'form');
  return stateOf(await requestPayments(runtime, access, { billIds: idsOf(form), formId }), '', locale);
}

function stateOf(
  results: Result<readonly BillResult<CloseOutcome | RequestOutcome>[], CloseBillsProblem | RequestPaymentsProblem>,
  typed: string,
  locale: Locale,
): BulkState {
  if (!results.ok) return { problem: problemText(results.error, locale), typed: typed.slice(0, TYPED_MAX), result: null };
  const done = results.value.flatMap(({ id, outcome }) => (outcome === 'done' ? [id] : []));
  const others = results.value.flatMap(({ id, outcome }) => (outcome === 'done' ? [] : [{ id, why: whyText(outcome, locale) }]));
  return { problem: null, typed: '', result: { done, others } };
}

function problemText(problem: CloseBillsProblem | RequestPaymentsProblem, locale: Locale): string {
  if (problem === 'second_factor_due') return translator(locale, 'BillPage')(problem);
  return translator(locale, 'BulkBills')(problem, { max: BULK_MAX });
}

function whyText(outcome: Exclude<CloseOutcome | RequestOutcome, 'done'>, locale: Locale): string {
  const t = translator(locale, 'BulkBills');
  switch (outcome) {
    // The action checks the form and the role once, before it begins with the first bill. So a bill gets one of these four outcomes only if
    // the member's role was changed while the action ran.
    case 'not_allowed':
    case 'reason_required':
    case 'reason_too_long':
    case 'form_invalid':
      return t(outcome);
    case 'second_factor_due':
      return translator(locale, 'BillPage')(outcome);
    default:
      return t(`why_${outcome}`);
  }
}

function idsOf(form: FormData): string[] {
  return form.getAll('bill').filter((value) => typeof value === 'string');
}
