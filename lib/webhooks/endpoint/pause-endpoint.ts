import { recordEntry } from '@/lib/audit/record-entry';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Scope } from '@/lib/core/scope';
import type { Runtime } from '@/lib/runtime/runtime';
import { updateEndpointHealth, updateEndpointStatus } from './endpoint-changes';
import { lockEndpoint } from './endpoint-store';
import { resetHealth } from './health-rules';

interface Options {
  readonly scope: Scope;
  readonly actor: string;
  /** The IP address of a signed-in member; null for the command line. */
  readonly address: string | null;
}
type Needs = Pick<Runtime, 'db' | 'clock' | 'random'>;
export type PauseRefusal = 'no_address' | 'not_active';

/** Pauses a merchant's endpoint. Waiting and new deliveries are kept until it is resumed. */
export async function pauseEndpoint(runtime: Needs, { scope, actor, address }: Options): Promise<Result<null, PauseRefusal>> {
  return runtime.db.transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, scope);
    if (endpoint.url === null) return fail('no_address');
    if (endpoint.status !== 'active') return fail('not_active');
    await updateEndpointStatus(tx, endpoint.id, { status: 'paused', reason: null, now: runtime.clock() });
    await recordEntry(runtime, { ...scope, actor, action: 'webhook.paused', subject: endpoint.id, address }, tx);
    return ok(null);
  });
}

/**
 * Resumes a paused or disabled endpoint. Makes all waiting deliveries due and resets the endpoint's health, also if it is active.
 */
export async function resumeEndpoint(runtime: Needs, { scope, actor, address }: Options): Promise<Result<null, 'no_address'>> {
  return runtime.db.transaction(async (tx) => {
    const now = runtime.clock();
    const endpoint = await lockEndpoint(tx, scope);
    if (endpoint.url === null) return fail('no_address');
    if (endpoint.status !== 'active') await updateEndpointStatus(tx, endpoint.id, { status: 'active', reason: null, now });
    await updateEndpointHealth(tx, endpoint.id, resetHealth(endpoint, now));
    const data = { before: endpoint.status };
    await recordEntry(runtime, { ...scope, actor, action: 'webhook.resumed', subject: endpoint.id, address, data }, tx);
    return ok(null);
  });
}
