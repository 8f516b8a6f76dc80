import type { Bill } from '@/lib/gateway/bills/rules';
import { isRecord } from '@/lib/platform/core/is-record';
import { OPERATED_NETWORKS, type OperatedNetwork } from '@/lib/platform/core/network';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { listNetworkHealth } from '@/lib/providers/accounts/route-store';

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
  const queued = own && { billId: own.billId, type: 'attempt.queued', data: { path: ['attempt'], equals: own.id } };
  const event = queued && (await db.prisma.billEvent.findFirst({ where: queued, select: { data: true } }));
  // Without a choice of the customer, the number's prefix has decided.
  const chosen = isRecord(event?.data) ? event.data.chosenNetwork : null;
  return { networks, down, chosen: networks.find((network) => network === chosen) ?? null };
}
