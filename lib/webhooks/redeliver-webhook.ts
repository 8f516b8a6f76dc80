import { recordEntry } from '@/lib/audit/record-entry';
import type { Runtime, Scope } from '@/lib/config/runtime';
import { isUuid } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import { findEndpoint } from './endpoint-store';
import { type Hold, holdUp } from './hold-rules';
import { findDeliveryState, reopenDelivery } from './redeliver-store';

interface Options {
  readonly scope: Scope;
  readonly deliveryId: string;
  readonly actor: string;
  /** From where, when somebody signed in asks for it. */
  readonly address: string | null;
}

/** `waits_for_earlier`: one of the same bill comes first. `being_sent`: a worker has it at this moment. */
export type RedeliverRefusal = 'not_found' | 'no_address' | 'waits_for_earlier' | 'being_sent';

/**
 * Sends one delivery again, or at once if it waits for its next try: the same bytes under the same `webhook-id`. Others of its bill
 * are not held up by it. @returns what holds it up, null when it goes at once.
 */
export async function redeliverWebhook(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { scope, deliveryId, actor, address }: Options,
): Promise<Result<{ readonly heldUp: Hold | null }, RedeliverRefusal>> {
  if (!isUuid(deliveryId)) return fail('not_found');
  return runtime.db.transaction(async (tx) => {
    const now = runtime.clock();
    const endpoint = await findEndpoint(tx, scope);
    const hasAddress = endpoint !== undefined && endpoint.url !== null;
    if (!hasAddress || !(await reopenDelivery(tx, { scope, deliveryId, actor, now }))) {
      const state = await findDeliveryState(tx, scope, deliveryId);
      if (!state) return fail('not_found');
      if (!hasAddress) return fail('no_address');
      return fail(state === 'BLOCKED' ? 'waits_for_earlier' : 'being_sent');
    }
    await recordEntry(runtime, { ...scope, actor, action: 'webhook.redelivered', subject: deliveryId, address }, tx);
    return ok({ heldUp: holdUp(endpoint, now) });
  });
}
