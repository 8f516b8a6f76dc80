import type { NewBill } from '@/lib/bills/schema';
import { addMs } from '@/lib/core/clock';
import type { Mobile } from '@/lib/core/mobile';
import { roundUpToShilling, type Senti } from '@/lib/core/money';
import type { Network } from '@/lib/core/network';
import type { Scope } from '@/lib/core/scope';
import { findNetworkByPrefix } from '@/lib/networks/store';
import { findPromptName, findProviderAccount } from '@/lib/providers/accounts/serving-store';
import { isRefused } from '@/lib/refusals/store';
import type { Runtime } from '@/lib/runtime/runtime';
import { decidePrompt, type PromptProblem } from './decide-prompt';
import { countsOverBills, LONGEST_WINDOW_MS } from './prompt-limits';
import { listPromptsTo } from './prompt-store';

/** What would happen with the first prompt of a bill if the bill were created now. */
export interface PromptForecast {
  /** The network of the number's prefix. */
  readonly network: Network;
  readonly amount: Senti;
  /** The name that the prompt shows as the receiver of the money; null if the account does not define it. */
  readonly promptName: string | null;
  /** Why no prompt can be sent now; null if one can. */
  readonly problem: PromptProblem | null;
}

/** Returns what would happen with the first prompt of a bill if the bill were created now. Changes and reserves nothing. */
export async function forecastPrompt(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  scope: Scope,
  { amount, mobile }: Pick<NewBill, 'amount'> & { readonly mobile: Mobile },
): Promise<PromptForecast> {
  const now = clock();
  const { environment } = scope;
  const network = await findNetworkByPrefix(db, mobile);
  const account = await findProviderAccount(db, { ...scope, network });
  const asked = roundUpToShilling(amount);
  const decided = decidePrompt(
    {
      bill: { amount, paidAmount: 0n, reservedAmount: 0n, closedAt: null, expiresAt: null },
      attempts: [],
      merchant: { active: true, partialPayments: false },
      mobile,
      network,
      served: account !== undefined,
      requested: asked,
      refused: await isRefused(db, { environment, mobile }),
      prompts: countsOverBills(environment) ? await listPromptsTo(db, { environment, mobile, since: addMs(now, -LONGEST_WINDOW_MS) }) : [],
      now,
    },
    'dashboard',
  );
  const promptName = account ? await findPromptName(db, account.id) : null;
  return { network, amount: asked, promptName, problem: decided.ok ? null : decided.error };
}
