'use server';

import type { AgainState } from '@/components/dashboard/webhooks/again-form';
import { sayCounts } from '@/components/dashboard/webhooks/say-counts';
import { translator } from '@/lib/i18n/translator';
import { formText, openAction } from '@/lib/server/visit';
import { startOwnRedelivery } from '@/lib/webhooks/redeliver/start-own-redelivery';

/** Counts what an order would send again; sends nothing. */
export async function countAction(_before: AgainState, form: FormData): Promise<AgainState> {
  const { runtime, access, locale, address } = await openAction(form, 'webhooks/resend');
  const t = translator(locale, 'Hooks');
  const states = form.getAll('state').filter((state) => typeof state === 'string');
  const order = { from: formText(form, 'from'), to: formText(form, 'to'), states, perSecond: formText(form, 'perSecond') };
  const found = await startOwnRedelivery(runtime, access, { order, dryRun: true, address });
  if (!found.ok) return { ...order, problem: t(found.error), counted: null };
  return { ...order, problem: null, counted: sayCounts(found.value, locale) };
}
