import { z } from 'zod';
import type { Scope } from '@/lib/core/scope';
import type { Connection, Queryable } from '@/lib/db/database';
import { array, boolean, environment, int4, int8, jsonb, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { type CheckedRow, problemSchema } from './import-rules';

const INSERT = statement({
  name: 'insert rows of an import',
  text: `INSERT INTO bill_import_row (import_id, number, amount, reference, mobile, customer_name, description, due_at, problems)
         SELECT $importId, * FROM unnest($numbers::int[], $amounts::bigint[], $references::text[], $mobiles::text[], $customerNames::text[], $descriptions::text[], $dueDates::timestamptz[], $problems::jsonb[])`,
  parameters: {
    importId: uuid,
    numbers: array(int4),
    amounts: array(nullable(int8)),
    references: array(nullable(text)),
    mobiles: array(nullable(text)),
    customerNames: array(nullable(text)),
    descriptions: array(nullable(text)),
    dueDates: array(nullable(timestamptz)),
    problems: array(jsonb),
  },
  columns: {},
});

export async function insertImportRows(tx: Queryable, importId: string, rows: readonly CheckedRow[]): Promise<void> {
  await INSERT.rows(tx, {
    importId,
    numbers: rows.map(({ number }) => number),
    amounts: rows.map(({ amount }) => amount),
    references: rows.map(({ reference }) => reference),
    mobiles: rows.map(({ mobile }) => mobile),
    customerNames: rows.map(({ customerName }) => customerName),
    descriptions: rows.map(({ description }) => description),
    dueDates: rows.map(({ dueAt }) => dueAt),
    problems: rows.map(({ problems }) => JSON.stringify(problems)),
  });
}

const FIND_USED = statement({
  name: 'find used references',
  text: `SELECT r.reference FROM unnest($references::text[]) AS r(reference)
         WHERE EXISTS (SELECT 1 FROM bill b WHERE b.merchant_id = $merchantId AND b.environment = $environment AND b.reference = r.reference)`,
  parameters: { merchantId: uuid, environment, references: array(text) },
  columns: { reference: text },
});

/** Returns the references that bills already have. */
export async function findUsedReferences(
  db: Queryable,
  { merchantId, environment: where }: Scope,
  references: readonly string[],
): Promise<Set<string>> {
  const rows = await FIND_USED.rows(db, { merchantId, environment: where, references });
  return new Set(rows.map(({ reference }) => reference));
}

interface RowListing {
  readonly importId: string;
  /** Only rows with a higher number than this are returned. */
  readonly after: number;
  /** Whether to return only rows with an error, a warning or a refusal. */
  readonly problems: boolean;
  readonly limit: number;
}

const LIST = statement({
  name: 'list rows of an import',
  text: `SELECT r.number, r.amount, r.reference, r.mobile, r.customer_name AS "customerName", r.description, r.due_at AS "dueAt", r.problems, r.bill_id AS "billId", r.refused FROM bill_import_row r
         WHERE r.import_id = $importId AND r.number > $after AND (NOT $onlyProblems::boolean OR r.problems <> '[]' OR r.refused IS NOT NULL)
         ORDER BY r.number LIMIT $limit::int`,
  parameters: { importId: uuid, after: int4, onlyProblems: boolean, limit: int4 },
  columns: {
    number: int4,
    amount: nullable(int8),
    reference: nullable(text),
    mobile: nullable(text),
    customerName: nullable(text),
    description: nullable(text),
    dueAt: nullable(timestamptz),
    problems: jsonb,
    billId: nullable(uuid),
    refused: nullable(text),
  },
});

export async function listImportRows(db: Queryable, { importId, after, problems: onlyProblems, limit }: RowListing) {
  const rows = await LIST.rows(db, { importId, after, onlyProblems, limit });
  return rows.map(({ problems, ...row }) => ({ ...row, problems: z.array(problemSchema).parse(problems) }));
}

/** The numbers of created bills, of refused rows, and of rows with a mobile number. */
export type ImportCounts = Awaited<ReturnType<typeof countImported>>;

export async function countImported({ prisma }: Connection, importId: string) {
  const { _count } = await prisma.billImportRow.aggregate({
    where: { importId },
    _count: { billId: true, refused: true, mobile: true },
  });
  return { made: _count.billId, refused: _count.refused, phones: _count.mobile };
}
