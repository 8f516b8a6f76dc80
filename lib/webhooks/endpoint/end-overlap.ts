import { type Access, authorizeProven, type ProvenRefusal } from '@/lib/accounts/access/grant-access';
import { recordEntry } from '@/lib/audit/record-entry';
import { fail, ok, type Result } from '@/lib/core/result';
import type { WriteRuntime } from '@/lib/runtime/runtime';
import { updateEndpointSecrets } from './endpoint-changes';
import { lockEndpoint } from './endpoint-store';

/** Ends the overlap of two signing secrets: the next webhook is signed with the new one only. `over`: there is only one secret. */
export async function endOverlap(runtime: WriteRuntime, access: Access): Promise<Result<null, ProvenRefusal | 'over'>> {
  const refusal = authorizeProven(access, 'webhooks.change', runtime.clock());
  if (refusal) return fail(refusal);
  const { scope, actor } = access;
  return runtime.db.transaction(async (tx) => {
    const now = runtime.clock();
    const endpoint = await lockEndpoint(tx, scope);
    const { previousSecretUntil: until } = endpoint;
    if (until === null || until <= now) return fail('over');
    await updateEndpointSecrets(tx, endpoint.id, { current: endpoint.encryptedSecret, previous: null }, now);
    const data = { was: until.toISOString() };
    await recordEntry(runtime, { ...scope, actor, action: 'webhook.overlap_ended', subject: endpoint.id, data }, tx);
    return ok(null);
  });
}
