import { type BackupKind, hasFailed, listBackupStatus } from '@/lib/entry/backups/status-store';
import { DAY_MS, HOUR_MS } from '@/lib/platform/core/clock';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { type Finding, finding } from './finding';

/** How old the last success may be: a backup each day, and a drill each week, with time for the run itself. */
const OLDEST_MS: Readonly<Record<BackupKind, number>> = { backup: 36 * HOUR_MS, drill: 8 * DAY_MS };
const COMMANDS: Readonly<Record<BackupKind, string>> = { backup: 'bili backup', drill: 'bili backup drill' };
const SUCCESSES: Readonly<Record<BackupKind, string>> = {
  backup: 'The last backup was made',
  drill: 'The last backup that a drill has restored was proven',
};

/** Reports when the last backup was made, and when a drill has last restored one. */
export async function examineBackups({ db, clock }: Pick<Runtime, 'db' | 'clock'>): Promise<Finding[]> {
  const status = await listBackupStatus(db);
  return (['backup', 'drill'] as const).map((kind) => {
    const last = status.find((one) => one.kind === kind);
    const succeededAt = last?.succeededAt ?? null;
    const late = succeededAt !== null && clock().getTime() - succeededAt.getTime() > OLDEST_MS[kind];
    const failed = last !== undefined && hasFailed(last);
    const text = succeededAt
      ? `${SUCCESSES[kind]} at ${succeededAt.toISOString()}: ${last?.backup}.`
      : `"${COMMANDS[kind]}" has not succeeded yet.`;
    const details = [
      failed && `it failed at ${last.failedAt?.toISOString()}: ${last.problem}`,
      late && 'that is too long ago: check that its timer runs',
      !succeededAt && !failed && `docs/operating.md#backup-and-restore says how to set it up`,
    ];
    return finding(`${kind}_current`, text, details, late || failed ? 'wrong' : 'note');
  });
}
