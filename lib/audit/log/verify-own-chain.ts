import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import { type Verification, verifyChain } from '@/lib/audit/verify-chain';
import type { Runtime } from '@/lib/runtime/runtime';

// Of the process: pressing the button again while it runs costs nothing more.
const underWay = new Map<string, Promise<Verification>>();

/** A member has every sealed entry of the own merchant checked. @returns null when the role may not see the log. */
export async function verifyOwnChain(runtime: Pick<Runtime, 'db' | 'secrets'>, access: MerchantAccess): Promise<Verification | null> {
  if (!may(access, 'audit.view')) return null;
  const chain = access.scope.merchantId;
  const running = underWay.get(chain) ?? verifyChain(runtime, { chain }).finally(() => underWay.delete(chain));
  underWay.set(chain, running);
  return running;
}
