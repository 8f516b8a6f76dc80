import { z } from 'zod';
import type { Connection, Queryable } from '@/lib/platform/db/database';
import { ledgerCheck } from '@/lib/platform/db/generated/tables';
import { pick, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
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
  columns: pick(ledgerCheck, 'kind startedAt nextTable nextId found coveredTo'),
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

/** Stores where a check continues, and gives its lease back. Does nothing if another worker has it by now. */
export async function continueCheck(
  { prisma }: Connection,
  { kind, leaseUntil }: ClaimedCheck,
  {
    now,
    ...progress
  }: { readonly now: Date; readonly nextTable: string | null; readonly nextId: string; readonly found: readonly Breach[] },
): Promise<void> {
  await prisma.ledgerCheck.updateMany({ where: { kind, leaseUntil }, data: { ...progress, leaseUntil: now } });
}

/** Stores the result of a check. Does nothing if another worker has its lease by now. @param dueAt when the next run begins. */
export async function endCheck(
  { prisma }: Connection,
  { kind, leaseUntil, startedAt }: ClaimedCheck,
  { found, now, dueAt }: { readonly now: Date; readonly dueAt: Date; readonly found: readonly Breach[] },
): Promise<void> {
  const next = { leaseUntil: null, nextTable: null, nextId: null, found: [], dueAt, startedAt: null };
  await prisma.ledgerCheck.updateMany({
    where: { kind, leaseUntil },
    data: { ...next, coveredTo: startedAt, endedAt: now, broken: found },
  });
}

/** Returns the results of the last completed run of each check. A check that has never ended is missing. */
export async function listCheckResults({ prisma }: Connection) {
  return (await prisma.ledgerCheck.findMany({ where: { endedAt: { not: null } } })).flatMap(({ kind, coveredTo, endedAt, broken }) =>
    endedAt && coveredTo
      ? [{ kind: kindSchema.parse(kind), tookMs: endedAt.getTime() - coveredTo.getTime(), endedAt, broken: breachesSchema.parse(broken) }]
      : [],
  );
}
