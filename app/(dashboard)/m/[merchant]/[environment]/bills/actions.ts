'use server';

import { redirect } from 'next/navigation';
import type { ViewFormState } from '@/components/dashboard/bill-list/view-form';
import { deleteView, renameView, saveView } from '@/lib/bills/views/manage-views';
import { VIEW_NAME_MAX, VIEWS_MAX, type ViewProblem } from '@/lib/bills/views/saved-view';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { formText, openAction } from '@/lib/server/visit';

export async function saveViewAction(_before: ViewFormState, form: FormData): Promise<ViewFormState> {
  const { runtime, access, locale, path } = await openAction(form, 'bills');
  const name = formText(form, 'name');
  const saved = await saveView(runtime, access, { name, query: formText(form, 'query') });
  if (!saved.ok) return problemOf(locale, name, saved.error);
  return redirect(listAddress(path('bills'), saved.value.query));
}

export async function renameViewAction(_before: ViewFormState, form: FormData): Promise<ViewFormState> {
  const { runtime, access, locale, path } = await openAction(form, 'bills');
  const name = formText(form, 'name');
  const renamed = await renameView(runtime, access, { id: formText(form, 'view'), name });
  if (!renamed.ok) return problemOf(locale, name, renamed.error);
  return redirect(listAddress(path('bills'), formText(form, 'query')));
}

export async function deleteViewAction(form: FormData): Promise<void> {
  const { runtime, access, path } = await openAction(form, 'bills');
  await deleteView(runtime, access, formText(form, 'view'));
  redirect(listAddress(path('bills'), ''));
}

function problemOf(locale: Locale, typed: string, problem: ViewProblem): ViewFormState {
  const values = { max: problem === 'too_many' ? VIEWS_MAX : VIEW_NAME_MAX };
  return { typed: typed.slice(0, 200), problem: translator(locale, 'BillList')(`view_${problem}`, values) };
}

/** Parses the query and formats it again, so that the address cannot lead to another page. */
function listAddress(path: string, query: string): string {
  const params = new URLSearchParams(query).toString();
  return params ? `${path}?${params}` : path;
}
