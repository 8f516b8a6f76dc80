import { isUuid } from '@/lib/core/ids';
import type { Scope } from '@/lib/core/scope';
import type { Runtime } from '@/lib/runtime/runtime';
import { findEndpoint } from '@/lib/webhooks/endpoint/endpoint-store';
import { messageId } from '@/lib/webhooks/rules';
import { type DeliveryDetail, findDelivery } from './delivery-store';
import { type DeliveryView, viewDeliveries } from './delivery-view';
import { listTryRows } from './try-store';

/** All that is kept of an answer. */
const WHOLE_ANSWER_BYTES = 16 * 1024;

/** One delivery with its whole log, newest try first, and exactly what is sent. */
export interface ShownDelivery extends Omit<DeliveryDetail, 'body'>, DeliveryView {
  /** The `webhook-id` of every try. */
  readonly messageId: string;
  readonly body: string;
}

/** @param scope null for the operator, who may see everything. @returns undefined when there is none of that id in it. */
export async function showDelivery(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  scope: Scope | null,
  id: string,
): Promise<ShownDelivery | undefined> {
  const delivery = isUuid(id) ? await findDelivery(db, scope, id) : undefined;
  if (!delivery) return undefined;
  const [endpoint, tries] = await Promise.all([findEndpoint(db, delivery), listTryRows(db, delivery, [delivery], WHOLE_ANSWER_BYTES)]);
  const [view] = viewDeliveries([delivery], { tries, endpoint, now: clock() });
  return view && { ...delivery, ...view, messageId: messageId(delivery.id), body: Buffer.from(delivery.body).toString('utf8') };
}
