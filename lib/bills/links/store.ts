import type { Bill } from '@/lib/bills/rules';
import type { Environment } from '@/lib/core/scope';
import type { Connection, Queryable } from '@/lib/db/database';
import { environment, text, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

/** Returns the code of a bill's short link, if it has one. */
export async function findCode({ prisma }: Connection, billId: string): Promise<string | undefined> {
  return (await prisma.billLink.findUnique({ where: { billId }, select: { code: true } }))?.code;
}

/** Stores the code of a bill. Changes nothing if the bill has one already, or if another bill has this code. */
export async function insertLink(
  { prisma }: Connection,
  { code, bill, createdAt }: { code: string; bill: Pick<Bill, 'id' | 'merchantId' | 'environment'>; createdAt: Date },
): Promise<void> {
  const { id: billId, merchantId, environment } = bill;
  await prisma.billLink.createMany({ data: { code, merchantId, environment, billId, createdAt }, skipDuplicates: true });
}

const FIND_BILL = statement({
  name: 'select-bill-link',
  prepared: true,
  text: 'SELECT bill_id AS "billId" FROM bill_link WHERE code = $code AND environment = $environment',
  parameters: { code: text, environment },
  columns: { billId: uuid },
});

/** Returns the id of the bill that a code belongs to. */
export async function findBillOfLink(db: Queryable, environment: Environment, code: string): Promise<string | undefined> {
  return (await FIND_BILL.first(db, { code, environment }))?.billId;
}
