'use server';

import { closeShift } from '@/lib/backoffice/counter/close-shift';
import { formAction, ofMerchant, text } from '@/lib/entry/server/form-action';
import { translator } from '@/lib/platform/i18n/translator';

/** Closes the shift and leads to its summary. */
export const closeShiftAction = formAction(
  ofMerchant('counter'),
  { shift: text(), counted: text() },
  async ({ runtime, access, locale, path }, { shift, counted }) => {
    const closed = await closeShift(runtime, access, { id: shift, counted });
    if (closed.ok) return path(`counter/shift/${shift}`);
    const { error } = closed;
    if (error !== 'count_required' && error !== 'count_invalid') return path('counter');
    return { problems: { counted: translator(locale, 'Counter')(error) } };
  },
);
