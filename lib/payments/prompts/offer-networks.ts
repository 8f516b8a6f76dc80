import type { Bill } from '@/lib/bills/rules';
import { OPERATED_NETWORKS, type OperatedNetwork } from '@/lib/core/network';
import { listNetworkHealth } from '@/lib/providers/accounts/serving-store';
import type { Runtime } from '@/lib/runtime/runtime';
import { findChosenNetwork } from './request-store';

/** What a customer can choose from on the payment page, instead of leaving it to the number. */
export interface NetworkOffer {
  readonly networks: readonly OperatedNetwork[];
  /** Those of them whose provider does not answer now. */
  readonly down: readonly OperatedNetwork[];
  /** What this device chose for its last prompt, if that is still served; null for "by the number". */
  readonly chosen: OperatedNetwork | null;
}

/**
 * @param own the prompt that this device asked for; what others chose is theirs.
 * @returns the networks that an active account serves for a bill's merchant now, which of them do not answer, and the device's last choice.
 */
export async function offerNetworks(
  { db }: Pick<Runtime, 'db'>,
  bill: Pick<Bill, 'merchantId' | 'environment'>,
  own: { readonly id: string; readonly billId: string } | undefined,
): Promise<NetworkOffer> {
  const health = await listNetworkHealth(db, bill);
  const networks = OPERATED_NETWORKS.filter((network) => health.some((served) => served.network === network));
  const down = networks.filter((network) => health.some((served) => served.network === network && served.down));
  const chosen = own && (await findChosenNetwork(db, own));
  return { networks, down, chosen: networks.find((network) => network === chosen) ?? null };
}
