import type { Queryable } from '@/lib/platform/db/database';
import { heartbeat } from '@/lib/platform/db/generated/tables';
import { int4, pick, select, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';

export type Role = 'web' | 'worker';

/** How many requests a process has refused for one reason, and the last of them. */
interface RefusalCount {
  readonly count: number;
  readonly last: { readonly at: Date; readonly text: string } | null;
}

/** What a process has refused since its start. */
export interface SeenRefusals {
  /** Forms that did not come from one of our own pages. */
  readonly foreignForms: RefusalCount;
  /** Callbacks to an address that no provider account has. */
  readonly unknownCallbacks: RefusalCount;
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
  /** The ids of the process's master keys. The first one encrypts. Empty for a process of an older version. */
  readonly keyIds: readonly string[];
}

/** A process as `bili doctor` shows it. */
export interface SeenProcess extends Omit<Heartbeat, 'role'> {
  readonly foreignForms: number;
  readonly foreignFormAt: Date | null;
  /** The headers Origin and Host of the last one. They come from the client. */
  readonly foreignForm: string | null;
  readonly unknownCallbacks: number;
  readonly unknownCallbackAt: Date | null;
  /** The provider in the address of the last one, and why it was refused. */
  readonly unknownCallback: string | null;
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
  text: `INSERT INTO heartbeat (id, role, version, host, pid, clock_ahead_ms, started_at, problem, seen_at, foreign_forms, foreign_form_at, foreign_form,
           unknown_callbacks, unknown_callback_at, unknown_callback, key_ids)
         SELECT $id, $role, $version, $host, $pid, round(extract(epoch FROM $now::timestamptz - clock_timestamp()) * 1000)::int, $startedAt,
                $problem, clock_timestamp(), $foreignForms, $foreignFormAt, $foreignForm, $unknownCallbacks, $unknownCallbackAt, $unknownCallback, $keyIds
         ON CONFLICT (id) DO UPDATE SET clock_ahead_ms = EXCLUDED.clock_ahead_ms, problem = EXCLUDED.problem, seen_at = EXCLUDED.seen_at,
           foreign_forms = EXCLUDED.foreign_forms, foreign_form_at = EXCLUDED.foreign_form_at, foreign_form = EXCLUDED.foreign_form,
           unknown_callbacks = EXCLUDED.unknown_callbacks, unknown_callback_at = EXCLUDED.unknown_callback_at,
           unknown_callback = EXCLUDED.unknown_callback`,
  parameters: {
    ...pick(
      heartbeat,
      `id role version host pid startedAt problem foreignForms foreignFormAt foreignForm unknownCallbacks
    unknownCallbackAt unknownCallback keyIds`,
    ),
    now: timestamptz,
  },
});

/** Inserts or updates the heartbeat row of a process. @param now the time by the process's own clock. */
export async function beat(
  db: Queryable,
  { foreignForms: forms, unknownCallbacks: callbacks, ...heartbeat }: Heartbeat & SeenRefusals,
  now: Date,
): Promise<void> {
  await BEAT.rows(db, {
    ...heartbeat,
    now,
    foreignForms: forms.count,
    foreignFormAt: forms.last?.at ?? null,
    foreignForm: forms.last?.text ?? null,
    unknownCallbacks: callbacks.count,
    unknownCallbackAt: callbacks.last?.at ?? null,
    unknownCallback: callbacks.last?.text ?? null,
  });
}

const DELETE_OLD_HEARTBEATS = statement({
  name: 'delete old heartbeats',
  text: "DELETE FROM heartbeat WHERE seen_at < clock_timestamp() - interval '1 day' RETURNING 1 AS deleted",
  columns: { deleted: int4 },
});

/** Deletes heartbeats that are a day old: their processes were killed. Returns how many. */
export async function deleteOldHeartbeats(db: Queryable): Promise<number> {
  return (await DELETE_OLD_HEARTBEATS.rows(db, {})).length;
}

const SEEN = pick(
  heartbeat,
  `id role version host pid startedAt clockAheadMs problem seenAt foreignForms foreignFormAt foreignForm unknownCallbacks unknownCallbackAt
   unknownCallback`,
);
const LIST_LIVING_PROCESSES = statement({
  name: 'list living processes',
  text: `SELECT ${select(SEEN)}, coalesce(key_ids, '{}') AS "keyIds" FROM heartbeat WHERE seen_at > clock_timestamp() - interval '1 minute' ORDER BY role, started_at`,
  columns: { ...SEEN, keyIds: heartbeat.keyIds },
});

/** Returns the processes with a heartbeat in the last minute. */
export async function listLivingProcesses(db: Queryable): Promise<SeenProcess[]> {
  return LIST_LIVING_PROCESSES.rows(db, {});
}
