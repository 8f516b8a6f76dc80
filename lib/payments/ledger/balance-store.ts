import type { Queryable } from '@/lib/db/database';
import { int8, neverNull, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { correctedAmount, listCorrections } from './correction-store';
import type { LedgerPayment } from './payment-store';

/** The distribution of a payment's money. Amounts are senti. */
export type Balance = Awaited<ReturnType<typeof readBalance>>;

const SELECT_REVERSAL = `SELECT r.id, r.provider_transaction_id AS "transactionId", n.provider_transaction_id AS "laterReceipt",
  ${correctedAmount('r')} AS amount FROM payment r LEFT JOIN reversal_receipt n ON n.payment_id = r.id`;
const REVERSAL_COLUMNS = {
  id: neverNull(uuid),
  /** The receipt number of the reversal; that of the payment if the reversal was booked without a number. */
  transactionId: neverNull(text),
  /** The receipt number that the provider gave after the reversal was booked; null if it gave none. */
  laterReceipt: nullable(text),
  /** Senti, including corrections. */
  amount: int8,
};

const FIND_REVERSAL = statement({
  name: 'find a reversal of a payment by its receipt',
  text: `${SELECT_REVERSAL} WHERE r.reverses_id = $paymentId AND (r.provider_transaction_id = $receipt OR n.provider_transaction_id = $receipt)`,
  parameters: { paymentId: uuid, receipt: text },
  columns: REVERSAL_COLUMNS,
});

/** Returns the reversal of a payment by the reversal's receipt number, even if the provider gave the number only after the booking. */
export async function findReversal(db: Queryable, paymentId: string, receipt: string) {
  return FIND_REVERSAL.first(db, { paymentId, receipt });
}

const LOCK_PAYMENT = statement({
  name: 'lock a payment',
  text: 'SELECT id FROM payment WHERE id = $id FOR UPDATE',
  parameters: { id: uuid },
  columns: { id: uuid },
});

/** Locks a payment, so that only one transaction at a time decides about its money. The caller has locked the bills before. */
export async function lockBalance(tx: Queryable, payment: LedgerPayment): Promise<Balance> {
  await LOCK_PAYMENT.rows(tx, payment);
  return readBalance(tx, payment);
}

const LIST_REVERSALS = statement({
  name: 'list the reversals of a payment',
  text: `${SELECT_REVERSAL} WHERE r.reverses_id = $paymentId ORDER BY r.id`,
  parameters: { paymentId: uuid },
  columns: REVERSAL_COLUMNS,
});

const LIST_ALLOCATED = statement({
  name: 'list the allocations of a payment',
  text: `SELECT a.bill_id AS "billId", a.merchant_id AS "merchantId", sum(a.amount)::bigint AS amount
         FROM payment_allocation a
         WHERE a.payment_id IN (SELECT $paymentId::uuid UNION ALL SELECT id FROM payment WHERE reverses_id = $paymentId
                                UNION ALL SELECT id FROM payment_correction WHERE payment_id = $paymentId)
         GROUP BY a.bill_id, a.merchant_id HAVING sum(a.amount) <> 0 ORDER BY max(a.id::text COLLATE "C") FILTER (WHERE a.amount > 0) DESC`,
  parameters: { paymentId: uuid },
  columns: { billId: uuid, merchantId: uuid, amount: int8 },
});

const READ_EXTRAS = statement({
  name: 'read the refund marks and the fee of a payment',
  text: `SELECT coalesce((SELECT sum(amount) FROM refund_mark WHERE payment_id = p.id), 0)::bigint AS marked,
           coalesce(p.fee, (SELECT amount FROM payment_fee WHERE payment_id = p.id)) AS fee, p.happened_at AS "happenedAt"
         FROM payment p WHERE p.id = $paymentId`,
  parameters: { paymentId: uuid },
  columns: { marked: neverNull(int8), fee: nullable(int8), happenedAt: nullable(timestamptz) },
});

export async function readBalance(db: Queryable, payment: LedgerPayment) {
  const about = { paymentId: payment.id };
  const reversals = await LIST_REVERSALS.rows(db, about);
  /** The amounts that are allocated to bills, the newest allocation first. Bills with an amount of 0 are left out. */
  const allocated = await LIST_ALLOCATED.rows(db, about);
  /** The corrections of the payment and of its reversals. */
  const corrections = await listCorrections(db, payment.id);
  /** The amount of the payment, including its corrections. */
  const received = payment.amount + sum(corrections.filter(({ correctsId }) => correctsId === payment.id));
  /** The received amount less all reversals. */
  const kept = received - sum(reversals);
  const unallocated = kept - sum(allocated);
  /** `marked`: the sum of the refund marks. */
  const { marked = 0n, fee = null, happenedAt = null } = (await READ_EXTRAS.first(db, about)) ?? {};
  /** The part of `kept` that was refunded outside Bili. A later reversal or correction may have taken money that was marked. */
  const refundedOutside = marked < unallocated ? marked : unallocated;
  /** The part of `kept` that no bill has and that was not refunded outside Bili. */
  const unmatched = unallocated - refundedOutside;
  return { payment, received, reversals, corrections, allocated, kept, unmatched, marked, refundedOutside, fee, happenedAt };
}

function sum(rows: readonly { readonly amount: bigint }[]): bigint {
  return rows.reduce((total, { amount }) => total + amount, 0n);
}
