import { type MerchantAccess, may } from '@/lib/accounts/grant-access';
import type { Runtime } from '@/lib/config/runtime';
import { findEndpoint } from './endpoint-store';
import { earliestTry, type Hold, holdUp } from './hold-rules';
import { type ShownDelivery, showDelivery } from './show-delivery';

export interface OwnDelivery extends ShownDelivery {
  /** What holds it up, where it is due; null where nothing does. */
  readonly heldUp: Hold | null;
  readonly hasAddress: boolean;
  /** When it can go out at the earliest; null where that is now, or nobody can say. */
  readonly nextTry: Date | null;
}

/** @returns one delivery of the merchant's, whole; undefined when there is none, or the role may not see it. */
export async function showOwnDelivery(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  access: MerchantAccess,
  id: string,
): Promise<OwnDelivery | undefined> {
  if (!may(access, 'webhooks.view')) return undefined;
  const [delivery, endpoint] = await Promise.all([showDelivery({ db }, access.scope, id), findEndpoint(db, access.scope)]);
  const now = clock();
  const heldUp = endpoint ? holdUp(endpoint, now) : null;
  const nextTry = delivery?.dueAt ? earliestTry(delivery.dueAt, heldUp, now) : null;
  return delivery && { ...delivery, heldUp, nextTry, hasAddress: Boolean(endpoint?.url) };
}
