import type { MerchantAccess } from '@/lib/accounts/grant-access';
import type { Runtime } from '@/lib/config/runtime';
import { fail, type Result } from '@/lib/core/result';
import type { Hold } from './hold-rules';
import { type RedeliverRefusal, redeliverWebhook } from './redeliver-webhook';
import { doneBy, type WebhookDoor, webhookDoor } from './webhook-door';

/** A member has one delivery of the own merchant sent now. */
export async function redeliverOwnWebhook(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  access: MerchantAccess,
  { id: deliveryId, address }: { id: string; address: string | null },
): Promise<Result<{ readonly heldUp: Hold | null }, WebhookDoor | RedeliverRefusal>> {
  const door = webhookDoor(access);
  return door ? fail(door) : redeliverWebhook(runtime, { ...doneBy(access, address), deliveryId });
}
