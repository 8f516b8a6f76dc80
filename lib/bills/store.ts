import type { Scope } from '@/lib/core/scope';
import type { Connection, Queryable } from '@/lib/db/database';
import { environment, int8, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import type { StoredExtras } from './bill-extras';
import type { BillInfo } from './bill-info';
import type { Bill } from './rules';
import { billStatus } from './sql-types';

/** The columns of a Bill, for a table with the alias `b`. */
export const BILL_COLUMNS = `b.id, b.merchant_id AS "merchantId", b.environment, b.amount, b.reference, b.mobile, b.paid_amount AS "paidAmount",
  b.reserved_amount AS "reservedAmount", b.status, b.created_at AS "createdAt", b.paid_at AS "paidAt", b.closed_at AS "closedAt"`;
export const BILL_TYPES = {
  id: uuid,
  merchantId: uuid,
  environment,
  amount: int8,
  reference: text,
  mobile: nullable(text),
  paidAmount: int8,
  reservedAmount: int8,
  status: billStatus,
  createdAt: timestamptz,
  paidAt: nullable(timestamptz),
  closedAt: nullable(timestamptz),
};
/** The columns of a BillInfo, for a table with the alias `b`. */
export const INFO_COLUMNS = `b.customer_name AS "customerName", b.description, b.due_at AS "dueAt"`;
export const INFO_TYPES = { customerName: nullable(text), description: nullable(text), dueAt: nullable(timestamptz) };
/** The columns of StoredExtras, for a table with the alias `b`. Metadata stays JSON text, which the API returns unchanged. */
export const EXTRA_COLUMNS = `b.customer_email AS "customerEmail", b.metadata::text AS metadata, b.expires_at AS "expiresAt", b.return_url AS "returnUrl",
  b.language`;
export const EXTRA_TYPES = {
  customerEmail: nullable(text),
  metadata: nullable(text),
  expiresAt: nullable(timestamptz),
  returnUrl: nullable(text),
  language: nullable(text),
};
const BILL = {
  id: true,
  merchantId: true,
  environment: true,
  amount: true,
  reference: true,
  mobile: true,
  paidAmount: true,
  reservedAmount: true,
  status: true,
  createdAt: true,
  paidAt: true,
  closedAt: true,
} as const;

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
  parameters: { id: uuid, merchantId: uuid, environment },
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
  text: `SELECT ${BILL_COLUMNS}, ${INFO_COLUMNS}, ${EXTRA_COLUMNS} ${FROM_BILL} AND ($billsOf::uuid IS NULL OR b.created_by_id = $billsOf)`,
  parameters: { id: uuid, merchantId: uuid, environment, billsOf: nullable(uuid) },
  columns: { ...BILL_TYPES, ...INFO_TYPES, ...EXTRA_TYPES },
});

export async function findBillOf(
  db: Queryable,
  { scope, billsOf }: BillsOf,
  id: string,
): Promise<(Bill & BillInfo & StoredExtras) | undefined> {
  const { merchantId, environment } = scope;
  return SELECT_BILL_OF.first(db, { id, merchantId, environment, billsOf });
}

const SET_INFO = statement({
  name: 'set the optional values of a bill',
  text: 'UPDATE bill SET customer_name = $customerName, description = $description, due_at = $dueAt WHERE id = $id',
  parameters: { id: uuid, ...INFO_TYPES },
  columns: {},
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
  parameters: { id: uuid, at: nullable(timestamptz), now: timestamptz },
  columns: {},
});

/**
 * Closes or reopens a bill that the caller has locked. `at` is the time of closing, or null to reopen the bill. A bill that had expired and
 * is reopened does not expire again.
 */
export async function setClosed(tx: Queryable, id: string, { at, now }: { readonly at: Date | null; readonly now: Date }): Promise<void> {
  await SET_CLOSED.rows(tx, { id, at, now });
}

const SELECT_BY_REFERENCE = statement({
  name: 'select the oldest bill with a reference',
  text: `SELECT id FROM bill WHERE merchant_id = $merchantId AND environment = $environment AND reference = $reference ORDER BY id LIMIT 1`,
  parameters: { merchantId: uuid, environment, reference: text },
  columns: { id: uuid },
});

export async function findBillByReference(db: Queryable, scope: Scope, reference: string): Promise<{ id: string } | undefined> {
  return SELECT_BY_REFERENCE.first(db, { ...scope, reference });
}

const HAS_UNIQUE_REFERENCE = statement({
  name: 'has a unique reference',
  text: `SELECT id FROM bill WHERE merchant_id = $merchantId AND environment = $environment AND unique_reference = $reference LIMIT 1`,
  parameters: { merchantId: uuid, environment, reference: text },
  columns: { id: uuid },
});

/** Returns true if this reference belongs to a bill that was created while the merchant's references had to be unique. */
export async function hasUniqueReference(db: Queryable, { merchantId, environment }: Scope, reference: string): Promise<boolean> {
  return (await HAS_UNIQUE_REFERENCE.first(db, { merchantId, environment, reference })) !== undefined;
}

/** Finds a bill of any merchant, for the operator. */
export async function findAnyBill({ prisma }: Connection, id: string): Promise<Bill | undefined> {
  return (await prisma.bill.findUnique({ where: { id }, select: BILL })) ?? undefined;
}
