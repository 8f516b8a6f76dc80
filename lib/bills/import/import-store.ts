import type { Scope } from '@/lib/core/scope';
import type { Connection } from '@/lib/db/database';
import type { Prisma } from '@/lib/db/generated/client';

/** A checked file of bills. `total` is the sum of the rows without errors, in senti. */
export type BillImport = ReturnType<typeof readFile>;

/** Returns an import with its hash in hexadecimal. The database stores the hash as bytes. */
function readFile({ rowsHash, ...row }: Prisma.BillImportModel) {
  return { ...row, rowsHash: Buffer.from(rowsHash).toString('hex') };
}

/** Returns false if an import with this id exists. */
export async function insertImport(
  { prisma }: Connection,
  { rowsHash, ...file }: Omit<BillImport, 'askPhones' | 'startedAt' | 'finishedAt'>,
): Promise<boolean> {
  const data = { ...file, rowsHash: Buffer.from(rowsHash, 'hex') };
  const { count } = await prisma.billImport.createMany({ data, skipDuplicates: true });
  return count > 0;
}

export async function findImport({ prisma }: Connection, { merchantId, environment }: Scope, id: string): Promise<BillImport | undefined> {
  const row = await prisma.billImport.findUnique({ where: { id, merchantId, environment } });
  return row ? readFile(row) : undefined;
}

export async function listImports({ prisma }: Connection, { merchantId, environment }: Scope, limit: number): Promise<BillImport[]> {
  const rows = await prisma.billImport.findMany({
    where: { merchantId, environment },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    take: limit,
  });
  return rows.map(readFile);
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
