import { type Access, type AccessRefusal, authorize } from '@/lib/accounts/access/grant-access';
import { recordEntry } from '@/lib/audit/record-entry';
import { reach } from '@/lib/config/fail-point';
import { isUuid } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Runtime } from '@/lib/runtime/runtime';
import { returnDeliveries } from './redeliver-store';
import { endRedelivery, lockRedelivery } from './redelivery-store';
import { countOutcomes } from './run-listing-store';

/** So many in one transaction: there may be a million of them. */
const AT_ONCE = 1_000;

/**
 * Ends a run that sends deliveries again. What it has set going and what was not sent yet, or failed and waits for its next try, is
 * again what it was before; what a worker has at this moment is sent, once. Asked for again, it goes on where it was cut off.
 * @returns how many were taken back.
 */
export async function cancelRedelivery(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  access: Access,
  id: string,
): Promise<Result<{ readonly takenBack: number }, AccessRefusal | 'not_found' | 'over'>> {
  const refusal = authorize(access, 'webhooks.change');
  if (refusal) return fail(refusal);
  if (!isUuid(id)) return fail('not_found');
  const { scope, actor } = access;
  const { db, clock } = runtime;
  const begun = await db.transaction(async (tx): Promise<Result<number, 'not_found' | 'over'>> => {
    const run = await lockRedelivery(tx, scope, id);
    if (!run) return fail('not_found');
    const now = clock();
    const count = await returnDeliveries(tx, id, { now, limit: AT_ONCE });
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
  let takenBack = begun.value;
  for (let last = begun.value; last === AT_ONCE; takenBack += last) last = await returnDeliveries(db, id, { now: clock(), limit: AT_ONCE });
  return ok({ takenBack });
}
