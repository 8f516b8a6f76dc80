import type { BillsOf } from '@/lib/bills/store';
import type { Environment } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import type { CheckedRow } from './import-rules';

/** A file of bills that was checked. */
export interface BillImport {
  readonly id: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly fileName: string;
  readonly encoding: string;
  /** Of the rows, in hexadecimal. */
  readonly rowsHash: string;
  readonly rowCount: number;
  readonly errorCount: number;
  readonly warningCount: number;
  /** Of the rows that a bill can be made of, senti. */
  readonly total: bigint;
  readonly createdBy: string;
  readonly createdById: string;
  readonly createdAt: Date;
  readonly askPhones: boolean;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

const COLUMNS = `i.id, i.merchant_id AS "merchantId", i.environment, i.file_name AS "fileName", i.encoding, encode(i.rows_hash, 'hex') AS "rowsHash",
  i.row_count AS "rowCount", i.error_count AS "errorCount", i.warning_count AS "warningCount", i.total, i.created_by AS "createdBy",
  i.created_by_id AS "createdById", i.created_at AS "createdAt", i.ask_phones AS "askPhones", i.started_at AS "startedAt", i.finished_at AS "finishedAt"`;
const MAY_SEE = 'i.merchant_id = $1 AND i.environment = $2 AND ($3::uuid IS NULL OR i.created_by_id = $3)';

const seenBy = ({ scope, billsOf }: BillsOf) => [scope.merchantId, scope.environment, billsOf];

/** @returns false when there is one with this id already. */
export async function insertImport(tx: Queryable, file: Omit<BillImport, 'askPhones' | 'startedAt' | 'finishedAt'>): Promise<boolean> {
  const rows = await tx.query(
    {
      text: `INSERT INTO bill_import (id, merchant_id, environment, file_name, encoding, rows_hash, row_count, error_count, warning_count, total,
               created_by, created_by_id, created_at)
             VALUES ($1, $2, $3, $4, $5, decode($6, 'hex'), $7, $8, $9, $10, $11, $12, $13) ON CONFLICT (id) DO NOTHING RETURNING 1 AS made`,
    },
    [
      file.id,
      file.merchantId,
      file.environment,
      file.fileName,
      file.encoding,
      file.rowsHash,
      file.rowCount,
      file.errorCount,
      file.warningCount,
      file.total,
      file.createdBy,
      file.createdById,
      file.createdAt,
    ],
  );
  return rows.length > 0;
}

export async function insertImportRows(tx: Queryable, importId: string, rows: readonly CheckedRow[]): Promise<void> {
  await tx.query(
    {
      text: `INSERT INTO bill_import_row (import_id, number, amount, reference, mobile, problems)
             SELECT $1, * FROM unnest($2::int[], $3::bigint[], $4::text[], $5::text[], $6::jsonb[])`,
    },
    [
      importId,
      rows.map(({ number }) => number),
      rows.map(({ amount }) => amount),
      rows.map(({ reference }) => reference),
      rows.map(({ mobile }) => mobile),
      rows.map(({ problems }) => JSON.stringify(problems)),
    ],
  );
}

/** @returns those of the references that bills which may be found have. */
export async function findUsedReferences(db: Queryable, { scope, billsOf }: BillsOf, references: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ reference: string }>(
    {
      text: `SELECT r.reference FROM unnest($3::text[]) AS r(reference)
             WHERE EXISTS (SELECT 1 FROM bill b WHERE b.merchant_id = $1 AND b.environment = $2 AND b.reference = r.reference
               AND ($4::uuid IS NULL OR b.created_by_id = $4))`,
    },
    [scope.merchantId, scope.environment, references, billsOf],
  );
  return new Set(rows.map(({ reference }) => reference));
}

export async function findImport(db: Queryable, whose: BillsOf, id: string): Promise<BillImport | undefined> {
  const [found] = await db.query<BillImport>({ text: `SELECT ${COLUMNS} FROM bill_import i WHERE ${MAY_SEE} AND i.id = $4` }, [
    ...seenBy(whose),
    id,
  ]);
  return found;
}

/** @returns the newest files. */
export async function listImports(db: Queryable, whose: BillsOf, limit: number): Promise<BillImport[]> {
  return db.query<BillImport>({ text: `SELECT ${COLUMNS} FROM bill_import i WHERE ${MAY_SEE} ORDER BY i.created_at DESC, i.id LIMIT $4` }, [
    ...seenBy(whose),
    limit,
  ]);
}

/** @returns another file with the same rows whose bills have been made, whoever made them. */
export async function findTwin(db: Queryable, { id, merchantId, environment, rowsHash }: BillImport): Promise<BillImport | undefined> {
  const [twin] = await db.query<BillImport>(
    {
      text: `SELECT ${COLUMNS} FROM bill_import i
             WHERE i.merchant_id = $1 AND i.environment = $2 AND i.rows_hash = decode($3, 'hex') AND i.id <> $4 AND i.started_at IS NOT NULL
             ORDER BY i.started_at DESC LIMIT 1`,
    },
    [merchantId, environment, rowsHash, id],
  );
  return twin;
}

/** A row with what became of it. */
export interface ImportRow extends CheckedRow {
  readonly billId: string | null;
  readonly refused: string | null;
}

const ROW_COLUMNS = 'r.number, r.amount, r.reference, r.mobile, r.problems, r.bill_id AS "billId", r.refused';

interface RowListing {
  readonly importId: string;
  /** Only those below this one. */
  readonly after: number;
  /** Only those where something is wrong, doubtful or was refused. */
  readonly problems: boolean;
  readonly limit: number;
}

/** @returns rows in the order of the file. */
export async function listImportRows(db: Queryable, { importId, after, problems, limit }: RowListing): Promise<ImportRow[]> {
  return db.query<ImportRow>(
    {
      text: `SELECT ${ROW_COLUMNS} FROM bill_import_row r
             WHERE r.import_id = $1 AND r.number > $2 AND (NOT $3::boolean OR r.problems <> '[]' OR r.refused IS NOT NULL)
             ORDER BY r.number LIMIT $4`,
    },
    [importId, after, problems, limit],
  );
}

/** How many of a file's bills have been made, how many could not be, and how many rows name a phone. */
export interface ImportCounts {
  readonly made: number;
  readonly refused: number;
  readonly phones: number;
}

export async function countImported(db: Queryable, importId: string): Promise<ImportCounts> {
  const [row] = await db.query<ImportCounts>(
    {
      text: 'SELECT count(bill_id)::int AS made, count(refused)::int AS refused, count(mobile)::int AS phones FROM bill_import_row WHERE import_id = $1',
    },
    [importId],
  );
  return row ?? { made: 0, refused: 0, phones: 0 };
}
