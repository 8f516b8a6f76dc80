import type { Queryable } from '@/lib/db/database';

export type Role = 'web' | 'worker';

interface Heartbeat {
  readonly id: string;
  readonly role: Role;
  readonly version: string;
  readonly host: string;
  readonly pid: number;
  readonly startedAt: Date;
}

/** A process as the operator sees it. */
export interface SeenProcess extends Heartbeat {
  /** How far its clock is ahead of the database's, milliseconds. */
  readonly clockAheadMs: number;
  /** By the database's clock. */
  readonly seenAt: Date;
}

/** Notes that a process lives. @param now by the process's own clock. */
export async function beat(db: Queryable, { id, role, version, host, pid, startedAt }: Heartbeat, now: Date): Promise<void> {
  await db.query(
    {
      name: 'beat',
      text: `INSERT INTO heartbeat (id, role, version, host, pid, clock_ahead_ms, started_at, seen_at)
             SELECT $1, $2, $3, $4, $5, round(extract(epoch FROM $7::timestamptz - clock_timestamp()) * 1000)::int, $6, clock_timestamp()
             ON CONFLICT (id) DO UPDATE SET clock_ahead_ms = EXCLUDED.clock_ahead_ms, seen_at = EXCLUDED.seen_at`,
    },
    [id, role, version, host, pid, startedAt, now],
  );
}

export async function deleteHeartbeat(db: Queryable, id: string): Promise<void> {
  await db.query({ text: 'DELETE FROM heartbeat WHERE id = $1' }, [id]);
}

/** Forgets processes that ended without a word. @returns how many. */
export async function deleteOldHeartbeats(db: Queryable): Promise<number> {
  const deleted = await db.query({
    text: "DELETE FROM heartbeat WHERE seen_at < clock_timestamp() - interval '1 day' RETURNING 1 AS deleted",
  });
  return deleted.length;
}

/** @returns the processes that were seen in the last minute. */
export async function listLivingProcesses(db: Queryable): Promise<SeenProcess[]> {
  return db.query<SeenProcess>({
    text: `SELECT id, role, version, host, pid, started_at AS "startedAt", clock_ahead_ms AS "clockAheadMs", seen_at AS "seenAt"
           FROM heartbeat WHERE seen_at > clock_timestamp() - interval '1 minute' ORDER BY role, started_at`,
  });
}
