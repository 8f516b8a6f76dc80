'use server';

import type { BulkResult } from '@/components/dashboard/bill-list/bulk-bar';
import {
  type BillResult,
  BULK_MAX,
  type CloseBillsProblem,
  type CloseOutcome,
  closeBills,
  type RequestOutcome,
  type RequestPaymentsProblem,
  requestPayments,
} from '@/lib/backoffice/bulk/bulk-actions';
import { deleteView, renameView, saveView } from '@/lib/backoffice/views/manage-views';
import { VIEW_NAME_MAX, VIEWS_MAX, type ViewProblem } from '@/lib/backoffice/views/saved-view';
import { formAction, list, ofMerchant, plainAction, text } from '@/lib/entry/server/form-action';
import type { Result } from '@/lib/platform/core/result';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';

const page = ofMerchant('bills');

export const saveViewAction = formAction(page, { name: text(), query: text() }, async ({ runtime, access, locale, path }, view) => {
  const saved = await saveView(runtime, access, view);
  return saved.ok ? listAddress(path('bills'), saved.value.query) : viewProblem(locale, saved.error);
});

export const renameViewAction = formAction(
  page,
  { view: text(), name: text(), query: text() },
  async ({ runtime, access, locale, path }, { view, name, query }) => {
    const renamed = await renameView(runtime, access, { id: view, name });
    return renamed.ok ? listAddress(path('bills'), query) : viewProblem(locale, renamed.error);
  },
);

export const deleteViewAction = plainAction(page, { view: text() }, async ({ runtime, access, path }, { view }) => {
  await deleteView(runtime, access, view);
  return path('bills');
});

function viewProblem(locale: Locale, problem: ViewProblem) {
  const values = { max: problem === 'too_many' ? VIEWS_MAX : VIEW_NAME_MAX };
  return { problems: { name: translator(locale, 'BillList')(`view_${problem}`, values) } };
}

/** Parses the query and formats it again, so that the address cannot lead to another page. */
function listAddress(path: string, query: string): string {
  const params = new URLSearchParams(query).toString();
  return params ? `${path}?${params}` : path;
}

export const closeBillsAction = formAction(page, { bill: list, reason: text() }, async ({ runtime, access, locale }, { bill, reason }) =>
  answerOf(await closeBills(runtime, access, { billIds: bill, reason }), locale),
);

export const requestPaymentsAction = formAction(page, { bill: list, form: text() }, async ({ runtime, access, locale }, { bill, form }) =>
  answerOf(await requestPayments(runtime, access, { billIds: bill, formId: form }), locale),
);

function answerOf(
  results: Result<readonly BillResult<CloseOutcome | RequestOutcome>[], CloseBillsProblem | RequestPaymentsProblem>,
  locale: Locale,
): { readonly problems: { readonly all: string } } | { readonly done: BulkResult } {
  if (!results.ok) return { problems: { all: problemText(results.error, locale) } };
  const done = results.value.flatMap(({ id, outcome }) => (outcome === 'done' ? [id] : []));
  const others = results.value.flatMap(({ id, outcome }) => (outcome === 'done' ? [] : [{ id, why: whyText(outcome, locale) }]));
  return { done: { done, others } };
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
