'use server';

import { redirect } from 'next/navigation';
import { closeShift } from '@/lib/counter/close-shift';
import { formText, openAction } from '@/lib/server/visit';

/** Closes the shift and leads to its summary. */
export async function closeShiftAction(form: FormData): Promise<void> {
  const { runtime, access, path } = await openAction(form, 'counter');
  const shift = formText(form, 'shift');
  const closed = await closeShift(runtime, access, shift);
  redirect(closed.ok ? path(`counter/shift/${shift}`) : path('counter'));
}
