import { recordEntry } from '@/lib/audit/record-entry';
import type { Actor } from '@/lib/core/actor';
import { isUuid } from '@/lib/core/ids';
import type { Network } from '@/lib/core/network';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Environment } from '@/lib/core/scope';
import type { Runtime } from '@/lib/runtime/runtime';
import { saveRoute } from './route-store';

interface SetRouteOptions {
  readonly environment: Environment;
  /** The owner of the accounts; null for the operator. */
  readonly merchantId: string | null;
  readonly network: Network;
  /** The accounts in the order in which they are tried. The owner's other accounts come after them. */
  readonly accountIds: readonly string[];
  readonly actor: Actor;
}

/** Sets the order in which an owner's accounts are tried for a network. The new order counts from the next payment request on. */
export async function setRoute(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { environment, merchantId, network, accountIds, actor }: SetRouteOptions,
): Promise<Result<null, string>> {
  if (new Set(accountIds).size < accountIds.length) return fail('An account is named twice.');
  const accounts = await runtime.db.prisma.providerAccount.findMany({
    where: { id: { in: accountIds.filter(isUuid) }, environment, merchantId, disabledAt: null },
    select: { id: true, networks: true },
  });
  for (const id of accountIds) {
    const account = accounts.find((one) => one.id === id);
    if (!account) return fail(`There is no active account ${id} of this owner in ${environment}; "bili provider list" shows all.`);
    if (!account.networks.includes(network)) return fail(`The account ${id} does not serve ${network}.`);
  }
  await runtime.db.transaction(async (tx) => {
    await saveRoute(tx, { environment, merchantId, network }, accountIds);
    const data = { network, accounts: [...accountIds] };
    await recordEntry(runtime, { merchantId, environment, actor, action: 'provider_route.set', subject: network, data }, tx);
  });
  return ok(null);
}
