import { changeBill, type LockedBill, lockBill } from '@/lib/bills/change-bill';
import { payableAmount } from '@/lib/bills/rules';
import { findBillByLink } from '@/lib/bills/store';
import { reach } from '@/lib/config/fail-point';
import { addMs } from '@/lib/core/clock';
import { newId, newPaymentReference } from '@/lib/core/ids';
import type { Mobile } from '@/lib/core/mobile';
import type { Senti } from '@/lib/core/money';
import type { Network, OperatedNetwork } from '@/lib/core/network';
import type { Queryable } from '@/lib/db/database';
import { findNetworkByPrefix } from '@/lib/networks/store';
import { reserves } from '@/lib/payments/rules';
import { findProviderAccount } from '@/lib/providers/accounts/account-store';
import { isRefused } from '@/lib/refusals/store';
import type { Runtime } from '@/lib/runtime/runtime';
import { type AmountProblem, type AskedAmount, amountChoice, decideAmount, isAboveWallet } from './choose-amount';
import { BILL_WINDOWS, countsOverBills, LONGEST_WINDOW_MS, NUMBER_WINDOWS, reachedLimit, requestedAt, shownAt } from './prompt-limits';
import { lockPromptsTo } from './prompt-store';
import { insertAttempt, listBillAttempts, type NewAttempt } from './request-store';

export interface RequestPushOptions {
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
export type PushRequest =
  | { readonly kind: 'requested' | 'repeated' | 'already_open'; readonly attemptId: string }
  | Objection
  /** Its limit is reached; `until` then, one more can be asked for. */
  | { readonly kind: 'too_many'; readonly limit: 'bill' | 'number'; readonly until: Date };

/** What stands against a prompt, whatever number was asked for before. */
type Objection =
  /** By the merchant, or the merchant by the operator, since the person saw the page. */
  | { readonly kind: 'closed' | 'inactive' | 'nothing_left' }
  | { readonly kind: 'amount_wrong'; readonly problem: AmountProblem }
  /** No customer of the network can send so much at a time. */
  | { readonly kind: 'above_wallet'; readonly network: Network }
  /** No active account serves the network at this moment. */
  | { readonly kind: 'not_served'; readonly network: Network }
  /** The owner of the number wants no prompts. */
  | { readonly kind: 'refused' };

/**
 * Queues a prompt for what is left of a bill. Decided under the bill's lock, so that two people at once cannot ask for more than
 * is left.
 *
 * The order is of use: everybody sees a masked number on the page, and could try out which one it is. So what this bill's
 * earlier numbers say comes after everything else; until then a right guess answers as a wrong one does, and from there on a
 * wrong one rings a phone, and counts.
 */
export async function requestPush(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { billId, mobile, chosenNetwork = null, amount: asked = null, formId = null }: RequestPushOptions,
): Promise<PushRequest> {
  return runtime.db.transaction(async (tx) => {
    const bill = await lockBill(tx, billId);
    const attempts = await listBillAttempts(tx, billId);
    const now = runtime.clock();
    // Of another number it is no repetition: its customer went back and corrected it.
    const repeated = formId !== null && attempts.findLast((attempt) => attempt.formId === formId && attempt.mobile === mobile);
    if (repeated) return { kind: 'repeated', attemptId: repeated.id };

    const decided = await decideBill(tx, bill, asked);
    if (typeof decided !== 'bigint') return decided;
    const network = chosenNetwork ?? (await findNetworkByPrefix(tx, mobile));
    if (isAboveWallet(decided, network)) return { kind: 'above_wallet', network };
    const { environment, merchantId } = bill;
    if (!(await findProviderAccount(tx, { environment, merchantId, network }))) return { kind: 'not_served', network };
    const billUntil = reachedLimit(BILL_WINDOWS, attempts.map(requestedAt), now);
    if (billUntil) return { kind: 'too_many', limit: 'bill', until: billUntil };

    if (await isRefused(tx, { environment, mobile })) return { kind: 'refused' };
    const ofNumber = attempts.filter((attempt) => attempt.mobile === mobile);
    const prompts = countsOverBills(environment)
      ? await lockPromptsTo(tx, { environment, mobile, since: addMs(now, -LONGEST_WINDOW_MS) })
      : ofNumber;
    const shown = prompts.map((prompt) => shownAt(prompt, now));
    const numberUntil = reachedLimit(NUMBER_WINDOWS, shown, now);
    if (numberUntil) return { kind: 'too_many', limit: 'number', until: numberUntil };
    const open = ofNumber.find(reserves);
    if (open) return { kind: 'already_open', attemptId: open.id };

    const id = newId(runtime);
    const attempt: NewAttempt = {
      id,
      bill,
      mobile,
      network,
      amount: decided,
      source: 'web',
      formId,
      ourReference: newPaymentReference(runtime.random),
      now,
    };
    await insertAttempt(tx, attempt);
    reach('push.queued');
    await changeBill(tx, bill, {
      paid: 0n,
      released: -decided,
      payer: null,
      events: [{ type: 'attempt.queued', data: { attempt: id, source: 'web', chosenNetwork } }],
      now,
    });
    return { kind: 'requested', attemptId: id };
  });
}

/** @returns how much of a locked bill a prompt may ask for, as it stands now and not when the form was seen; or what is against any. */
async function decideBill(tx: Queryable, bill: LockedBill, asked: AskedAmount): Promise<Senti | Objection> {
  if (bill.closedAt !== null) return { kind: 'closed' };
  const linked = await findBillByLink(tx, bill.environment, bill.id);
  if (!linked?.merchantActive) return { kind: 'inactive' };
  const payable = payableAmount(bill);
  if (payable === 0n) return { kind: 'nothing_left' };
  const amount = decideAmount(asked, amountChoice(payable, bill, linked.partialPayments), payable);
  return amount.ok ? amount.value : { kind: 'amount_wrong', problem: amount.error };
}
