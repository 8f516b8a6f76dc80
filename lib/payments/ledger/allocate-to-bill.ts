import { recordEntry } from '@/lib/audit/record-entry';
import type { Bill } from '@/lib/bills/rules';
import { findAnyBill } from '@/lib/bills/store';
import type { Actor } from '@/lib/core/actor';
import { isUuid, newId } from '@/lib/core/ids';
import type { Senti } from '@/lib/core/money';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Connection, Queryable } from '@/lib/db/database';
import { findAccountOwner } from '@/lib/providers/accounts/account-store';
import type { Runtime } from '@/lib/runtime/runtime';
import type { Bookings } from './bookings';
import { insertAllocations } from './ledger-store';
import { findPaymentById, type LedgerPayment } from './payment-store';

export type TargetRefusal =
  | 'payment_not_found'
  | 'bill_not_found'
  /** A sandbox payment cannot pay a live bill, and a live payment cannot pay a sandbox bill. */
  | 'other_environment'
  /** The payment was made for another merchant, or to another merchant's own account. */
  | 'other_merchant';

interface Target {
  readonly payment: LedgerPayment;
  readonly bill: Bill;
}

/** Finds the payment and the bill that an operator names, and checks that the payment may be allocated to the bill. */
export async function findTarget(
  db: Connection,
  { paymentId, billId }: { readonly paymentId: string; readonly billId: string },
): Promise<Result<Target, TargetRefusal>> {
  const payment = isUuid(paymentId) ? await findPaymentById(db, paymentId) : undefined;
  if (!payment) return fail('payment_not_found');
  const bill = isUuid(billId) ? await findAnyBill(db, billId) : undefined;
  if (!bill) return fail('bill_not_found');
  if (bill.environment !== payment.environment) return fail('other_environment');
  const owner = payment.merchantId ?? (await findAccountOwner(db, payment.providerAccountId));
  return owner !== null && owner !== bill.merchantId ? fail('other_merchant') : ok({ payment, bill });
}

interface Allocation extends Target {
  readonly amount: Senti;
  readonly reason: string;
  readonly actor: Actor;
  /** The action of the audit entry. */
  readonly action: string;
  readonly now: Date;
}

/** Writes an allocation with the event of the bill and the audit entry, in the caller's transaction, which has locked the balance. */
export async function allocateToBill(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  tx: Queryable,
  bookings: Bookings,
  { payment, bill, amount, reason, actor, action, now }: Allocation,
): Promise<void> {
  const paymentId = payment.id;
  await insertAllocations(tx, [{ id: newId(runtime), paymentId, bill, amount, createdBy: actor.name, createdAt: now }]);
  const data = { by: actor.name, reason, payment: paymentId, transactionId: payment.transactionId, amount: amount.toString() };
  bookings.add(bill.id, { paid: amount, payer: payment.mobile, events: [{ type: 'payment.allocated', data }] });
  const { merchantId, environment } = bill;
  const entry = { merchantId, environment, actor, action, subject: paymentId };
  await recordEntry(runtime, { ...entry, data: { bill: bill.id, amount: amount.toString(), reason } }, tx);
}
