import { addMs, SECOND_MS } from '@/lib/core/clock';
import type { ReadRuntime } from '@/lib/runtime/runtime';
import type { PhoneVisit } from './link';
import { answerRing, releasePhones, switchPhone } from './store';

/** This PIN is wrong. Any other four digits are right. */
export const WRONG_PIN = '0000';

/**
 * How long test phones still receive prompts after a page has reported that it was closed. The time is not zero because of reloads: the
 * report of the old page may arrive after the first request of the new page. The new page repeats its request every second, and each
 * request makes the phones receive prompts for longer.
 */
const RELEASE_MS = 3 * SECOND_MS;

/** The form of our reference. Texts of another form are not looked up, because PostgreSQL fails on a text with U+0000. */
const REFERENCE = /^[A-Z0-9]{20}$/;

/** What a person does with a test phone. */
export type PhoneUse =
  | { readonly kind: 'answer'; readonly reference: string; readonly pin: string }
  | { readonly kind: 'decline'; readonly reference: string }
  | { readonly kind: 'switch'; readonly mobile: string; readonly isOn: boolean | null; readonly hasMoney: boolean | null }
  | { readonly kind: 'close'; readonly mobiles: readonly string[] };

/**
 * Does on a test phone what the visitor of its page wants. Does not change a prompt that no longer waits for an answer.
 * @returns false if the PIN does not have four digits, or if the prompt no longer waits for an answer.
 */
export async function operatePhone({ db, clock }: ReadRuntime, { scope }: PhoneVisit, use: PhoneUse): Promise<boolean> {
  const now = clock();
  if (use.kind === 'close') await releasePhones(db, scope, { mobiles: use.mobiles, until: addMs(now, RELEASE_MS) });
  else if (use.kind === 'switch') await switchPhone(db, scope, use.mobile, use);
  else if (!REFERENCE.test(use.reference)) return false;
  else if (use.kind === 'decline') return answerRing(db, scope, { reference: use.reference, answer: 'DECLINED', now });
  else {
    if (!/^\d{4}$/.test(use.pin)) return false;
    return answerRing(db, scope, { reference: use.reference, answer: use.pin === WRONG_PIN ? 'WRONG_PIN' : 'PAID', now });
  }
  return true;
}
