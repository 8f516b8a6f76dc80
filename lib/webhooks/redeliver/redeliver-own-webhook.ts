import type { MerchantAccess } from '@/lib/accounts/access/grant-access';
import { fail, type Result } from '@/lib/core/result';
import type { Runtime } from '@/lib/runtime/runtime';
import type { Hold } from '@/lib/webhooks/endpoint/hold-rules';
import { doneBy, type WebhookDoor, webhookDoor } from '@/lib/webhooks/endpoint/webhook-door';
import { type RedeliverRefusal, redeliverWebhook } from './redeliver-webhook';

/** A member has one delivery of the own merchant sent now. */
export async function redeliverOwnWebhook(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  access: MerchantAccess,
  { id: deliveryId, address }: { id: string; address: string | null },
): Promise<Result<{ readonly heldUp: Hold | null }, WebhookDoor | RedeliverRefusal>> {
  const door = webhookDoor(access);
  return door ? fail(door) : redeliverWebhook(runtime, { ...doneBy(access, address), deliveryId });
}
