import { addMs, SECOND_MS } from '@/lib/platform/core/clock';
import type { Scope } from '@/lib/platform/core/scope';
import type { Queryable } from '@/lib/platform/db/database';
import { sandboxRing } from '@/lib/platform/db/generated/tables';
import { int4, pick, text, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import type { ReadRuntime } from '@/lib/platform/runtime/runtime';
import type { PhoneVisit } from './phone-link';

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
  const { sandboxPhone } = db.prisma;
  if (use.kind === 'close') {
    const heldUntil = addMs(now, RELEASE_MS);
    await sandboxPhone.updateMany({
      where: { ...scope, mobile: { in: [...use.mobiles] }, heldUntil: { gt: heldUntil } },
      data: { heldUntil },
    });
  } else if (use.kind === 'switch') {
    const { mobile, isOn, hasMoney } = use;
    await sandboxPhone.updateMany({
      where: { ...scope, mobile },
      data: { ...(isOn !== null && { isOn }), ...(hasMoney !== null && { hasMoney }) },
    });
  } else if (!REFERENCE.test(use.reference)) return false;
  else if (use.kind === 'decline') return answerRing(db, scope, { reference: use.reference, answer: 'DECLINED', now });
  else {
    if (!/^\d{4}$/.test(use.pin)) return false;
    return answerRing(db, scope, { reference: use.reference, answer: use.pin === WRONG_PIN ? 'WRONG_PIN' : 'PAID', now });
  }
  return true;
}

const ANSWER_RING = statement({
  name: 'answer a prompt on a test phone',
  // A prompt on a test phone has one step in the simulator: it expires. The statement changes this step to the person's answer, unless
  // the step is already due or a worker has claimed it.
  text: `UPDATE sandbox_step s SET due_at = $now,
           status = CASE WHEN $answer = 'DECLINED' OR $answer = 'WRONG_PIN' THEN $answer WHEN p.has_money THEN 'PAID' ELSE 'INSUFFICIENT_BALANCE' END
         FROM sandbox_ring r JOIN sandbox_phone p USING (merchant_id, environment, mobile)
         WHERE r.reference = $reference AND r.merchant_id = $merchantId AND r.environment = $environment
           AND NOT r.missed AND p.is_on
           AND s.reference = r.reference AND s.number = 0 AND s.status = 'EXPIRED' AND s.due_at > $now AND s.tries = 0
         RETURNING 1 AS answered`,
  parameters: { ...pick(sandboxRing, 'merchantId environment reference'), answer: text, now: timestamptz },
  columns: { answered: int4 },
});

/** Answers a prompt. @returns false if the prompt no longer waits for an answer, belongs to another merchant, or if its phone is off. */
async function answerRing(
  db: Queryable,
  { merchantId, environment }: Scope,
  { reference, answer, now }: { readonly reference: string; readonly answer: 'PAID' | 'DECLINED' | 'WRONG_PIN'; readonly now: Date },
): Promise<boolean> {
  return (await ANSWER_RING.rows(db, { merchantId, environment, reference, answer, now })).length > 0;
}
