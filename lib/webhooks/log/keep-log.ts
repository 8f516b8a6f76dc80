import { addMs, DAY_MS } from '@/lib/core/clock';
import { postgresError } from '@/lib/db/errors';
import type { Runtime } from '@/lib/runtime/runtime';
import { expiredPartitions, neededPartitions } from './log-rules';
import { deleteStrayAttempts, dropPartition, listPartitions, makePartition } from './log-store';

type Needs = Pick<Runtime, 'db' | 'clock' | 'settings' | 'log'>;
/** lock_not_available: what PostgreSQL says when `lock_timeout` is over. */
const LOCKED = '55P03';

/**
 * Keeps the log of attempts: partitions for the weeks to come, and none for longer than the setting says. While somebody reads all
 * of the log, as a backup does for hours, it is left to the next time: there are weeks for it, and each try makes writers wait.
 */
export async function keepLog(runtime: Needs): Promise<void> {
  try {
    await changePartitions(runtime);
  } catch (error) {
    if (postgresError(error)?.code !== LOCKED) throw error;
    runtime.log.warn('the log of webhooks is being read: its partitions are looked after the next time');
  }
}

async function changePartitions({ db, clock, settings }: Needs): Promise<void> {
  const now = clock();
  const days = settings.WEBHOOK_LOG_DAYS;
  const there = await listPartitions(db);
  for (const partition of neededPartitions(now)) {
    const { name } = partition;
    if (!there.includes(name) && expiredPartitions([name], now, days).length === 0) await makePartition(db, partition);
  }
  for (const name of expiredPartitions(there, now, days)) await dropPartition(db, name);
  await deleteStrayAttempts(db, addMs(now, -days * DAY_MS));
}
