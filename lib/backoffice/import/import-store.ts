import { z } from 'zod';
import type { Scope } from '@/lib/platform/core/scope';
import type { Connection, Queryable } from '@/lib/platform/db/database';
import type { Prisma } from '@/lib/platform/db/generated/client';
import { billImport } from '@/lib/platform/db/generated/tables';
import { timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { problemSchema } from './import-rules';

/** A checked file of bills. `total` is the sum of the rows without errors, in senti. */
export type BillImport = ReturnType<typeof readFile>;

/** Returns an import with its hash in hexadecimal. The database stores the hash as bytes. */
export function readFile({ rowsHash, ...row }: Prisma.BillImportModel) {
  return { ...row, rowsHash: Buffer.from(rowsHash).toString('hex') };
}

export async function findImport({ prisma }: Connection, { merchantId, environment }: Scope, id: string): Promise<BillImport | undefined> {
  const row = await prisma.billImport.findUnique({ where: { id, merchantId, environment } });
  return row ? readFile(row) : undefined;
}

/** Returns another import with the same rows, if a member has started one. */
export async function findImportOfSameRows(
  { prisma }: Connection,
  { id, merchantId, environment, rowsHash }: BillImport,
): Promise<BillImport | undefined> {
  const row = await prisma.billImport.findFirst({
    where: { merchantId, environment, rowsHash: Buffer.from(rowsHash, 'hex'), id: { not: id }, startedAt: { not: null } },
    orderBy: { startedAt: 'desc' },
  });
  return row ? readFile(row) : undefined;
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
  columns: { id: billImport.id },
});

/** Deletes imports that were checked before an instant and never started, at most 20 at a time. Returns how many were deleted. */
export async function deleteDrafts(db: Queryable, before: Date): Promise<number> {
  return (await DELETE_DRAFTS.rows(db, { before })).length;
}

interface RowListing {
  readonly importId: string;
  /** Only rows with a higher number than this are returned. */
  readonly after: number;
  /** Whether to return only rows with an error, a warning or a refusal. */
  readonly problems: boolean;
  readonly limit: number;
}

export async function listImportRows({ prisma }: Connection, { importId, after, problems: onlyProblems, limit }: RowListing) {
  const rows = await prisma.billImportRow.findMany({
    where: { importId, number: { gt: after }, ...(onlyProblems && { OR: [{ problems: { not: [] } }, { refused: { not: null } }] }) },
    omit: { importId: true },
    orderBy: { number: 'asc' },
    take: limit,
  });
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
