import { changeBill, lockBill } from '@/lib/bills/change-bill';
import { payableAmount } from '@/lib/bills/rules';
import type { Runtime } from '@/lib/config/runtime';
import { newId, newPaymentReference } from '@/lib/core/ids';
import type { Mobile } from '@/lib/core/mobile';
import type { Senti } from '@/lib/core/money';
import { guessNetwork } from '@/lib/core/network';
import { reserves } from './rules';
import { insertAttempt, listAttempts } from './store';

interface RequestPushOptions {
  readonly billId: string;
  readonly mobile: Mobile;
  /** Senti, whole shillings; null for all that is left. */
  readonly amount?: Senti | null;
  /** The newest attempt that the person saw when asking; an older one means that this was asked already. */
  readonly seenAttemptId: string | null;
}

/** What came of asking for a prompt from the payment page. Only `requested` makes a phone ring. */
export type PushRequest = 'requested' | 'repeated' | 'already_open' | 'nothing_left' | 'more_than_left';

/** Queues a prompt for what is left of a bill. Decided under the bill's lock, so that two people at once cannot ask for more than is left. */
export async function requestPush(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { billId, mobile, amount: asked = null, seenAttemptId }: RequestPushOptions,
): Promise<PushRequest> {
  return runtime.db.transaction(async (tx) => {
    const bill = await lockBill(tx, billId);
    const attempts = await listAttempts(tx, billId);
    const latest = attempts.at(-1);
    if ((latest?.id ?? null) !== seenAttemptId) return 'repeated';
    if (attempts.some((attempt) => attempt.mobile === mobile && reserves(attempt))) return 'already_open';
    const payable = payableAmount(bill);
    if (payable === 0n) return 'nothing_left';
    const amount = asked ?? payable;
    if (amount > payable) return 'more_than_left';

    const now = runtime.clock();
    const attempt = {
      id: newId(runtime),
      bill,
      mobile,
      network: guessNetwork(mobile),
      amount,
      ourReference: newPaymentReference(runtime.random),
      now,
    };
    await insertAttempt(tx, attempt);
    await changeBill(tx, bill, {
      paid: 0n,
      released: -amount,
      payer: null,
      events: [{ type: 'attempt.queued', data: { attempt: attempt.id, source: 'web' } }],
      now,
    });
    return 'requested';
  });
}
