import { reach } from '@/lib/config/fail-point';
import { addMs, SECOND_MS } from '@/lib/core/clock';
import type { Queryable } from '@/lib/db/database';
import type { Runtime } from '@/lib/runtime/runtime';
import { advanceRedelivery, endRedelivery, lockDueRedelivery, type Redelivery } from './redelivery-store';
import { reopenNext } from './selection-store';

type Needs = Pick<Runtime, 'db' | 'clock' | 'log'>;

/**
 * Has every run that is due set its next deliveries going: as many as it may in a second, which is when it is due again. What was
 * missed while no worker ran is not made up for. Any number of workers may do it at once; one that dies leaves nothing half done.
 */
export async function driveRedeliveries(runtime: Needs): Promise<void> {
  while (await driveOne(runtime)) reach('redelivery.advanced');
}

/** @returns whether a run was due. */
async function driveOne({ db, clock, log }: Needs): Promise<boolean> {
  return db.sqlTransaction(async (tx) => {
    const now = clock();
    const run = await lockDueRedelivery(tx, now);
    if (!run) return false;
    const { found, reopened } = await takeStep(tx, run, now);
    log.info({ redeliveryId: run.id, merchantId: run.merchantId, found, reopened }, 'deliveries are sent again');
    return true;
  });
}

async function takeStep(tx: Queryable, run: Redelivery, now: Date): Promise<{ found: number; reopened: number }> {
  const { id, perSecond, cursor, requestedBy: actor } = run;
  const options = { scope: run, selection: run, redeliveryId: id, actor, cursor, limit: perSecond, now };
  const { found, reopened, last } = await reopenNext(tx, options);
  reach('redelivery.reopened');
  await advanceRedelivery(tx, id, { started: reopened, cursor: last, dueAt: addMs(now, SECOND_MS) });
  if (found < perSecond) await endRedelivery(tx, id, 'COMPLETED', now);
  return { found, reopened };
}
