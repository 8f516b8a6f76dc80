import type { NewBill } from '@/lib/gateway/bills/schema';
import { findNetworkByPrefix } from '@/lib/gateway/networks/store';
import { addMs } from '@/lib/platform/core/clock';
import type { Mobile } from '@/lib/platform/core/mobile';
import { roundUpToShilling, type Senti } from '@/lib/platform/core/money';
import type { Network } from '@/lib/platform/core/network';
import type { Scope } from '@/lib/platform/core/scope';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { findProviderAccount } from '@/lib/providers/accounts/route-store';
import { countsOverBills, decidePrompt, LONGEST_WINDOW_MS, type PromptProblem } from './decide-prompt';
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
      refused: (await db.prisma.promptRefusal.count({ where: { environment, mobile, state: 'ACTIVE' } })) > 0,
      prompts: countsOverBills(environment) ? await listPromptsTo(db, { environment, mobile, since: addMs(now, -LONGEST_WINDOW_MS) }) : [],
      now,
    },
    'dashboard',
  );
  const named = account && (await db.prisma.providerAccount.findUnique({ where: { id: account.id }, select: { promptName: true } }));
  return { network, amount: asked, promptName: named?.promptName ?? null, problem: decided.ok ? null : decided.error };
}
