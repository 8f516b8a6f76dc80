'use server';

import { countsText } from '@/components/dashboard/webhooks/counts-text';
import type { RedeliveryFormState } from '@/components/dashboard/webhooks/redelivery-form';
import { translator } from '@/lib/i18n/translator';
import { formText, openAction } from '@/lib/server/visit';
import { startRedeliveryFromForm } from '@/lib/webhooks/redeliver/start-redelivery-from-form';

/** Counts the deliveries of a bulk redelivery without sending any. */
export async function countAction(_before: RedeliveryFormState, form: FormData): Promise<RedeliveryFormState> {
  const { runtime, access, locale } = await openAction(form, 'webhooks/resend');
  const t = translator(locale, 'Hooks');
  const states = form.getAll('state').filter((state) => typeof state === 'string');
  const order = { from: formText(form, 'from'), to: formText(form, 'to'), states, perSecond: formText(form, 'perSecond') };
  const found = await startRedeliveryFromForm(runtime, access, { order, dryRun: true });
  if (!found.ok) return { ...order, problem: t(found.error), counted: null };
  return { ...order, problem: null, counted: countsText(found.value, locale) };
}
