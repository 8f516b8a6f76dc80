import type { Scope } from '@/lib/core/scope';
import type { Connection, Queryable } from '@/lib/db/database';
import { boolean, environment, int2, int8, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { isLocale, type Locale } from '@/lib/i18n/locale';
import type { Brand } from '@/lib/merchants/brand-rules';
import { BRAND_COLUMNS } from '@/lib/merchants/brand-store';
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

/** OFFSET 0 for the same reason as in SELECT_BILL_DETAILS (get-store.ts). */
const FROM_BILL = 'FROM (SELECT * FROM bill WHERE id = $id OFFSET 0) b WHERE b.merchant_id = $merchantId AND b.environment = $environment';

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

/** The SQL of `isOverpaid`, exactly as in the partial index `bill_overpaid`. `alias` is the table's alias with its dot. */
export function overpaidSql(alias = ''): string {
  return `${alias}paid_amount > (${alias}amount + 99) / 100 * 100`;
}

/** Limits the bills that may be found: those that one person created, or with null all of the merchant's environment. */
interface BillsOf {
  readonly scope: Scope;
  readonly billsOf: string | null;
}

const SELECT_BILL_OF = statement({
  name: 'select a visible bill',
  text: `SELECT ${BILL_COLUMNS}, ${INFO_COLUMNS} ${FROM_BILL} AND ($billsOf::uuid IS NULL OR b.created_by_id = $billsOf)`,
  parameters: { id: uuid, merchantId: uuid, environment, billsOf: nullable(uuid) },
  columns: { ...BILL_TYPES, ...INFO_TYPES },
});

export async function findBillOf(db: Queryable, { scope, billsOf }: BillsOf, id: string): Promise<(Bill & BillInfo) | undefined> {
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
  text: 'UPDATE bill SET closed_at = $at WHERE id = $id',
  parameters: { id: uuid, at: nullable(timestamptz) },
  columns: {},
});

/** Closes a bill that the caller has locked. `at` is null to reopen it. */
export async function setClosed(tx: Queryable, id: string, at: Date | null): Promise<void> {
  await SET_CLOSED.rows(tx, { id, at });
}

/** A bill and its merchant, as the payment page shows them. */
export type LinkedBill = Bill &
  BillInfo &
  Brand & {
    readonly merchantName: string;
    /** The language of the page unless the customer has chosen one. Null means the browser's language. */
    readonly merchantLanguage: Locale | null;
    readonly merchantActive: boolean;
    /** Reversed amount in senti. */
    readonly reversedAmount: bigint;
    /** Whether the merchant allows part payments. */
    readonly partialPayments: boolean;
  };

const SELECT_BY_LINK = statement({
  name: 'select-bill-by-link',
  prepared: true,
  text: `SELECT ${BILL_COLUMNS}, ${INFO_COLUMNS}, b.reversed_amount AS "reversedAmount", m.name AS "merchantName", m.language AS "merchantLanguage",
           p.status = 'active' AS "merchantActive", p.partial_payments AS "partialPayments", ${BRAND_COLUMNS}
         FROM bill b JOIN merchant m ON m.id = b.merchant_id
         JOIN merchant_profile p ON p.merchant_id = b.merchant_id AND p.environment = b.environment
         WHERE b.id = $id AND b.environment = $environment`,
  parameters: { id: uuid, environment },
  columns: {
    ...BILL_TYPES,
    ...INFO_TYPES,
    reversedAmount: int8,
    merchantName: text,
    merchantLanguage: nullable(text),
    merchantActive: boolean,
    partialPayments: boolean,
    brandColour: nullable(text),
    supportNumber: nullable(text),
    logoHash: nullable(text),
    logoWidth: nullable(int2),
    logoHeight: nullable(int2),
  },
});

/** Finds a bill for its payment page. Anybody who has the link may see it. */
export async function findBillByLink(db: Queryable, environment: Scope['environment'], id: string): Promise<LinkedBill | undefined> {
  const row = await SELECT_BY_LINK.first(db, { id, environment });
  return row && { ...row, merchantLanguage: row.merchantLanguage !== null && isLocale(row.merchantLanguage) ? row.merchantLanguage : null };
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

/** Finds a bill of any merchant, for the operator. */
export async function findAnyBill({ prisma }: Connection, id: string): Promise<Bill | undefined> {
  return (await prisma.bill.findUnique({ where: { id }, select: BILL })) ?? undefined;
}
