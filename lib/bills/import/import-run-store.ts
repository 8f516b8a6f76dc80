import type { Environment } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { networkByPrefix } from '@/lib/networks/store';

/** The class of the locks on what files hold, apart from those on anything else. */
const ROWS_LOCK = 5_050_006;

/** Lets one transaction at a time decide whether the same rows have been made into bills before. */
export async function lockRows(tx: Queryable, { merchantId, rowsHash }: { merchantId: string; rowsHash: string }): Promise<void> {
  await tx.query({ text: 'SELECT pg_advisory_xact_lock($1, hashtext($2))' }, [ROWS_LOCK, `${merchantId}:${rowsHash}`]);
}

/** Locks a file, so that one request at a time makes its bills. @returns when that was begun and ended; undefined when it is gone. */
export async function lockImport(
  tx: Queryable,
  id: string,
): Promise<{ startedAt: Date | null; finishedAt: Date | null; askPhones: boolean } | undefined> {
  const [row] = await tx.query<{ startedAt: Date | null; finishedAt: Date | null; askPhones: boolean }>(
    {
      text: `SELECT started_at AS "startedAt", finished_at AS "finishedAt", ask_phones AS "askPhones" FROM bill_import WHERE id = $1 FOR UPDATE`,
    },
    [id],
  );
  return row;
}

export async function markStarted(tx: Queryable, id: string, askPhones: boolean, now: Date): Promise<void> {
  await tx.query({ text: 'UPDATE bill_import SET started_at = $2, ask_phones = $3 WHERE id = $1' }, [id, now, askPhones]);
}

export async function markFinished(tx: Queryable, id: string, now: Date): Promise<void> {
  await tx.query({ text: 'UPDATE bill_import SET finished_at = $2 WHERE id = $1' }, [id, now]);
}

/** Deletes files that were checked before an instant and never started. @returns how many went, at most twenty at a time. */
export async function deleteDrafts(db: Queryable, before: Date): Promise<number> {
  const rows = await db.query(
    {
      text: `WITH draft AS (
               SELECT id FROM bill_import WHERE started_at IS NULL AND created_at < $1 ORDER BY created_at LIMIT 20 FOR UPDATE SKIP LOCKED
             ), emptied AS (
               DELETE FROM bill_import_row r USING draft WHERE r.import_id = draft.id
             )
             DELETE FROM bill_import i USING draft WHERE i.id = draft.id RETURNING 1 AS gone`,
    },
    [before],
  );
  return rows.length;
}

export interface DueRow {
  readonly number: number;
  readonly mobile: string | null;
}

/** @returns the next rows that nothing has become of yet. */
export async function listDueRows(tx: Queryable, importId: string, limit: number): Promise<DueRow[]> {
  return tx.query<DueRow>(
    {
      text: 'SELECT number, mobile FROM bill_import_row WHERE import_id = $1 AND bill_id IS NULL AND refused IS NULL ORDER BY number LIMIT $2',
    },
    [importId, limit],
  );
}

interface RowsToMake {
  readonly importId: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly createdBy: string;
  readonly createdById: string;
  readonly uniqueReferences: boolean;
  readonly now: Date;
  /** The ids that each row's bill gets, and its prompt where its phone is asked. */
  readonly rows: readonly {
    readonly number: number;
    readonly billId: string;
    readonly prompt: { id: string; ourReference: string } | null;
  }[];
}

/**
 * Makes bills of rows and notes them there, in one statement: a row has its bill, or has none and is due again. A reference that
 * was used since, where that may not be, is noted instead.
 */
export async function makeBills(tx: Queryable, { rows, ...file }: RowsToMake): Promise<void> {
  await tx.query(
    {
      name: 'make-imported-bills',
      text: `
WITH input AS (
  SELECT u.*, r.amount, r.reference, r.mobile, CASE WHEN u.prompt IS NOT NULL THEN (r.amount + 99) / 100 * 100 ELSE 0 END AS asked
  FROM unnest($1::int[], $2::uuid[], $3::uuid[], $4::text[]) AS u(number, bill, prompt, our_reference)
  JOIN bill_import_row r ON r.import_id = $5::uuid AND r.number = u.number
), created AS (
  INSERT INTO bill (id, merchant_id, environment, amount, reference, unique_reference, mobile, created_at, reserved_amount, created_by_id)
  SELECT bill, $6::uuid, $7::environment, amount, reference, CASE WHEN $8::boolean THEN reference END, mobile, $9::timestamptz, asked, $10::uuid FROM input
  ON CONFLICT (merchant_id, environment, unique_reference) WHERE unique_reference IS NOT NULL DO NOTHING
  RETURNING id
), noted AS (
  INSERT INTO bill_event (bill_id, number, merchant_id, environment, type, data, at)
  SELECT id, 1, $6::uuid, $7::environment, 'bill.created', jsonb_build_object('by', $11::text, 'import', $5::uuid), $9::timestamptz FROM created
), queued AS (
  INSERT INTO push_attempt (id, merchant_id, environment, bill_id, source, mobile, network, amount, our_reference, state, due_at, created_at)
  SELECT prompt, $6::uuid, $7::environment, bill, 'api', mobile, ${networkByPrefix('mobile')}, asked, our_reference, 'QUEUED', $9::timestamptz, $9::timestamptz
  FROM input JOIN created ON created.id = input.bill WHERE prompt IS NOT NULL
)
UPDATE bill_import_row r SET bill_id = created.id, refused = CASE WHEN created.id IS NULL THEN 'reference_used' END
FROM input LEFT JOIN created ON created.id = input.bill
WHERE r.import_id = $5::uuid AND r.number = input.number`,
    },
    [
      rows.map(({ number }) => number),
      rows.map(({ billId }) => billId),
      rows.map(({ prompt }) => prompt?.id ?? null),
      rows.map(({ prompt }) => prompt?.ourReference ?? null),
      file.importId,
      file.merchantId,
      file.environment,
      file.uniqueReferences,
      file.now,
      file.createdById,
      file.createdBy,
    ],
  );
}
