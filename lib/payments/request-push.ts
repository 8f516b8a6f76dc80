import { changeBill, lockBill } from '@/lib/bills/change-bill';
import { payableAmount } from '@/lib/bills/rules';
import { reach } from '@/lib/config/fail-point';
import type { Runtime } from '@/lib/config/runtime';
import { addMs } from '@/lib/core/clock';
import { newId, newPaymentReference } from '@/lib/core/ids';
import type { Mobile } from '@/lib/core/mobile';
import type { Senti } from '@/lib/core/money';
import type { Network, OperatedNetwork } from '@/lib/core/network';
import { findNetworkByPrefix } from '@/lib/networks/store';
import { isRefused } from '@/lib/refusals/store';
import { findProviderAccount } from './account-store';
import { type AmountProblem, isAboveWallet } from './choose-amount';
import { countsOverBills, type LimitReached, LONGEST_WINDOW_MS, PAGE_WINDOWS, reachedLimit } from './prompt-limits';
import { lockPromptsTo } from './prompt-store';
import { reserves } from './rules';
import { insertAttempt, listAttempts } from './store';

interface RequestPushOptions {
  readonly billId: string;
  readonly mobile: Mobile;
  /** What the customer chose; null or absent leaves it to the number's prefix. Numbers are portable, so the choice counts. */
  readonly chosenNetwork?: OperatedNetwork | null;
  /** Senti, whole shillings; null for all that is left. */
  readonly amount?: Senti | null;
  /** What is wrong with the amount. A repeated form is recognised before that is said: what it asked for is no longer left. */
  readonly wrongAmount?: AmountProblem | null;
  /** The newest attempt that the person saw when asking; a newer one of the same number means that this was asked already. */
  readonly seenAttemptId: string | null;
}

/**
 * What came of asking for a prompt from the payment page. Only `requested` makes a phone ring; `repeated` and `already_open`
 * name the prompt of that number that there is.
 */
export type PushRequest =
  | { readonly kind: 'requested' | 'repeated' | 'already_open'; readonly attemptId: string }
  /** `closed`: by the merchant, since the person saw the page. */
  | { readonly kind: 'nothing_left' | 'more_than_left' | 'closed' }
  | { readonly kind: 'amount_wrong'; readonly problem: AmountProblem }
  /** No customer of the network can send so much at a time. */
  | { readonly kind: 'above_wallet'; readonly network: Network }
  /** The owner of the number wants no prompts. */
  | { readonly kind: 'refused' }
  | ({ readonly kind: 'too_many' } & LimitReached)
  /** No active account serves the network at this moment. */
  | { readonly kind: 'not_served'; readonly network: Network };

/** Queues a prompt for what is left of a bill. Decided under the bill's lock, so that two people at once cannot ask for more than is left. */
export async function requestPush(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { billId, mobile, chosenNetwork = null, amount: asked = null, wrongAmount = null, seenAttemptId }: RequestPushOptions,
): Promise<PushRequest> {
  return runtime.db.transaction(async (tx) => {
    const bill = await lockBill(tx, billId);
    const attempts = await listAttempts(tx, billId);
    const ofNumber = attempts.filter((attempt) => attempt.mobile === mobile);
    const open = ofNumber.find(reserves);
    if (open) return { kind: 'already_open', attemptId: open.id };
    // What others asked for meanwhile is no repetition: several people pay one bill.
    const unseen = ofNumber.at(-1);
    if (unseen && attempts.indexOf(unseen) > attempts.findIndex(({ id }) => id === seenAttemptId))
      return { kind: 'repeated', attemptId: unseen.id };
    if (bill.closedAt !== null) return { kind: 'closed' };
    const payable = payableAmount(bill);
    if (payable === 0n) return { kind: 'nothing_left' };
    if (wrongAmount !== null) return { kind: 'amount_wrong', problem: wrongAmount };
    const amount = asked ?? payable;
    if (amount > payable) return { kind: 'more_than_left' };
    const network = chosenNetwork ?? (await findNetworkByPrefix(tx, mobile));
    if (isAboveWallet(amount, network)) return { kind: 'above_wallet', network };
    const { environment, merchantId } = bill;
    if (!(await findProviderAccount(tx, { environment, merchantId, network }))) return { kind: 'not_served', network };
    if (await isRefused(tx, { environment, mobile })) return { kind: 'refused' };

    const now = runtime.clock();
    const number = countsOverBills(environment)
      ? await lockPromptsTo(tx, { environment, mobile, since: addMs(now, -LONGEST_WINDOW_MS) })
      : ofNumber;
    const reached = reachedLimit(PAGE_WINDOWS, { number, bill: attempts }, now);
    if (reached) return { kind: 'too_many', ...reached };

    const id = newId(runtime);
    const attempt = { id, bill, mobile, network, amount, ourReference: newPaymentReference(runtime.random), now };
    await insertAttempt(tx, attempt);
    reach('push.queued');
    await changeBill(tx, bill, {
      paid: 0n,
      released: -amount,
      payer: null,
      events: [{ type: 'attempt.queued', data: { attempt: id, source: 'web', chosenNetwork } }],
      now,
    });
    return { kind: 'requested', attemptId: id };
  });
}
