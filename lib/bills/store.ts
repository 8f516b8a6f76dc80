import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import type { Locale } from '@/lib/i18n/translator';
import type { Brand } from '@/lib/merchants/brand-rules';
import { BRAND_COLUMNS } from '@/lib/merchants/brand-store';
import type { Bill } from './rules';

/** The columns of a Bill, of a table aliased `b`. */
export const BILL_COLUMNS = `b.id, b.merchant_id AS "merchantId", b.environment, b.amount, b.reference, b.mobile, b.paid_amount AS "paidAmount",
  b.reserved_amount AS "reservedAmount", b.status, b.created_at AS "createdAt", b.paid_at AS "paidAt", b.closed_at AS "closedAt"`;

/** OFFSET 0 for the same reason as in SELECT_BILL_DETAILS (get-store.ts). */
const SELECT_BILL = {
  name: 'select-bill',
  text: `SELECT ${BILL_COLUMNS} FROM (SELECT * FROM bill WHERE id = $1 OFFSET 0) b WHERE b.merchant_id = $2 AND b.environment = $3`,
};

export async function findBill(db: Queryable, scope: Scope, id: string): Promise<Bill | undefined> {
  const [bill] = await db.query<Bill>(SELECT_BILL, [id, scope.merchantId, scope.environment]);
  return bill;
}

/** `isOverpaid` in SQL, written as the partial index `bill_overpaid` has it. @param alias of the table, with its dot. */
export function overpaidSql(alias = ''): string {
  return `${alias}paid_amount > (${alias}amount + 99) / 100 * 100`;
}

/** Whose bills may be found: those of one person, or with null all of the merchant's in the environment. */
export interface BillsOf {
  readonly scope: Scope;
  readonly billsOf: string | null;
}

export async function findBillOf(db: Queryable, { scope, billsOf }: BillsOf, id: string): Promise<Bill | undefined> {
  const [bill] = await db.query<Bill>({ text: `${SELECT_BILL.text} AND ($4::uuid IS NULL OR b.created_by_id = $4)` }, [
    id,
    scope.merchantId,
    scope.environment,
    billsOf,
  ]);
  return bill;
}

/** Closes a bill that the caller has locked, or opens it again with null. */
export async function setClosed(tx: Queryable, id: string, at: Date | null): Promise<void> {
  await tx.query({ text: 'UPDATE bill SET closed_at = $2 WHERE id = $1' }, [id, at]);
}

/** A bill with what its page says of the merchant. */
export type LinkedBill = Bill &
  Brand & {
    readonly merchantName: string;
    /** The language of its page where nobody chose one; null for the browser's. */
    readonly merchantLanguage: Locale | null;
    readonly merchantActive: boolean;
    /** What went back of what was paid, senti. */
    readonly reversedAmount: bigint;
    /** Whether the merchant takes its bills in parts. */
    readonly partialPayments: boolean;
  };

/** For the customer's page: whoever has the link may see the bill's own facts. */
export async function findBillByLink(db: Queryable, environment: Scope['environment'], id: string): Promise<LinkedBill | undefined> {
  const [bill] = await db.query<LinkedBill>(
    {
      name: 'select-bill-by-link',
      text: `SELECT ${BILL_COLUMNS}, b.reversed_amount AS "reversedAmount", m.name AS "merchantName", m.language AS "merchantLanguage", p.status = 'active' AS "merchantActive",
               p.partial_payments AS "partialPayments", ${BRAND_COLUMNS}
             FROM bill b JOIN merchant m ON m.id = b.merchant_id
             JOIN merchant_profile p ON p.merchant_id = b.merchant_id AND p.environment = b.environment
             WHERE b.id = $1 AND b.environment = $2`,
    },
    [id, environment],
  );
  return bill;
}

/** @returns the oldest bill with a reference. */
export async function findBillByReference(db: Queryable, scope: Scope, reference: string): Promise<{ id: string } | undefined> {
  const [bill] = await db.query<{ id: string }>(
    { text: 'SELECT id FROM bill WHERE merchant_id = $1 AND environment = $2 AND reference = $3 ORDER BY id LIMIT 1' },
    [scope.merchantId, scope.environment, reference],
  );
  return bill;
}

/** Of any merchant: for the operator. */
export async function findAnyBill(db: Queryable, id: string): Promise<Bill | undefined> {
  const [bill] = await db.query<Bill>({ text: `SELECT ${BILL_COLUMNS} FROM bill b WHERE b.id = $1` }, [id]);
  return bill;
}
