import { type Access, may } from '@/lib/accounts/access/grant-access';
import { type Verification, verifyChain } from '@/lib/audit/verify-chain';
import type { Runtime } from '@/lib/runtime/runtime';

// The running check of each chain. A second request during a check waits for the result of the same check.
const underWay = new Map<string, Promise<Verification>>();

/** Checks every sealed entry of a merchant's audit log. Returns null if the role may not see the log. */
export async function verifyMerchantChain(runtime: Pick<Runtime, 'db' | 'secrets'>, access: Access): Promise<Verification | null> {
  if (!may(access, 'audit.view')) return null;
  const chain = access.scope.merchantId;
  const running = underWay.get(chain) ?? verifyChain(runtime, { chain }).finally(() => underWay.delete(chain));
  underWay.set(chain, running);
  return running;
}
