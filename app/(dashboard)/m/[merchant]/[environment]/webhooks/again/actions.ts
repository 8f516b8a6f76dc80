'use server';

import type { AgainState } from '@/components/dashboard/hooks/again-form';
import { sayHold } from '@/components/dashboard/hooks/say-hold';
import { formatInstant } from '@/lib/i18n/format';
import { translator } from '@/lib/i18n/translator';
import { formText, openAction } from '@/lib/server/visit';
import { startOwnRedelivery } from '@/lib/webhooks/start-own-redelivery';

/** Counts what an order would send again; sends nothing. */
export async function countAction(_before: AgainState, form: FormData): Promise<AgainState> {
  const { runtime, access, locale, address } = await openAction(form, 'webhooks/again');
  const t = translator(locale, 'Hooks');
  const states = form.getAll('state').filter((state) => typeof state === 'string');
  const order = { from: formText(form, 'from'), to: formText(form, 'to'), states, perSecond: formText(form, 'perSecond') };
  const found = await startOwnRedelivery(runtime, access, { order, dryRun: true, address });
  if (!found.ok) return { ...order, problem: t(found.error), counted: null };
  const { total, counts, heldUp } = found.value;
  const at = (instant: Date) => formatInstant(instant, locale);
  const lines = counts.map(({ state, count, first, last }) =>
    t('countedLine', { state: t(`st_${state}`), count, first: at(first), last: at(last) }),
  );
  return { ...order, problem: null, counted: { total, lines, heldUp: heldUp && sayHold(heldUp, locale) } };
}
