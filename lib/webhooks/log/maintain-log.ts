import { addMs, DAY_MS } from '@/lib/core/clock';
import { postgresError } from '@/lib/db/errors';
import type { Runtime } from '@/lib/runtime/runtime';
import { expiredPartitions, neededPartitions } from './log-rules';
import { createPartition, deleteStrayAttempts, dropPartition, listPartitions } from './log-store';

type Needs = Pick<Runtime, 'db' | 'clock' | 'settings' | 'log'>;
/** The error code of PostgreSQL when a statement waits longer than `lock_timeout`. */
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Creates the partitions of the log of delivery attempts for the next weeks, and drops those older than WEBHOOK_LOG_DAYS. This needs a lock
 * on the log, which is not available while somebody reads the whole log, as a backup does for hours. Then the job soon gives up and logs a
 * warning, because all writers of the log wait as long as the job waits for the lock. A later run is early enough, because partitions are
 * created weeks ahead.
 */
export async function maintainLog(runtime: Needs): Promise<void> {
  try {
    await changePartitions(runtime);
  } catch (error) {
    if (postgresError(error)?.code !== LOCK_NOT_AVAILABLE) throw error;
    runtime.log.warn('the partitions of the webhook log are locked, probably by a backup; they are maintained in the next run');
  }
}

async function changePartitions({ db, clock, settings }: Needs): Promise<void> {
  const now = clock();
  const days = settings.WEBHOOK_LOG_DAYS;
  const existing = await listPartitions(db);
  for (const partition of neededPartitions(now)) {
    const { name } = partition;
    if (!existing.includes(name) && expiredPartitions([name], now, days).length === 0) await createPartition(db, partition);
  }
  for (const name of expiredPartitions(existing, now, days)) await dropPartition(db, name);
  await deleteStrayAttempts(db, addMs(now, -days * DAY_MS));
}
