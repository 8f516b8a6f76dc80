import type { MerchantAccess } from '@/lib/accounts/access/grant-access';
import { fail, type Result } from '@/lib/core/result';
import type { Runtime } from '@/lib/runtime/runtime';
import { doneBy, type WebhookDoor, webhookDoor } from '@/lib/webhooks/endpoint/webhook-door';
import { cancelRedelivery } from './cancel-redelivery';

/** A member ends a run of the own merchant. @returns how many deliveries were taken back. */
export async function cancelOwnRedelivery(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  access: MerchantAccess,
  { id, address }: { id: string; address: string | null },
): Promise<Result<{ readonly takenBack: number }, WebhookDoor | 'not_found' | 'over'>> {
  const door = webhookDoor(access);
  return door ? fail(door) : cancelRedelivery(runtime, { ...doneBy(access, address), id });
}
