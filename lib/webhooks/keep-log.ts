import type { Runtime } from '@/lib/config/runtime';
import { addMs, DAY_MS } from '@/lib/core/clock';
import { expiredPartitions, neededPartitions } from './log-rules';
import { deleteStrayAttempts, dropPartition, listPartitions, makePartition } from './log-store';

/** Keeps the log of attempts: partitions for the weeks to come, and none for longer than the setting says. */
export async function keepLog({ db, clock, settings }: Pick<Runtime, 'db' | 'clock' | 'settings'>): Promise<void> {
  const now = clock();
  const there = await listPartitions(db);
  for (const partition of neededPartitions(now)) {
    if (!there.includes(partition.name)) await makePartition(db, partition);
  }
  const days = settings.WEBHOOK_LOG_DAYS;
  for (const name of expiredPartitions(there, now, days)) await dropPartition(db, name);
  await deleteStrayAttempts(db, addMs(now, -days * DAY_MS));
}
