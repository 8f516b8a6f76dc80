import type { MerchantAccess } from '@/lib/accounts/access/grant-access';
import { recordEntry } from '@/lib/audit/record-entry';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Runtime } from '@/lib/runtime/runtime';
import { updateEndpointSecrets } from './endpoint-changes';
import { lockEndpoint } from './endpoint-store';
import { doneBy, type SecretDoor, secretDoor } from './webhook-door';

/** A member has the old one of two signing secrets sign no more, from the next webhook on. `over`: there is only one. */
export async function endOwnOverlap(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  access: MerchantAccess,
  address: string | null,
): Promise<Result<null, SecretDoor | 'over'>> {
  const door = secretDoor(access, runtime.clock());
  if (door) return fail(door);
  const { scope, actor } = doneBy(access, address);
  return runtime.db.transaction(async (tx) => {
    const now = runtime.clock();
    const endpoint = await lockEndpoint(tx, scope);
    const { previousSecretUntil: until } = endpoint;
    if (until === null || until <= now) return fail('over');
    await updateEndpointSecrets(tx, endpoint.id, { current: endpoint.encryptedSecret, previous: null }, now);
    const data = { was: until.toISOString() };
    await recordEntry(runtime, { ...scope, actor, action: 'webhook.overlap_ended', subject: endpoint.id, address, data }, tx);
    return ok(null);
  });
}
