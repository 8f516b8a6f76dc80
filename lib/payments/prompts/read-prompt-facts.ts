import type { LockedBill } from '@/lib/bills/change-bill';
import { addMs } from '@/lib/core/clock';
import type { Mobile } from '@/lib/core/mobile';
import type { OperatedNetwork } from '@/lib/core/network';
import type { Connection } from '@/lib/db/database';
import { findProfile } from '@/lib/merchants/profile-store';
import { findNetworkByPrefix } from '@/lib/networks/store';
import { findProviderAccount } from '@/lib/providers/accounts/serving-store';
import { isRefused } from '@/lib/refusals/store';
import type { RequestedAmount } from './choose-amount';
import type { PromptFacts } from './decide-prompt';
import { countsOverBills, LONGEST_WINDOW_MS } from './prompt-limits';
import { lockPromptsTo } from './prompt-store';
import type { BillAttempt } from './request-store';

interface PromptInput {
  readonly bill: LockedBill;
  readonly attempts: readonly BillAttempt[];
  readonly mobile: Mobile;
  /** Null for the network of the number's prefix. Numbers are portable, so a choice takes precedence. */
  readonly chosenNetwork: OperatedNetwork | null;
  readonly amount: RequestedAmount;
  readonly now: Date;
}

/** Reads the facts for `decidePrompt` and locks the number until the transaction ends. The caller has locked the bill. */
export async function readPromptFacts(
  tx: Connection,
  { bill, attempts, mobile, chosenNetwork, amount, now }: PromptInput,
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
