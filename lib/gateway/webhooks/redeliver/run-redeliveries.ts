import { reach } from '@/lib/platform/config/fail-point';
import { addMs, SECOND_MS } from '@/lib/platform/core/clock';
import type { Queryable } from '@/lib/platform/db/database';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { reopenNext } from './redeliver-store';
import { advanceRedelivery, endRedelivery, lockDueRedelivery, type Redelivery } from './redelivery-store';

type Needs = Pick<Runtime, 'db' | 'clock' | 'log'>;

/**
 * Runs one step of each due bulk redelivery. A step makes as many deliveries due as may be sent in one second. The next step is due a
 * second later. Steps that were missed because no worker ran are not made up for. Several workers may call this function at once. Each step
 * is one transaction.
 */
export async function runRedeliveries(runtime: Needs): Promise<void> {
  while (await runNextStep(runtime)) reach('redelivery.advanced');
}

async function runNextStep({ db, clock, log }: Needs): Promise<boolean> {
  return db.sqlTransaction(async (tx) => {
    const now = clock();
    const run = await lockDueRedelivery(tx, now);
    if (!run) return false;
    const { found, reopened } = await takeStep(tx, run, now);
    log.info({ redeliveryId: run.id, merchantId: run.merchantId, found, reopened }, 'bulk redelivery advanced');
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
