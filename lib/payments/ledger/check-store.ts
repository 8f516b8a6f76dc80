import { z } from 'zod';
import type { Queryable } from '@/lib/db/database';
import { jsonb, nullable, text, timestamptz } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import type { Breach } from './verify-store';

/** The checks that all workers share. One worker at a time works on each. */
const CHECK_KINDS = ['complete', 'recent', 'audit', 'unmatched'] as const;
const kindSchema = z.enum(CHECK_KINDS);
export type CheckKind = z.infer<typeof kindSchema>;

const breachesSchema = z.array(
  z.object({ name: z.string(), count: z.number(), first: z.array(z.object({ subject: z.string(), detail: z.string() })) }),
);

const CLAIM = statement({
  name: 'claim a check of the ledger',
  text: `UPDATE ledger_check SET lease_until = $leaseUntil, started_at = coalesce(started_at, $now)
         WHERE kind = (SELECT kind FROM ledger_check WHERE due_at <= $now AND (lease_until IS NULL OR lease_until <= $now)
                       ORDER BY lease_until NULLS FIRST, kind LIMIT 1 FOR UPDATE SKIP LOCKED)
         RETURNING kind, started_at AS "startedAt", next_table AS "nextTable", next_id AS "nextId", found, covered_to AS "coveredTo"`,
  parameters: { now: timestamptz, leaseUntil: timestamptz },
  columns: {
    kind: text,
    startedAt: nullable(timestamptz),
    nextTable: nullable(text),
    nextId: nullable(text),
    found: jsonb,
    coveredTo: nullable(timestamptz),
  },
});

export interface ClaimedCheck {
  readonly kind: CheckKind;
  readonly startedAt: Date;
  readonly leaseUntil: Date;
  readonly nextTable: string | null;
  /** Null at the beginning of a run. */
  readonly nextId: string | null;
  readonly found: readonly Breach[];
  /** The start of the last completed run. */
  readonly coveredTo: Date | null;
}

/** Claims the due check that has waited longest, with a lease. Returns null if none is due. */
export async function claimCheck(db: Queryable, now: Date, leaseUntil: Date): Promise<ClaimedCheck | null> {
  const row = await CLAIM.first(db, { now, leaseUntil });
  if (!row) return null;
  return { ...row, leaseUntil, kind: kindSchema.parse(row.kind), startedAt: row.startedAt ?? now, found: breachesSchema.parse(row.found) };
}

const CONTINUE = statement({
  name: 'store the progress of a check of the ledger',
  text: `UPDATE ledger_check SET lease_until = $now, next_table = $nextTable, next_id = $nextId, found = $found
         WHERE kind = $kind AND lease_until = $leaseUntil`,
  parameters: { kind: text, leaseUntil: timestamptz, now: timestamptz, nextTable: nullable(text), nextId: text, found: jsonb },
  columns: {},
});

/** Stores where a check continues, and gives its lease back. Does nothing if another worker has it by now. */
export async function continueCheck(
  db: Queryable,
  { kind, leaseUntil }: ClaimedCheck,
  progress: { readonly now: Date; readonly nextTable: string | null; readonly nextId: string; readonly found: readonly Breach[] },
): Promise<void> {
  await CONTINUE.rows(db, { ...progress, kind, leaseUntil, found: JSON.stringify(progress.found) });
}

const END = statement({
  name: 'end a check of the ledger',
  text: `UPDATE ledger_check SET lease_until = NULL, next_table = NULL, next_id = NULL, found = '[]', due_at = $dueAt,
           covered_to = started_at, started_at = NULL, ended_at = $now, broken = $found
         WHERE kind = $kind AND lease_until = $leaseUntil`,
  parameters: { kind: text, leaseUntil: timestamptz, now: timestamptz, dueAt: timestamptz, found: jsonb },
  columns: {},
});

/** Stores the result of a check. Does nothing if another worker has its lease by now. @param dueAt when the next run begins. */
export async function endCheck(
  db: Queryable,
  { kind, leaseUntil }: ClaimedCheck,
  { found, ...times }: { readonly now: Date; readonly dueAt: Date; readonly found: readonly Breach[] },
): Promise<void> {
  await END.rows(db, { ...times, kind, leaseUntil, found: JSON.stringify(found) });
}

const LIST_RESULTS = statement({
  name: 'list the results of the checks of the ledger',
  text: `SELECT kind, covered_to AS "coveredTo", ended_at AS "endedAt", broken FROM ledger_check WHERE ended_at IS NOT NULL`,
  parameters: {},
  columns: { kind: text, coveredTo: nullable(timestamptz), endedAt: nullable(timestamptz), broken: jsonb },
});

/** Returns the results of the last completed run of each check. A check that has never ended is missing. */
export async function listCheckResults(db: Queryable) {
  return (await LIST_RESULTS.rows(db, {})).flatMap(({ kind, coveredTo, endedAt, broken }) =>
    endedAt && coveredTo
      ? [{ kind: kindSchema.parse(kind), tookMs: endedAt.getTime() - coveredTo.getTime(), endedAt, broken: breachesSchema.parse(broken) }]
      : [],
  );
}
