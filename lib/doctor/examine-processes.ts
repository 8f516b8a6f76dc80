import { readVersion } from '@/lib/config/version';
import { CLOCKS_APART_MS } from '@/lib/db/watch-clock';
import { listLivingProcesses, type SeenProcess } from '@/lib/processes/store';
import type { Runtime } from '@/lib/runtime/runtime';
import { type Finding, finding } from './finding';

/** Checks by the heartbeats that a worker runs, and that all processes have the same version and the right time. */
export async function examineProcesses({ db }: Pick<Runtime, 'db'>): Promise<Finding[]> {
  const processes = await listLivingProcesses(db);
  const workers = processes.filter(({ role }) => role === 'worker').length;
  const version = readVersion();
  return [
    finding('worker_lives', 'A worker runs.', workers === 0 ? ['none has been seen in the last minute: start "bili worker"'] : []),
    finding(
      'processes_agree',
      'All processes have the version of this command, and their clocks agree with the database.',
      processes.flatMap((seen) => [
        seen.version !== version && `${nameOf(seen)} has version ${seen.version}, this command has ${version}`,
        Math.abs(seen.clockAheadMs) > CLOCKS_APART_MS &&
          `the clock of ${nameOf(seen)} is ${Math.round(seen.clockAheadMs / 1_000)} s ahead of the database's: synchronize both with NTP`,
      ]),
      'note',
    ),
  ];
}

function nameOf({ role, host, pid }: SeenProcess): string {
  return `${role} ${pid} on ${host}`;
}
