import { recordEntry } from '@/lib/audit/record-entry';
import { addMs } from '@/lib/core/clock';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Scope } from '@/lib/core/scope';
import type { Runtime } from '@/lib/runtime/runtime';
import { formatSecret } from '@/lib/webhooks/rules';
import { updateEndpointSecrets } from './endpoint-changes';
import { lockEndpoint, webhookContext } from './endpoint-store';

interface Options {
  readonly scope: Scope;
  readonly actor: string;
  readonly address: string | null;
  /** How long the previous secret also signs, in milliseconds; 0 if it has leaked. */
  readonly overlapMs: number;
}

export interface RotatedSecret {
  readonly secret: string;
  /** Until when the previous secret also signs; null if there is no overlap. */
  readonly previousUntil: Date | null;
}

/**
 * Creates a new signing secret. During the overlap each webhook is signed with both secrets, so that the merchant can change the
 * receiver at any time. Fails with `overlap_running` if a new overlap would cut the running one short.
 */
export async function rotateSecret(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'secrets'>,
  { scope, actor, address, overlapMs }: Options,
): Promise<Result<RotatedSecret, { readonly code: 'overlap_running'; readonly until: Date }>> {
  return runtime.db.transaction(async (tx) => {
    const now = runtime.clock();
    const endpoint = await lockEndpoint(tx, scope);
    const running = endpoint.previousSecretUntil;
    if (overlapMs > 0 && running && running > now) return fail({ code: 'overlap_running', until: running });
    const secret = formatSecret(runtime.random(32));
    const current = runtime.secrets.encrypt(secret, webhookContext(scope));
    const previous = overlapMs > 0 ? { encrypted: endpoint.encryptedSecret, until: addMs(now, overlapMs) } : null;
    await updateEndpointSecrets(tx, endpoint.id, { current, previous }, now);
    const data = { previousUntil: previous?.until.toISOString() ?? null };
    await recordEntry(runtime, { ...scope, actor, action: 'webhook.secret_rotated', subject: endpoint.id, address, data }, tx);
    return ok({ secret, previousUntil: previous?.until ?? null });
  });
}
