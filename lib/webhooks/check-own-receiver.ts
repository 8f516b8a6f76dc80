import type { MerchantAccess } from '@/lib/accounts/grant-access';
import type { Runtime } from '@/lib/config/runtime';
import { fail, type Result } from '@/lib/core/result';
import { type CheckRefusal, type CheckReport, checkReceiver } from './check-receiver';
import type { StepJudgement } from './check-rules';
import { doneBy, type WebhookDoor, webhookDoor } from './webhook-door';

/** A member has the own receiver checked. @param onProgress hears what can be said so far, after each call. */
export async function checkOwnReceiver(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'secrets' | 'settings'>,
  access: MerchantAccess,
  { address, onProgress }: { address: string | null; onProgress: (steps: readonly StepJudgement[]) => void },
): Promise<Result<CheckReport, WebhookDoor | CheckRefusal>> {
  const door = webhookDoor(access);
  return door ? fail(door) : checkReceiver(runtime, { ...doneBy(access, address), onProgress });
}
