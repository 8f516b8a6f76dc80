import type { Queryable } from '@/lib/db/database';
import { environment, int8, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

/** A payment in the ledger. The amount is senti, without corrections. */
export type LedgerPayment = NonNullable<Awaited<ReturnType<typeof findPaymentById>>>;

const SELECT_PAYMENT = `SELECT p.id, p.environment, p.merchant_id AS "merchantId", p.provider_account_id AS "providerAccountId",
  p.provider_transaction_id AS "transactionId", p.attempt_id AS "attemptId", p.amount, p.mobile, p.recorded_at AS "recordedAt" FROM payment p`;
/** The columns of a payment, which are also the parameters of a new ledger entry. */
export const PAYMENT_COLUMNS = {
  id: uuid,
  environment,
  /** Null if the payment belongs to no merchant yet. */
  merchantId: nullable(uuid),
  providerAccountId: uuid,
  transactionId: text,
  attemptId: nullable(uuid),
  amount: int8,
  mobile: nullable(text),
  recordedAt: timestamptz,
};

const FIND_PAYMENT = statement({
  name: 'find a payment by its receipt',
  text: `${SELECT_PAYMENT} WHERE p.till_id = (SELECT till_id FROM provider_account WHERE id = $accountId)
           AND p.provider_transaction_id = $transactionId AND p.kind = 'payment'`,
  parameters: { accountId: uuid, transactionId: text },
  columns: PAYMENT_COLUMNS,
});

/** Returns the payment with a receipt number, from any account of the same till. */
export async function findPayment(db: Queryable, accountId: string, transactionId: string) {
  return FIND_PAYMENT.first(db, { accountId, transactionId });
}

const FIND_PAYMENT_BY_ID = statement({
  name: 'find a payment by its id',
  text: `${SELECT_PAYMENT} WHERE p.id = $id AND p.kind = 'payment'`,
  parameters: { id: uuid },
  columns: PAYMENT_COLUMNS,
});

export async function findPaymentById(db: Queryable, id: string) {
  return FIND_PAYMENT_BY_ID.first(db, { id });
}

const FIND_PAYMENTS_BY_RECEIPT = statement({
  name: 'find the payments of any till by a receipt',
  text: `${SELECT_PAYMENT} WHERE p.till_id = ANY (ARRAY(SELECT id FROM provider_account WHERE id = till_id))
           AND p.provider_transaction_id = $transactionId AND p.kind = 'payment' ORDER BY p.id`,
  parameters: { transactionId: text },
  columns: PAYMENT_COLUMNS,
});

/** Returns the payments with a receipt number. Receipt numbers are unique only within a till, so there may be several payments. */
export async function findPaymentsByReceipt(db: Queryable, transactionId: string) {
  return FIND_PAYMENTS_BY_RECEIPT.rows(db, { transactionId });
}

const FIND_PAYMENTS_OF_BILL = statement({
  name: 'find the payments of a bill',
  text: `${SELECT_PAYMENT} WHERE p.kind = 'payment'
           AND p.id IN (SELECT payment_id FROM payment_allocation WHERE bill_id = $billId
                        UNION SELECT q.id FROM payment q JOIN push_attempt t ON t.id = q.attempt_id WHERE t.bill_id = $billId)
         ORDER BY p.id`,
  parameters: { billId: uuid },
  columns: PAYMENT_COLUMNS,
});

/** Returns the payments that were ever allocated to a bill, or that were collected by one of its attempts. */
export async function findPaymentsOfBill(db: Queryable, billId: string) {
  return FIND_PAYMENTS_OF_BILL.rows(db, { billId });
}

const LIST_BILLS = statement({
  name: 'list the bills of a payment',
  text: 'SELECT DISTINCT bill_id AS "billId" FROM payment_allocation WHERE payment_id = $paymentId ORDER BY bill_id',
  parameters: { paymentId: uuid },
  columns: { billId: uuid },
});

/** Returns the bills to which a payment was ever allocated. */
export async function listBillsOf(db: Queryable, paymentId: string): Promise<string[]> {
  return (await LIST_BILLS.rows(db, { paymentId })).map(({ billId }) => billId);
}
