import type { Bill } from '@/lib/bills/rules';
import { OPERATED_NETWORKS, type OperatedNetwork } from '@/lib/core/network';
import { listNetworkHealth } from '@/lib/providers/accounts/serving-store';
import type { Runtime } from '@/lib/runtime/runtime';
import { findChosenNetwork } from './request-store';

/** The networks that a customer can choose on the payment page, instead of the network of the number's prefix. */
export interface NetworkOffer {
  readonly networks: readonly OperatedNetwork[];
  /** The networks whose accounts are all suspended now. */
  readonly down: readonly OperatedNetwork[];
  /** The network that this device chose for its last attempt. Null if it chose none, or if no active account serves that network now. */
  readonly chosen: OperatedNetwork | null;
}

/**
 * Returns the networks that an active account of the bill's merchant or of the operator serves, those of them that are down, and the
 * network that this device chose last.
 * @param own the attempt that this device started. The choices of other devices are private.
 */
export async function offerNetworks(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  bill: Pick<Bill, 'merchantId' | 'environment'>,
  own: { readonly id: string; readonly billId: string } | undefined,
): Promise<NetworkOffer> {
  const health = await listNetworkHealth(db, bill, clock());
  const networks = OPERATED_NETWORKS.filter((network) => health.some((served) => served.network === network));
  const down = networks.filter((network) => health.some((served) => served.network === network && served.down));
  const chosen = own && (await findChosenNetwork(db, own));
  return { networks, down, chosen: networks.find((network) => network === chosen) ?? null };
}
