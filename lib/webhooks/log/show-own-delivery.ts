import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import type { Runtime } from '@/lib/runtime/runtime';
import { findEndpoint } from '@/lib/webhooks/endpoint/endpoint-store';
import { type ShownDelivery, showDelivery } from './show-delivery';

export interface OwnDelivery extends ShownDelivery {
  readonly hasAddress: boolean;
}

/** @returns one delivery of the merchant's, whole; undefined when there is none, or the role may not see it. */
export async function showOwnDelivery(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  access: MerchantAccess,
  id: string,
): Promise<OwnDelivery | undefined> {
  if (!may(access, 'webhooks.view')) return undefined;
  const [delivery, endpoint] = await Promise.all([showDelivery({ db, clock }, access.scope, id), findEndpoint(db, access.scope)]);
  return delivery && { ...delivery, hasAddress: Boolean(endpoint?.url) };
}
