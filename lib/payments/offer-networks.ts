import type { Bill } from '@/lib/bills/rules';
import type { Runtime } from '@/lib/config/runtime';
import { OPERATED_NETWORKS, type OperatedNetwork } from '@/lib/core/network';
import { listServedNetworks } from './account-store';
import { findChosenNetwork } from './store';

/** What a customer can choose from on the payment page, instead of leaving it to the number. */
export interface NetworkOffer {
  readonly networks: readonly OperatedNetwork[];
  /** What was chosen for the latest prompt, if that is still served; null for "by the number". */
  readonly chosen: OperatedNetwork | null;
}

/** @returns the networks that an active account serves for a bill's merchant now, and the customer's last choice. */
export async function offerNetworks(
  { db }: Pick<Runtime, 'db'>,
  bill: Pick<Bill, 'merchantId' | 'environment'>,
  latestAttempt: { readonly id: string; readonly billId: string } | undefined,
): Promise<NetworkOffer> {
  const served = await listServedNetworks(db, bill);
  const networks = OPERATED_NETWORKS.filter((network) => served.includes(network));
  const chosen = latestAttempt && (await findChosenNetwork(db, latestAttempt));
  return { networks, chosen: networks.find((network) => network === chosen) ?? null };
}
