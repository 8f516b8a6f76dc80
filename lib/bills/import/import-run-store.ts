import type { Scope } from '@/lib/core/scope';
import { ADVISORY_LOCKS } from '@/lib/db/advisory-locks';
import type { Connection, Queryable } from '@/lib/db/database';
import { array, boolean, environment, int4, nothing, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { networkByPrefix } from '@/lib/networks/store';

const LOCK_ROWS = statement({
  name: 'lock the rows of an import',
  text: `SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.importRows}, hashtext($rows)) AS locked`,
  parameters: { rows: text },
  columns: { locked: nothing },
});

/** Locks the rows' hash, so that only one transaction at a time decides whether the same rows were imported before. */
export async function lockRows(tx: Queryable, { merchantId, rowsHash }: { merchantId: string; rowsHash: string }): Promise<void> {
  await LOCK_ROWS.rows(tx, { rows: `${merchantId}:${rowsHash}` });
}

const LOCK = statement({
  name: 'lock an import',
  text: `SELECT started_at AS "startedAt", finished_at AS "finishedAt", ask_phones AS "askPhones" FROM bill_import WHERE id = $id FOR UPDATE`,
  parameters: { id: uuid },
  columns: { startedAt: nullable(timestamptz), finishedAt: nullable(timestamptz), askPhones: boolean },
});

/** Locks an import, so that only one request at a time creates its bills. Returns undefined if it was deleted. */
export async function lockImport(tx: Queryable, id: string) {
  return LOCK.first(tx, { id });
}

export async function markStarted({ prisma }: Connection, id: string, askPhones: boolean, now: Date): Promise<void> {
  await prisma.billImport.updateMany({ where: { id }, data: { startedAt: now, askPhones } });
}

export async function markFinished({ prisma }: Connection, id: string, now: Date): Promise<void> {
  await prisma.billImport.updateMany({ where: { id }, data: { finishedAt: now } });
}

const DELETE_DRAFTS = statement({
  name: 'delete imports that were never started',
  text: `WITH draft AS (
           SELECT id FROM bill_import WHERE started_at IS NULL AND created_at < $before ORDER BY created_at LIMIT 20 FOR UPDATE SKIP LOCKED
         ), emptied AS (
           DELETE FROM bill_import_row r USING draft WHERE r.import_id = draft.id
         )
         DELETE FROM bill_import i USING draft WHERE i.id = draft.id RETURNING i.id`,
  parameters: { before: timestamptz },
  columns: { id: uuid },
});

/** Deletes imports that were checked before an instant and never started, at most 20 at a time. Returns how many were deleted. */
export async function deleteDrafts(db: Queryable, before: Date): Promise<number> {
  return (await DELETE_DRAFTS.rows(db, { before })).length;
}

const DELETE_DRAFTS_ABOVE = statement({
  name: 'delete the oldest imports that were never started',
  text: `WITH draft AS MATERIALIZED (
           SELECT id FROM bill_import WHERE merchant_id = $merchantId AND environment = $environment AND started_at IS NULL
           ORDER BY created_at DESC, id OFFSET $most::int FOR UPDATE SKIP LOCKED
         ), emptied AS (
           DELETE FROM bill_import_row r USING draft WHERE r.import_id = draft.id
         )
         DELETE FROM bill_import i USING draft WHERE i.id = draft.id`,
  parameters: { merchantId: uuid, environment, most: int4 },
  columns: {},
});

/** Deletes the oldest imports that a merchant has not started, if there are more than `most`. */
export async function deleteDraftsAbove(db: Queryable, { merchantId, environment: where }: Scope, most: number): Promise<void> {
  await DELETE_DRAFTS_ABOVE.rows(db, { merchantId, environment: where, most });
}

export type DueRow = Awaited<ReturnType<typeof listDueRows>>[number];

/** Returns the next rows that have neither a bill nor a refusal. */
export async function listDueRows({ prisma }: Connection, importId: string, limit: number) {
  return prisma.billImportRow.findMany({
    where: { importId, billId: null, refused: null },
    select: { number: true, mobile: true },
    orderBy: { number: 'asc' },
    take: limit,
  });
}

const CREATE_BILLS = statement({
  name: 'make-imported-bills',
  text: `
WITH input AS (
  SELECT u.*, r.amount, r.reference, r.mobile, r.customer_name, r.description, r.due_at, CASE WHEN u.prompt IS NOT NULL THEN (r.amount + 99) / 100 * 100 ELSE 0 END AS asked
  FROM unnest($numbers::int[], $billIds::uuid[], $promptIds::uuid[], $ourReferences::text[]) AS u(number, bill, prompt, our_reference)
  JOIN bill_import_row r ON r.import_id = $importId::uuid AND r.number = u.number
), created AS (
  INSERT INTO bill (id, merchant_id, environment, amount, reference, unique_reference, mobile, created_at, reserved_amount, created_by_id, customer_name, description, due_at)
  SELECT bill, $merchantId::uuid, $environment::environment, amount, reference, CASE WHEN $uniqueReferences::boolean THEN reference END, mobile, $now::timestamptz, asked, $createdById::uuid, customer_name, description, due_at FROM input
  ON CONFLICT (merchant_id, environment, unique_reference) WHERE unique_reference IS NOT NULL DO NOTHING
  RETURNING id
), noted AS (
  INSERT INTO bill_event (bill_id, number, merchant_id, environment, type, data, at)
  SELECT id, 1, $merchantId::uuid, $environment::environment, 'bill.created', jsonb_build_object('by', $createdBy::text, 'import', $importId::uuid), $now::timestamptz FROM created
), queued AS (
  INSERT INTO push_attempt (id, merchant_id, environment, bill_id, source, mobile, network, amount, our_reference, state, due_at, created_at)
  SELECT prompt, $merchantId::uuid, $environment::environment, bill, 'api', mobile, ${networkByPrefix('mobile')}, asked, our_reference, 'QUEUED', $now::timestamptz, $now::timestamptz
  FROM input JOIN created ON created.id = input.bill WHERE prompt IS NOT NULL
)
UPDATE bill_import_row r SET bill_id = created.id, refused = CASE WHEN created.id IS NULL THEN 'reference_used' END
FROM input LEFT JOIN created ON created.id = input.bill
WHERE r.import_id = $importId::uuid AND r.number = input.number`,
  parameters: {
    numbers: array(int4),
    billIds: array(uuid),
    promptIds: array(nullable(uuid)),
    ourReferences: array(nullable(text)),
    importId: uuid,
    merchantId: uuid,
    environment,
    uniqueReferences: boolean,
    now: timestamptz,
    createdById: uuid,
    createdBy: text,
  },
  columns: {},
  prepared: true,
});

type RowsToCreate = Omit<Parameters<typeof CREATE_BILLS.rows>[1], 'numbers' | 'billIds' | 'promptIds' | 'ourReferences'> & {
  /** The rows, each with the id of its new bill. `prompt`: id and our reference of the bill's attempt; null to send no prompt. */
  readonly rows: readonly {
    readonly number: number;
    readonly billId: string;
    readonly prompt: { id: string; ourReference: string } | null;
  }[];
};

/**
 * Creates the bills of rows and stores each bill's id in its row, all in one statement, so an interruption leaves a row either finished or
 * due. If references must be unique and another bill got a row's reference after the rows were checked, the row is marked as refused.
 */
export async function createImportedBills(tx: Queryable, { rows, ...file }: RowsToCreate): Promise<void> {
  await CREATE_BILLS.rows(tx, {
    ...file,
    numbers: rows.map(({ number }) => number),
    billIds: rows.map(({ billId }) => billId),
    promptIds: rows.map(({ prompt }) => prompt?.id ?? null),
    ourReferences: rows.map(({ prompt }) => prompt?.ourReference ?? null),
  });
}
