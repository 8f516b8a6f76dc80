import { type Access, type AccessRefusal, authorize } from '@/lib/identity/accounts/access/grant-access';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { reach } from '@/lib/platform/config/fail-point';
import { isUuid } from '@/lib/platform/core/ids';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { WriteRuntime } from '@/lib/platform/runtime/runtime';
import { returnDeliveries } from './redeliver-store';
import { countOutcomes, endRedelivery, lockRedelivery } from './redelivery-store';

/** Deliveries per transaction. A bulk redelivery can have a million. */
const BATCH = 1_000;

/**
 * Cancels a bulk redelivery. Its pending deliveries, which are not sent yet or wait for a retry, return to their earlier state. A delivery
 * that a worker is sending now is still sent, but not retried. If cancelling was interrupted, a second call continues it.
 * @returns how many deliveries returned to their earlier state. Fails with `over` if the bulk redelivery has ended and none of its
 *   deliveries is waiting.
 */
export async function cancelRedelivery(
  runtime: WriteRuntime,
  access: Access,
  id: string,
): Promise<Result<{ readonly returned: number }, AccessRefusal | 'not_found' | 'over'>> {
  const refusal = authorize(access, 'webhooks.change');
  if (refusal) return fail(refusal);
  if (!isUuid(id)) return fail('not_found');
  const { scope, actor } = access;
  const { db, clock } = runtime;
  const begun = await db.transaction(async (tx): Promise<Result<number, 'not_found' | 'over'>> => {
    const run = await lockRedelivery(tx, scope, id);
    if (!run) return fail('not_found');
    const now = clock();
    const count = await returnDeliveries(tx, id, { now, limit: BATCH });
    const waiting = (await countOutcomes(tx, [id])).get(id)?.waiting ?? 0;
    if (run.state !== 'RUNNING' && count + waiting === 0) return fail('over');
    if (run.state !== 'CANCELLED') {
      await endRedelivery(tx, id, 'CANCELLED', now);
      await recordEntry(runtime, { ...scope, actor, action: 'redelivery.cancelled', subject: id, data: { was: run.state } }, tx);
    }
    return ok(count);
  });
  if (!begun.ok) return begun;
  reach('redelivery.taken_back');
  let returned = begun.value;
  for (let last = begun.value; last === BATCH; returned += last) last = await returnDeliveries(db, id, { now: clock(), limit: BATCH });
  return ok({ returned });
}
