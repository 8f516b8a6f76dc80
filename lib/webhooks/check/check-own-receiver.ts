import type { MerchantAccess } from '@/lib/accounts/access/grant-access';
import { fail, type Result } from '@/lib/core/result';
import type { Runtime } from '@/lib/runtime/runtime';
import { doneBy, type WebhookDoor, webhookDoor } from '@/lib/webhooks/endpoint/webhook-door';
import { type CheckRefusal, type CheckReport, checkReceiver } from './check-receiver';
import type { StepJudgement } from './check-rules';

/** A member has the own receiver checked. @param onProgress hears what can be said so far, after each call. */
export async function checkOwnReceiver(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'secrets' | 'settings'>,
  access: MerchantAccess,
  { address, onProgress }: { address: string | null; onProgress: (steps: readonly StepJudgement[]) => void },
): Promise<Result<CheckReport, WebhookDoor | CheckRefusal>> {
  const door = webhookDoor(access);
  return door ? fail(door) : checkReceiver(runtime, { ...doneBy(access, address), onProgress });
}
