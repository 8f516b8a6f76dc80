import type { Scope } from '@/lib/platform/core/scope';
import type { Connection, Queryable } from '@/lib/platform/db/database';
import { bill } from '@/lib/platform/db/generated/tables';
import { nullable, pick, select, selectionOf, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { type BillInfo, FULL_INFO_TYPES, infoColumns, infoTypes, type StoredInfo } from './bill-info';
import type { Bill } from './rules';

export const BILL_TYPES = pick(
  bill,
  'id merchantId environment amount reference mobile paidAmount reservedAmount status createdAt paidAt closedAt',
);
/** The columns of a Bill, for a table with the alias `b`. */
export const BILL_COLUMNS = select(BILL_TYPES, 'b.');
/** The columns of a Bill, for Prisma. */
export const BILL = selectionOf(BILL_TYPES);

/**
 * SQL of a table `b` that has only the bill with an id. OFFSET 0 makes PostgreSQL find the bill with the index on the id before it checks
 * other conditions. While the tables are small or their statistics are old, other indexes look equally cheap. With another index, PostgreSQL
 * would read all bills of the merchant to find one.
 */
export const billById = (id: string) => `(SELECT * FROM bill WHERE id = ${id} OFFSET 0) b`;

const FROM_BILL = `FROM ${billById('$id')} WHERE b.merchant_id = $merchantId AND b.environment = $environment`;

const SELECT_BILL = statement({
  name: 'select-bill',
  prepared: true,
  text: `SELECT ${BILL_COLUMNS} ${FROM_BILL}`,
  parameters: pick(bill, 'id merchantId environment'),
  columns: BILL_TYPES,
});

export async function findBill(db: Queryable, { merchantId, environment }: Scope, id: string): Promise<Bill | undefined> {
  return SELECT_BILL.first(db, { id, merchantId, environment });
}

/** Returns the SQL of `isOverpaid`, exactly as in the partial index `bill_overpaid`. `alias` is the table's alias with its dot. */
export function overpaidSql(alias = ''): string {
  return `${alias}paid_amount > (${alias}amount + 99) / 100 * 100`;
}

/** The bills that a query may find: those that the member `billsOf` created, or all bills of the scope if `billsOf` is null. */
interface BillsOf {
  readonly scope: Scope;
  readonly billsOf: string | null;
}

const SELECT_BILL_OF = statement({
  name: 'select a visible bill',
  text: `SELECT ${BILL_COLUMNS}, ${infoColumns()} ${FROM_BILL} AND ($billsOf::uuid IS NULL OR b.created_by_id = $billsOf)`,
  parameters: { ...pick(bill, 'id merchantId environment'), billsOf: bill.createdById },
  columns: { ...BILL_TYPES, ...FULL_INFO_TYPES },
});

export async function findBillOf(db: Queryable, { scope, billsOf }: BillsOf, id: string): Promise<(Bill & StoredInfo) | undefined> {
  return SELECT_BILL_OF.first(db, { ...scope, id, billsOf });
}

const SET_INFO = statement({
  name: 'set the optional values of a bill',
  text: 'UPDATE bill SET customer_name = $customerName, description = $description, due_at = $dueAt WHERE id = $id',
  parameters: { id: bill.id, ...infoTypes<'customerName' | 'description' | 'dueAt'>(['customerName', 'description', 'dueAt']) },
});

/** Sets the optional values of a bill that the caller has locked. */
export async function setInfo(tx: Queryable, id: string, { customerName, description, dueAt }: BillInfo): Promise<void> {
  await SET_INFO.rows(tx, { id, customerName, description, dueAt });
}

const SET_CLOSED = statement({
  name: 'close or reopen a bill',
  text: `UPDATE bill SET closed_at = $at::timestamptz,
           expires_at = CASE WHEN $at::timestamptz IS NULL AND expires_at <= $now THEN NULL ELSE expires_at END
         WHERE id = $id`,
  parameters: { id: bill.id, at: nullable(timestamptz), now: timestamptz },
});

/**
 * Closes or reopens a bill that the caller has locked. `at` is the time of closing, or null to reopen the bill. A bill that had expired and
 * is reopened does not expire again.
 */
export async function setClosed(tx: Queryable, id: string, { at, now }: { readonly at: Date | null; readonly now: Date }): Promise<void> {
  await SET_CLOSED.rows(tx, { id, at, now });
}

/** Finds the oldest bill with a reference. */
export async function findBillByReference({ prisma }: Connection, { merchantId, environment }: Scope, reference: string) {
  return prisma.bill.findFirst({ where: { merchantId, environment, reference }, orderBy: { id: 'asc' }, select: { id: true } });
}

/** Returns true if this reference belongs to a bill that was created while the merchant's references had to be unique. */
export async function hasUniqueReference({ prisma }: Connection, { merchantId, environment }: Scope, reference: string): Promise<boolean> {
  return (await prisma.bill.findFirst({ where: { merchantId, environment, uniqueReference: reference }, select: { id: true } })) !== null;
}

/** Finds a bill of any merchant, for the operator. */
export async function findAnyBill({ prisma }: Connection, id: string): Promise<Bill | undefined> {
  return (await prisma.bill.findUnique({ where: { id }, select: BILL })) ?? undefined;
}
