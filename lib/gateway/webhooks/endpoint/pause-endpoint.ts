import { type Access, type AccessRefusal, authorize } from '@/lib/identity/accounts/access/grant-access';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { WriteRuntime } from '@/lib/platform/runtime/runtime';
import { resetHealth } from './endpoint-rules';
import { lockEndpoint, updateEndpointHealth, updateEndpointStatus } from './endpoint-store';

export type PauseRefusal = 'no_address' | 'not_active';

/** Pauses a merchant's endpoint. Waiting and new deliveries are kept until somebody resumes the endpoint. */
export async function pauseEndpoint(runtime: WriteRuntime, access: Access): Promise<Result<null, AccessRefusal | PauseRefusal>> {
  const refusal = authorize(access, 'webhooks.change');
  if (refusal) return fail(refusal);
  const { scope, actor } = access;
  return runtime.db.transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, scope);
    if (endpoint.url === null) return fail('no_address');
    if (endpoint.status !== 'active') return fail('not_active');
    await updateEndpointStatus(tx, endpoint.id, { status: 'paused', reason: null, now: runtime.clock() });
    await recordEntry(runtime, { ...scope, actor, action: 'webhook.paused', subject: endpoint.id }, tx);
    return ok(null);
  });
}

/**
 * Resumes a merchant's endpoint if it is paused or disabled. In every case resets the endpoint's health, so that all waiting retries are
 * made due.
 */
export async function resumeEndpoint(runtime: WriteRuntime, access: Access): Promise<Result<null, AccessRefusal | 'no_address'>> {
  const refusal = authorize(access, 'webhooks.change');
  if (refusal) return fail(refusal);
  const { scope, actor } = access;
  return runtime.db.transaction(async (tx) => {
    const now = runtime.clock();
    const endpoint = await lockEndpoint(tx, scope);
    if (endpoint.url === null) return fail('no_address');
    if (endpoint.status !== 'active') await updateEndpointStatus(tx, endpoint.id, { status: 'active', reason: null, now });
    await updateEndpointHealth(tx, endpoint.id, resetHealth(endpoint, now));
    const data = { before: endpoint.status };
    await recordEntry(runtime, { ...scope, actor, action: 'webhook.resumed', subject: endpoint.id, data }, tx);
    return ok(null);
  });
}
