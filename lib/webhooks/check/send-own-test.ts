import type { MerchantAccess } from '@/lib/accounts/access/grant-access';
import { BILL_STATUSES } from '@/lib/bills/rules';
import { fail, type Result } from '@/lib/core/result';
import type { Runtime } from '@/lib/runtime/runtime';
import { doneBy, type WebhookDoor, webhookDoor } from '@/lib/webhooks/endpoint/webhook-door';
import { sendTestEvent, type TestEvent, type TestRefusal } from './send-test-event';

/** A member sends the own server a test. @param status as it came from a form; what is none means the usual one. */
export async function sendOwnTest(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'secrets' | 'settings'>,
  access: MerchantAccess,
  { status, address }: { status: string; address: string | null },
): Promise<Result<TestEvent, WebhookDoor | TestRefusal>> {
  const door = webhookDoor(access);
  if (door) return fail(door);
  return sendTestEvent(runtime, { ...doneBy(access, address), status: BILL_STATUSES.find((one) => one === status) });
}
