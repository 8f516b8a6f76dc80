'use server';

import { endPhoneLinks } from '@/lib/backoffice/phones/phone-link';
import { ofMerchant, plainAction, text } from '@/lib/entry/server/form-action';
import { advanceAll, advanceToNext, controlTime, UPCOMING_KINDS } from '@/lib/providers/scenarios/control-time';
import { ADVANCE_CHOICES, DELAY_PERCENTS, type SandboxTime } from '@/lib/providers/scenarios/time-schema';

const page = ofMerchant('phones');

/** Makes all links to the merchant's test phones invalid. */
export const endLinksAction = plainAction(page, {}, async ({ runtime, access, path }) => {
  const ended = await endPhoneLinks(runtime, access);
  return path(ended.ok ? 'phones?ended=1' : 'phones');
});

/**
 * Makes everything that is still to come in the sandbox happen earlier by the same time span. The time span is chosen so that the next
 * item of the kind in the form, for example the next webhook, happens now.
 */
export const advanceToNextAction = plainAction(page, { upcoming: text() }, async ({ runtime, access, path, back }, { upcoming }) => {
  const kind = UPCOMING_KINDS.find((one) => one === upcoming);
  if (!kind) return path('phones');
  const advanced = await advanceToNext(runtime, access, kind);
  return back(advanced.ok ? `moved=${movedText(advanced.value.seconds, advanced.value.moved)}` : `result=${advanced.error}`);
});

/** Makes everything that is still to come in the sandbox happen earlier by the time span in the form. */
export const advanceAction = plainAction(page, { seconds: text() }, async ({ runtime, access, path, back }, form) => {
  const seconds = ADVANCE_CHOICES.find((one) => String(one) === form.seconds);
  if (seconds === undefined) return path('phones');
  const moved = await advanceAll(runtime, access, seconds);
  return back(moved.ok ? `moved=${movedText(seconds, moved.value)}` : `result=${moved.error}`);
});

/** Changes the delays of the sandbox. */
export const changeDelayAction = plainAction(page, { percent: text() }, async ({ runtime, access, path, back }, { percent }) => {
  const delayPercent = DELAY_PERCENTS.find((one) => String(one) === percent);
  if (delayPercent === undefined) return path('phones');
  const changed = await controlTime(runtime, access, { advanceSeconds: null, delayPercent });
  return back(`result=${changed.ok ? 'delays' : changed.error}`);
});

/**
 * Returns the value of the query parameter `moved`: by how many seconds, and how many bills, payment requests and webhooks were moved to an
 * earlier time.
 */
function movedText(seconds: number, { bills, paymentRequests, webhooks }: SandboxTime['moved']): string {
  return [seconds, bills, paymentRequests, webhooks].join('.');
}
