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
  /** How long the secret before signs too, milliseconds; 0 where it has leaked. */
  readonly overlapMs: number;
}

export interface RotatedSecret {
  readonly secret: string;
  /** Until when the one before signs too; null when it does not. */
  readonly previousUntil: Date | null;
}

/**
 * Gives a merchant a new signing secret. During the overlap each webhook is signed with both, so that the receiver can be changed
 * at any moment of it. Refused while an overlap runs, unless there is to be none: a third secret would cut the first one short.
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
