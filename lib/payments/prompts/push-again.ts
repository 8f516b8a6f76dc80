import { type AccessRefusal, findRefusal, type MerchantAccess } from '@/lib/accounts/access/grant-access';
import { recordEntry } from '@/lib/audit/record-entry';
import { changeBill, type LockedBill, lockBill } from '@/lib/bills/change-bill';
import { payableAmount } from '@/lib/bills/rules';
import { findBillOf } from '@/lib/bills/store';
import { addMs } from '@/lib/core/clock';
import { isUuid, newId, newPaymentReference } from '@/lib/core/ids';
import { type Mobile, readMobile } from '@/lib/core/mobile';
import { readShillings, type Senti } from '@/lib/core/money';
import { isOperatedNetwork, type Network, type OperatedNetwork } from '@/lib/core/network';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Queryable } from '@/lib/db/database';
import { findProfile } from '@/lib/merchants/profile-store';
import { findNetworkByPrefix } from '@/lib/networks/store';
import { type Attempt, reserves } from '@/lib/payments/rules';
import { findProviderAccount } from '@/lib/providers/accounts/account-store';
import { isRefused } from '@/lib/refusals/store';
import type { Runtime } from '@/lib/runtime/runtime';
import { type AmountProblem, amountChoice, decideAmount, isAboveWallet } from './choose-amount';
import { API_WINDOWS, countsOverBills, LONGEST_WINDOW_MS, reachedLimit, shownAt } from './prompt-limits';
import { lockPromptsTo } from './prompt-store';
import { type BillAttempt, insertAttempt, listBillAttempts } from './request-store';

interface PushAgainOptions {
  readonly billId: string;
  /** As they were typed. The network is empty for "by the number", the amount null where the form has none. */
  readonly mobile: string;
  readonly network: string;
  readonly amount: string | null;
  /** The form's own number: sent twice, it rings one phone once. */
  readonly formId: string;
  readonly address: string | null;
}

export type PushRefusal =
  | { readonly kind: AccessRefusal | 'not_found' | 'form_invalid' | 'mobile_invalid' | 'network_invalid' }
  | { readonly kind: 'closed' | 'inactive' | 'nothing_left' }
  /** Phones are being asked for all that is left; or this one is, and may still agree. */
  | { readonly kind: 'all_asked' | 'already_open' }
  | { readonly kind: 'amount_wrong'; readonly problem: AmountProblem; readonly payable: Senti }
  /** No customer of the network can send so much at a time; no active account serves it. */
  | { readonly kind: 'above_wallet' | 'not_served'; readonly network: Network }
  /** The owner of the number wants no prompts. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'too_many'; readonly until: Date };

type Needs = Pick<Runtime, 'db' | 'clock' | 'random'>;

interface Asked {
  readonly mobile: Mobile;
  readonly chosenNetwork: OperatedNetwork | null;
  readonly amount: string | null;
}

/** What is asked for once nothing stands against it. */
interface Prompt {
  readonly amount: Senti;
  readonly network: Network;
}

/**
 * Has a phone asked for what is left of a bill, as a person of the merchant's who knows the customer: within the limits of the
 * API's prompts. Decided under the bill's lock.
 * @returns the prompt's id; of a form that was sent before, the one that it made.
 */
export async function pushAgain(runtime: Needs, access: MerchantAccess, options: PushAgainOptions): Promise<Result<string, PushRefusal>> {
  const refusal = findRefusal(access, 'bills.change');
  if (refusal) return fail({ kind: refusal });
  const { billId, network, amount, formId, address } = options;
  const found = isUuid(billId) ? await findBillOf(runtime.db, access, billId) : undefined;
  if (!found) return fail({ kind: 'not_found' });
  if (!isUuid(formId)) return fail({ kind: 'form_invalid' });
  const mobile = readMobile(options.mobile);
  if (mobile === null) return fail({ kind: 'mobile_invalid' });
  if (network !== '' && !isOperatedNetwork(network)) return fail({ kind: 'network_invalid' });
  const chosenNetwork = network === '' ? null : network;

  return runtime.db.transaction(async (tx): Promise<Result<string, PushRefusal>> => {
    const bill = await lockBill(tx, billId);
    const attempts = await listBillAttempts(tx, billId);
    const before = attempts.find((attempt) => attempt.formId === formId);
    if (before) return ok(before.id);
    const now = runtime.clock();
    const prompt = await decidePrompt(tx, bill, attempts, { mobile, chosenNetwork, amount }, now);
    if (!prompt.ok) return prompt;
    const id = newId(runtime);
    const ourReference = newPaymentReference(runtime.random);
    await insertAttempt(tx, { id, bill, mobile, ...prompt.value, source: 'dashboard', formId, ourReference, now });
    const by = `user:${access.user.email}`;
    const data = { attempt: id, source: 'dashboard', by, chosenNetwork };
    await changeBill(tx, bill, { paid: 0n, released: -prompt.value.amount, payer: null, events: [{ type: 'attempt.queued', data }], now });
    const about = { ...access.scope, actor: by, address, action: 'attempt.requested', subject: id };
    const asked = { bill: billId, mobile, network: prompt.value.network, amount: prompt.value.amount.toString() };
    await recordEntry(runtime, { ...about, data: asked }, tx);
    return ok(id);
  });
}

async function decidePrompt(
  tx: Queryable,
  bill: LockedBill,
  attempts: readonly BillAttempt[],
  { mobile, chosenNetwork, amount: typed }: Asked,
  now: Date,
): Promise<Result<Prompt, PushRefusal>> {
  const { environment, merchantId } = bill;
  const ofNumber = attempts.filter((attempt) => attempt.mobile === mobile);
  const profile = await findProfile(tx, bill);
  if (bill.closedAt !== null) return fail({ kind: 'closed' });
  if (profile?.status !== 'active') return fail({ kind: 'inactive' });
  if (ofNumber.some(reserves)) return fail({ kind: 'already_open' });
  const payable = payableAmount(bill);
  if (payable === 0n) return fail({ kind: attempts.some(reserves) ? 'all_asked' : 'nothing_left' });
  const asked = typed === null ? null : (readShillings(typed) ?? 'unreadable');
  const decided = decideAmount(asked, amountChoice(payable, bill, profile.partialPayments), payable);
  if (!decided.ok) return fail({ kind: 'amount_wrong', problem: decided.error, payable });
  const amount = decided.value;
  const network = chosenNetwork ?? (await findNetworkByPrefix(tx, mobile));
  if (isAboveWallet(amount, network)) return fail({ kind: 'above_wallet', network });
  if (!(await findProviderAccount(tx, { environment, merchantId, network }))) return fail({ kind: 'not_served', network });
  if (await isRefused(tx, { environment, mobile })) return fail({ kind: 'refused' });
  const until = await limitedUntil(tx, bill, mobile, ofNumber, now);
  return until ? fail({ kind: 'too_many', until }) : ok({ amount, network });
}

/** @returns when a number may be asked again, or null for now. */
async function limitedUntil(
  tx: Queryable,
  { environment }: LockedBill,
  mobile: Mobile,
  ofNumber: readonly Attempt[],
  now: Date,
): Promise<Date | null> {
  const number = countsOverBills(environment)
    ? await lockPromptsTo(tx, { environment, mobile, since: addMs(now, -LONGEST_WINDOW_MS) })
    : ofNumber;
  const shown = number.map((prompt) => shownAt(prompt, now));
  return reachedLimit(API_WINDOWS, shown, now);
}
