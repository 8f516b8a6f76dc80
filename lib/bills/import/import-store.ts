import type { BillsOf } from '@/lib/bills/store';
import type { Environment } from '@/lib/core/scope';
import type { Connection } from '@/lib/db/database';

/** A checked file of bills. */
export interface BillImport {
  readonly id: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly fileName: string;
  readonly encoding: string;
  /** A hash of the rows, in hexadecimal. */
  readonly rowsHash: string;
  readonly rowCount: number;
  readonly errorCount: number;
  readonly warningCount: number;
  /** The sum of the rows without errors, in senti. */
  readonly total: bigint;
  readonly createdBy: string;
  readonly createdById: string;
  readonly createdAt: Date;
  readonly askPhones: boolean;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

/** The fields of a BillImport. Here the hash is stored as bytes. */
const SELECT = {
  id: true,
  merchantId: true,
  environment: true,
  fileName: true,
  encoding: true,
  rowsHash: true,
  rowCount: true,
  errorCount: true,
  warningCount: true,
  total: true,
  createdBy: true,
  createdById: true,
  createdAt: true,
  askPhones: true,
  startedAt: true,
  finishedAt: true,
} as const;

type FileRow = Omit<BillImport, 'rowsHash'> & { readonly rowsHash: Uint8Array };

function readFile({ rowsHash, ...row }: FileRow): BillImport {
  return { ...row, rowsHash: Buffer.from(rowsHash).toString('hex') };
}

/** Returns Prisma's condition for the imports that a member may see. */
function visibleTo({ scope: { merchantId, environment }, billsOf }: BillsOf) {
  return { merchantId, environment, ...(billsOf !== null && { createdById: billsOf }) };
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

export async function findImport({ prisma }: Connection, whose: BillsOf, id: string): Promise<BillImport | undefined> {
  const row = await prisma.billImport.findUnique({ where: { id, ...visibleTo(whose) }, select: SELECT });
  return row ? readFile(row) : undefined;
}

/** Returns the newest imports. */
export async function listImports({ prisma }: Connection, whose: BillsOf, limit: number): Promise<BillImport[]> {
  const rows = await prisma.billImport.findMany({
    where: visibleTo(whose),
    select: SELECT,
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    take: limit,
  });
  return rows.map(readFile);
}

/** Returns another import of the same rows that was started by any member. */
export async function findImportOfSameRows(
  { prisma }: Connection,
  { id, merchantId, environment, rowsHash }: BillImport,
): Promise<BillImport | undefined> {
  const row = await prisma.billImport.findFirst({
    where: { merchantId, environment, rowsHash: Buffer.from(rowsHash, 'hex'), id: { not: id }, startedAt: { not: null } },
    select: SELECT,
    orderBy: { startedAt: 'desc' },
  });
  return row ? readFile(row) : undefined;
}
