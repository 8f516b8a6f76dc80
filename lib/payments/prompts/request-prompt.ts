import { changeBill, lockBill } from '@/lib/bills/change-bill';
import { reach } from '@/lib/config/fail-point';
import { newId, newPaymentReference } from '@/lib/core/ids';
import type { Mobile } from '@/lib/core/mobile';
import type { OperatedNetwork } from '@/lib/core/network';
import type { Runtime } from '@/lib/runtime/runtime';
import type { AskedAmount } from './choose-amount';
import { decidePrompt, type PromptProblem } from './decide-prompt';
import { readPromptFacts } from './read-prompt-facts';
import { insertAttempt, listBillAttempts } from './request-store';

export interface RequestPromptOptions {
  readonly billId: string;
  readonly mobile: Mobile;
  /** What the customer chose; null or absent leaves it to the number's prefix. Numbers are portable, so the choice counts. */
  readonly chosenNetwork?: OperatedNetwork | null;
  /** Null or absent for all that is left. */
  readonly amount?: AskedAmount;
  /** The number of the form that asks; null or absent where nobody knows what it repeats. */
  readonly formId?: string | null;
}

/**
 * What came of asking for a prompt from the payment page. Only `requested` makes a phone ring; `repeated` and `already_open`
 * name the prompt of that number that there is.
 */
export type RequestedPrompt = { readonly kind: 'requested' | 'repeated'; readonly attemptId: string } | PromptProblem;

/**
 * Queues a prompt for what is left of a bill. Decided under the bill's lock, so that two people at once cannot ask for more than
 * is left.
 */
export async function requestPrompt(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { billId, mobile, chosenNetwork = null, amount = null, formId = null }: RequestPromptOptions,
): Promise<RequestedPrompt> {
  return runtime.db.transaction(async (tx) => {
    const bill = await lockBill(tx, billId);
    const attempts = await listBillAttempts(tx, billId);
    const now = runtime.clock();
    // Of another number it is no repetition: its customer went back and corrected it.
    const repeated = formId !== null && attempts.findLast((attempt) => attempt.formId === formId && attempt.mobile === mobile);
    if (repeated) return { kind: 'repeated', attemptId: repeated.id };

    const facts = await readPromptFacts(tx, { bill, attempts, mobile, chosenNetwork, amount, now });
    const decided = decidePrompt(facts, 'page');
    if (!decided.ok) return decided.error;

    const id = newId(runtime);
    const ourReference = newPaymentReference(runtime.random);
    const { network } = facts;
    await insertAttempt(tx, { id, bill, mobile, network, amount: decided.value, source: 'web', formId, ourReference, now });
    reach('push.queued');
    await changeBill(tx, bill, {
      paid: 0n,
      released: -decided.value,
      payer: null,
      events: [{ type: 'attempt.queued', data: { attempt: id, source: 'web', chosenNetwork } }],
      now,
    });
    return { kind: 'requested', attemptId: id };
  });
}
