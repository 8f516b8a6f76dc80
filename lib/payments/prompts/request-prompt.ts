import { lockBill } from '@/lib/bills/change-bill';
import type { Mobile } from '@/lib/core/mobile';
import type { OperatedNetwork } from '@/lib/core/network';
import type { Runtime } from '@/lib/runtime/runtime';
import type { RequestedAmount } from './choose-amount';
import type { PromptProblem } from './decide-prompt';
import { queuePrompt } from './queue-prompt';
import { listBillAttempts } from './request-store';

export interface RequestPromptOptions {
  readonly billId: string;
  readonly mobile: Mobile;
  /** Null or absent to use the network of the number's prefix. A chosen network is used instead, because a number can move to another. */
  readonly chosenNetwork?: OperatedNetwork | null;
  /** Null or absent means the whole remaining amount. */
  readonly amount?: RequestedAmount;
  /** Identifies the form, so that a repetition is recognised; null or absent if it is unknown. */
  readonly formId?: string | null;
}

/**
 * The result of a request on the payment page. Only `requested` sends a prompt. `repeated` and `already_open` contain the existing
 * attempt of the number.
 */
export type RequestPromptResult = { readonly kind: 'requested' | 'repeated'; readonly attemptId: string } | PromptProblem;

/** Queues a prompt. Decides under the bill's lock, so that two customers at the same time cannot reserve more than is left. */
export async function requestPrompt(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { billId, mobile, chosenNetwork = null, amount = null, formId = null }: RequestPromptOptions,
): Promise<RequestPromptResult> {
  return runtime.db.transaction(async (tx) => {
    const bill = await lockBill(tx, billId);
    const attempts = await listBillAttempts(tx, billId);
    const now = runtime.clock();
    // The same form with another number is not a repetition: the customer went back and corrected the number.
    const repeated = formId !== null && attempts.findLast((attempt) => attempt.formId === formId && attempt.mobile === mobile);
    if (repeated) return { kind: 'repeated', attemptId: repeated.id };

    const queued = await queuePrompt(runtime, tx, { bill, attempts, mobile, chosenNetwork, amount, source: 'web', formId, now });
    return queued.ok ? { kind: 'requested', attemptId: queued.value.id } : queued.error;
  });
}
