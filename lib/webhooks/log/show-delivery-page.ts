import { type Access, may } from '@/lib/accounts/access/grant-access';
import type { ReadRuntime } from '@/lib/runtime/runtime';
import { findEndpoint } from '@/lib/webhooks/endpoint/endpoint-store';
import { type ShownDelivery, showDelivery } from './show-delivery';

interface DeliveryDetailPage extends ShownDelivery {
  readonly hasAddress: boolean;
}

/** Returns one delivery with all of its attempts; undefined if the merchant has none with that id, or the role may not see it. */
export async function showDeliveryPage({ db, clock }: ReadRuntime, access: Access, id: string): Promise<DeliveryDetailPage | undefined> {
  if (!may(access, 'webhooks.view')) return undefined;
  const [delivery, endpoint] = await Promise.all([showDelivery({ db, clock }, access.scope, id), findEndpoint(db, access.scope)]);
  return delivery && { ...delivery, hasAddress: Boolean(endpoint?.url) };
}
