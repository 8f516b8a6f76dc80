import type { MerchantAccess } from '@/lib/accounts/access/grant-access';
import { fail, type Result } from '@/lib/core/result';
import type { Runtime } from '@/lib/runtime/runtime';
import { type PauseRefusal, pauseEndpoint, resumeEndpoint } from './pause-endpoint';
import { doneBy, type WebhookDoor, webhookDoor } from './webhook-door';

type Needs = Pick<Runtime, 'db' | 'clock' | 'random'>;
type Paused = Promise<Result<null, WebhookDoor | PauseRefusal>>;

/** A member stops the calls to the own server; what is owed is kept. */
export async function pauseOwnEndpoint(runtime: Needs, access: MerchantAccess, address: string | null): Paused {
  const door = webhookDoor(access);
  return door ? fail(door) : pauseEndpoint(runtime, doneBy(access, address));
}

/** A member has the own server called again: after a pause, when it was disabled, or just now. */
export async function resumeOwnEndpoint(runtime: Needs, access: MerchantAccess, address: string | null): Paused {
  const door = webhookDoor(access);
  return door ? fail(door) : resumeEndpoint(runtime, doneBy(access, address));
}
