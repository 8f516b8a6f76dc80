'use server';

import type { AgainState } from '@/components/dashboard/webhooks/again-form';
import { sayCounts } from '@/components/dashboard/webhooks/say-counts';
import { translator } from '@/lib/i18n/translator';
import { formText, openAction } from '@/lib/server/visit';
import { startRedeliveryFromForm } from '@/lib/webhooks/redeliver/start-redelivery-from-form';

/** Counts what an order would send again; sends nothing. */
export async function countAction(_before: AgainState, form: FormData): Promise<AgainState> {
  const { runtime, access, locale } = await openAction(form, 'webhooks/resend');
  const t = translator(locale, 'Hooks');
  const states = form.getAll('state').filter((state) => typeof state === 'string');
  const order = { from: formText(form, 'from'), to: formText(form, 'to'), states, perSecond: formText(form, 'perSecond') };
  const found = await startRedeliveryFromForm(runtime, access, { order, dryRun: true });
  if (!found.ok) return { ...order, problem: t(found.error), counted: null };
  return { ...order, problem: null, counted: sayCounts(found.value, locale) };
}
