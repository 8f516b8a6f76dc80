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
  /** The newest attempt that the person saw when asking; an older one means that this was asked already. */
  readonly seenAttemptId: string | null;
}

/** What came of asking for a prompt from the payment page. Only `requested` makes a phone ring. */
export type PushRequest =
  | { readonly kind: 'requested' | 'repeated' | 'already_open' | 'nothing_left' | 'more_than_left' }
  /** The owner of the number wants no prompts. */
  | { readonly kind: 'refused' }
  | ({ readonly kind: 'too_many' } & LimitReached)
  /** No active account serves the network at this moment. */
  | { readonly kind: 'not_served'; readonly network: Network };

/** Queues a prompt for what is left of a bill. Decided under the bill's lock, so that two people at once cannot ask for more than is left. */
export async function requestPush(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { billId, mobile, chosenNetwork = null, amount: asked = null, seenAttemptId }: RequestPushOptions,
): Promise<PushRequest> {
  return runtime.db.transaction(async (tx) => {
    const bill = await lockBill(tx, billId);
    const attempts = await listAttempts(tx, billId);
    const latest = attempts.at(-1);
    if ((latest?.id ?? null) !== seenAttemptId) return { kind: 'repeated' };
    if (attempts.some((attempt) => attempt.mobile === mobile && reserves(attempt))) return { kind: 'already_open' };
    const payable = payableAmount(bill);
    if (payable === 0n) return { kind: 'nothing_left' };
    const amount = asked ?? payable;
    if (amount > payable) return { kind: 'more_than_left' };
    const network = chosenNetwork ?? (await findNetworkByPrefix(tx, mobile));
    const { environment, merchantId } = bill;
    if (!(await findProviderAccount(tx, { environment, merchantId, network }))) return { kind: 'not_served', network };
    if (await isRefused(tx, { environment, mobile })) return { kind: 'refused' };

    const now = runtime.clock();
    const number = countsOverBills(environment)
      ? await lockPromptsTo(tx, { environment, mobile, since: addMs(now, -LONGEST_WINDOW_MS) })
      : attempts.filter((attempt) => attempt.mobile === mobile);
    const reached = reachedLimit(PAGE_WINDOWS, { number, bill: attempts }, now);
    if (reached) return { kind: 'too_many', ...reached };

    const attempt = { id: newId(runtime), bill, mobile, network, amount, ourReference: newPaymentReference(runtime.random), now };
    await insertAttempt(tx, attempt);
    reach('push.queued');
    await changeBill(tx, bill, {
      paid: 0n,
      released: -amount,
      payer: null,
      events: [{ type: 'attempt.queued', data: { attempt: attempt.id, source: 'web', chosenNetwork } }],
      now,
    });
    return { kind: 'requested' };
  });
}
