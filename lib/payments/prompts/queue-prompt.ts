import { changeBill, type LockedBill } from '@/lib/bills/change-bill';
import { reach } from '@/lib/config/fail-point';
import { addMs } from '@/lib/core/clock';
import { newId, newPaymentReference } from '@/lib/core/ids';
import type { Mobile } from '@/lib/core/mobile';
import type { Senti } from '@/lib/core/money';
import type { Network, OperatedNetwork } from '@/lib/core/network';
import { ok, type Result } from '@/lib/core/result';
import type { Connection } from '@/lib/db/database';
import { findProfile } from '@/lib/merchants/profile-store';
import { findNetworkByPrefix } from '@/lib/networks/store';
import { findProviderAccount } from '@/lib/providers/accounts/serving-store';
import { isRefused } from '@/lib/refusals/store';
import type { Runtime } from '@/lib/runtime/runtime';
import type { RequestedAmount } from './choose-amount';
import { decidePrompt, type PromptFacts, type PromptProblem } from './decide-prompt';
import { countsOverBills, LONGEST_WINDOW_MS } from './prompt-limits';
import { lockPromptsTo } from './prompt-store';
import { type BillAttempt, insertAttempt } from './request-store';

interface QueuePromptOptions {
  readonly bill: LockedBill;
  readonly attempts: readonly BillAttempt[];
  readonly mobile: Mobile;
  /** Null to use the network of the number's prefix. A chosen network is used instead, because a number can move to another network. */
  readonly chosenNetwork: OperatedNetwork | null;
  readonly amount: RequestedAmount;
  readonly source: 'web' | 'dashboard' | 'api';
  /** The member or API key that requests the prompt; absent on the payment page. */
  readonly by?: string;
  readonly formId: string | null;
  readonly now: Date;
}

/** Decides whether a prompt may be sent, and queues it. The caller has locked the bill. */
export async function queuePrompt(
  runtime: Pick<Runtime, 'clock' | 'random'>,
  tx: Connection,
  options: QueuePromptOptions,
): Promise<Result<{ readonly id: string; readonly network: Network; readonly amount: Senti }, PromptProblem>> {
  const { bill, mobile, chosenNetwork, source, by, formId, now } = options;
  const facts = await readPromptFacts(tx, options);
  const decided = decidePrompt(facts, source === 'web' ? 'page' : 'dashboard');
  if (!decided.ok) return decided;
  const id = newId(runtime);
  const ourReference = newPaymentReference(runtime.random);
  const { network } = facts;
  const amount = decided.value;
  await insertAttempt(tx, { id, bill, mobile, network, amount, source, formId, ourReference, now });
  reach('push.queued');
  const events = [{ type: 'attempt.queued', data: { attempt: id, source, ...(by !== undefined && { by }), chosenNetwork } }];
  await changeBill(tx, bill, { paid: 0n, released: -amount, payer: null, events, now });
  return ok({ id, network, amount });
}

/** Reads the facts for `decidePrompt` and locks the number until the transaction ends. */
async function readPromptFacts(
  tx: Connection,
  { bill, attempts, mobile, chosenNetwork, amount, now }: QueuePromptOptions,
): Promise<PromptFacts> {
  const { environment, merchantId } = bill;
  const profile = await findProfile(tx, bill);
  const network = chosenNetwork ?? (await findNetworkByPrefix(tx, mobile));
  return {
    bill,
    attempts,
    merchant: { active: profile?.status === 'active', partialPayments: profile?.partialPayments ?? false },
    mobile,
    network,
    served: (await findProviderAccount(tx, { environment, merchantId, network })) !== undefined,
    requested: amount,
    refused: await isRefused(tx, { environment, mobile }),
    prompts: countsOverBills(environment)
      ? await lockPromptsTo(tx, { environment, mobile, since: addMs(now, -LONGEST_WINDOW_MS) })
      : attempts.filter((attempt) => attempt.mobile === mobile),
    now,
  };
}
