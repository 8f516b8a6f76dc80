import { findEndpoint } from '@/lib/gateway/webhooks/endpoint/endpoint-store';
import { messageId } from '@/lib/gateway/webhooks/rules';
import { type Access, may } from '@/lib/identity/accounts/access/grant-access';
import { isUuid } from '@/lib/platform/core/ids';
import type { Scope } from '@/lib/platform/core/scope';
import type { ReadRuntime } from '@/lib/platform/runtime/runtime';
import { type DeliveryDetail, findDelivery, listAttempts } from './delivery-store';
import { type DeliveryView, viewDeliveries } from './delivery-view';

/** The maximum length of a stored response body, bytes. */
const WHOLE_ANSWER_BYTES = 16 * 1024;

/** A delivery with its body and all its attempts, newest first. */
export interface ShownDelivery extends Omit<DeliveryDetail, 'body'>, DeliveryView {
  /** The `webhook-id` of all attempts. */
  readonly messageId: string;
  readonly body: string;
}

/** Returns a delivery, or undefined if it does not exist in the scope. @param scope null for the operator, who may see all merchants. */
export async function showDelivery({ db, clock }: ReadRuntime, scope: Scope | null, id: string): Promise<ShownDelivery | undefined> {
  const delivery = isUuid(id) ? await findDelivery(db, scope, id) : undefined;
  if (!delivery) return undefined;
  const [endpoint, attempts] = await Promise.all([findEndpoint(db, delivery), listAttempts(db, delivery, [delivery], WHOLE_ANSWER_BYTES)]);
  const [view] = viewDeliveries([delivery], { attempts, endpoint, now: clock() });
  return view && { ...delivery, ...view, messageId: messageId(delivery.id), body: Buffer.from(delivery.body).toString('utf8') };
}

interface DeliveryDetailPage extends ShownDelivery {
  readonly hasAddress: boolean;
}

/** Returns a delivery with its delivery attempts; undefined if the merchant has none with that id, or the role may not see it. */
export async function showDeliveryPage({ db, clock }: ReadRuntime, access: Access, id: string): Promise<DeliveryDetailPage | undefined> {
  if (!may(access, 'webhooks.view')) return undefined;
  const [delivery, endpoint] = await Promise.all([showDelivery({ db, clock }, access.scope, id), findEndpoint(db, access.scope)]);
  return delivery && { ...delivery, hasAddress: Boolean(endpoint?.url) };
}
