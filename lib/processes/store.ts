import type { Connection, Queryable } from '@/lib/db/database';
import { int4, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

export type Role = 'web' | 'worker';

/** The forms that a process has refused because they did not come from one of our own pages. */
export interface ForeignForms {
  readonly count: number;
  readonly last: { readonly at: Date; readonly text: string } | null;
}

interface Heartbeat {
  readonly id: string;
  readonly role: Role;
  readonly version: string;
  readonly host: string;
  readonly pid: number;
  readonly startedAt: Date;
  /** Why the process cannot do a part of its work; null if it can. */
  readonly problem: string | null;
}

/** A process as `bili doctor` shows it. */
export interface SeenProcess extends Omit<Heartbeat, 'role'> {
  readonly foreignForms: number;
  readonly foreignFormAt: Date | null;
  /** The headers Origin and Host of the last one. They come from the client. */
  readonly foreignForm: string | null;
  /** The type is not `Role`, because another version of Bili may have other roles. */
  readonly role: string;
  /** How far the clock of the process is ahead of the database's clock, milliseconds. Negative if it is behind. */
  readonly clockAheadMs: number;
  /** The time of the last heartbeat, by the database's clock. */
  readonly seenAt: Date;
}

const BEAT = statement({
  name: 'beat',
  prepared: true,
  text: `INSERT INTO heartbeat (id, role, version, host, pid, clock_ahead_ms, started_at, problem, seen_at, foreign_forms, foreign_form_at, foreign_form)
         SELECT $id, $role, $version, $host, $pid, round(extract(epoch FROM $now::timestamptz - clock_timestamp()) * 1000)::int, $startedAt,
                $problem, clock_timestamp(), $foreignForms, $foreignFormAt, $foreignForm
         ON CONFLICT (id) DO UPDATE SET clock_ahead_ms = EXCLUDED.clock_ahead_ms, problem = EXCLUDED.problem, seen_at = EXCLUDED.seen_at,
           foreign_forms = EXCLUDED.foreign_forms, foreign_form_at = EXCLUDED.foreign_form_at, foreign_form = EXCLUDED.foreign_form`,
  parameters: {
    id: uuid,
    role: text,
    version: text,
    host: text,
    pid: int4,
    startedAt: timestamptz,
    problem: nullable(text),
    now: timestamptz,
    foreignForms: int4,
    foreignFormAt: nullable(timestamptz),
    foreignForm: nullable(text),
  },
  columns: {},
});

/** Inserts or updates the heartbeat row of a process. @param now the time by the process's own clock. */
export async function beat(
  db: Queryable,
  { foreignForms: { count, last }, ...heartbeat }: Heartbeat & { readonly foreignForms: ForeignForms },
  now: Date,
): Promise<void> {
  await BEAT.rows(db, { ...heartbeat, now, foreignForms: count, foreignFormAt: last?.at ?? null, foreignForm: last?.text ?? null });
}

export async function deleteHeartbeat({ prisma }: Connection, id: string): Promise<void> {
  await prisma.heartbeat.deleteMany({ where: { id } });
}

const DELETE_OLD_HEARTBEATS = statement({
  name: 'delete old heartbeats',
  text: "DELETE FROM heartbeat WHERE seen_at < clock_timestamp() - interval '1 day' RETURNING 1 AS deleted",
  parameters: {},
  columns: { deleted: int4 },
});

/** Deletes heartbeats that are a day old: their processes were killed. Returns how many. */
export async function deleteOldHeartbeats(db: Queryable): Promise<number> {
  return (await DELETE_OLD_HEARTBEATS.rows(db, {})).length;
}

const LIST_LIVING_PROCESSES = statement({
  name: 'list living processes',
  text: `SELECT id, role, version, host, pid, started_at AS "startedAt", clock_ahead_ms AS "clockAheadMs", problem, seen_at AS "seenAt",
           foreign_forms AS "foreignForms", foreign_form_at AS "foreignFormAt", foreign_form AS "foreignForm"
         FROM heartbeat WHERE seen_at > clock_timestamp() - interval '1 minute' ORDER BY role, started_at`,
  parameters: {},
  columns: {
    id: uuid,
    role: text,
    version: text,
    host: text,
    pid: int4,
    startedAt: timestamptz,
    clockAheadMs: int4,
    problem: nullable(text),
    seenAt: timestamptz,
    foreignForms: int4,
    foreignFormAt: nullable(timestamptz),
    foreignForm: nullable(text),
  },
});

/** Returns the processes with a heartbeat in the last minute. */
export async function listLivingProcesses(db: Queryable): Promise<SeenProcess[]> {
  return LIST_LIVING_PROCESSES.rows(db, {});
}
