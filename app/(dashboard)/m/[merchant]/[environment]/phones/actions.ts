'use server';

import { redirect } from 'next/navigation';
import { movedText } from '@/components/dashboard/sandbox/time-result';
import { endPhoneLinks } from '@/lib/phones/phone-links';
import { advanceAll, controlTime } from '@/lib/sandbox/control-time';
import { ADVANCE_CHOICES, DELAY_PERCENTS } from '@/lib/sandbox/time-schema';
import { advanceToNext, UPCOMING_KINDS } from '@/lib/sandbox/upcoming';
import { formText, openAction } from '@/lib/server/visit';

/** Makes all links to the merchant's test phones invalid. */
export async function endLinksAction(form: FormData): Promise<void> {
  const { runtime, access, path } = await openAction(form, 'phones');
  const ended = await endPhoneLinks(runtime, access);
  redirect(`${path('phones')}${ended.ok ? '?ended=1' : ''}`);
}

/**
 * Makes everything that is still to come in the sandbox happen earlier by the same time span. The time span is chosen so that the next
 * item of the kind in the form, for example the next webhook, happens now.
 */
export async function advanceToNextAction(form: FormData): Promise<void> {
  const { runtime, access, path } = await openAction(form, 'phones');
  const kind = UPCOMING_KINDS.find((one) => one === formText(form, 'upcoming'));
  if (!kind) redirect(path('phones'));
  const advanced = await advanceToNext(runtime, access, kind);
  const { ok } = advanced;
  redirect(path(`phones?${ok ? `moved=${movedText(advanced.value.seconds, advanced.value.moved)}` : `result=${advanced.error}`}`));
}

/** Makes everything that is still to come in the sandbox happen earlier by the time span in the form. */
export async function advanceAction(form: FormData): Promise<void> {
  const { runtime, access, path } = await openAction(form, 'phones');
  const seconds = ADVANCE_CHOICES.find((one) => String(one) === formText(form, 'seconds'));
  if (seconds === undefined) redirect(path('phones'));
  const moved = await advanceAll(runtime, access, seconds);
  redirect(path(`phones?${moved.ok ? `moved=${movedText(seconds, moved.value)}` : `result=${moved.error}`}`));
}

/** Changes the delays of the sandbox. */
export async function changeDelayAction(form: FormData): Promise<void> {
  const { runtime, access, path } = await openAction(form, 'phones');
  const delayPercent = DELAY_PERCENTS.find((one) => String(one) === formText(form, 'percent'));
  if (delayPercent === undefined) redirect(path('phones'));
  const changed = await controlTime(runtime, access, { advanceSeconds: null, delayPercent });
  redirect(path(`phones?result=${changed.ok ? 'delays' : changed.error}`));
}
