import type { Connection } from '@/lib/platform/db/database';
import type { BackupStatus } from '@/lib/platform/db/generated/client';

/** `backup`: a backup was made. `drill`: a backup was restored into a scratch database, and everything in it was checked. */
export const BACKUP_KINDS = ['backup', 'drill'] as const;
export type BackupKind = (typeof BACKUP_KINDS)[number];

/** Records that a backup was made, or that a drill with it has succeeded. @param backup the name of the backup. */
export async function recordSuccess({ prisma }: Connection, kind: BackupKind, backup: string, at: Date): Promise<void> {
  const success = { backup, succeededAt: at };
  await prisma.backupStatus.upsert({ where: { kind }, create: { kind, ...success }, update: success });
}

/** Records that making a backup or a drill has failed. @param problem a sentence for the operator. */
export async function recordFailure({ prisma }: Connection, kind: BackupKind, problem: string, at: Date): Promise<void> {
  const failure = { problem, failedAt: at };
  await prisma.backupStatus.upsert({ where: { kind }, create: { kind, ...failure }, update: failure });
}

/** Returns what is recorded, at most one row of each kind. */
export async function listBackupStatus({ prisma }: Connection): Promise<BackupStatus[]> {
  return prisma.backupStatus.findMany({ orderBy: { kind: 'asc' } });
}

/** Pure. Returns whether the newest attempt has failed. */
export function hasFailed({ succeededAt, failedAt }: BackupStatus): boolean {
  return failedAt !== null && (succeededAt === null || failedAt > succeededAt);
}
