import type { Bill } from '@/lib/gateway/bills/rules';
import { findAnyBill } from '@/lib/gateway/bills/store';
import { lockOpenRefund } from '@/lib/gateway/refund-states/store';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import type { Actor } from '@/lib/platform/core/actor';
import { isUuid, newId } from '@/lib/platform/core/ids';
import type { Senti } from '@/lib/platform/core/money';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Connection, Queryable } from '@/lib/platform/db/database';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { findAccountOwner } from '@/lib/providers/accounts/account-store';
import { lockBalance } from './balance-store';
import { type Bookings, withBills } from './bookings';
import { findPaymentById, insertAllocations, type LedgerPayment } from './payment-store';

interface AllocatePaymentOptions {
  readonly paymentId: string;
  readonly billId: string;
  /** Senti; null for the whole unmatched amount. */
  readonly amount: Senti | null;
  readonly reason: string;
  readonly actor: Actor;
}

export type AllocationRefusal =
  | TargetRefusal
  /** The money went back to the customer. */
  | 'refunded'
  /** A refund of the payment is open. */
  | 'refund_open'
  /** The amount exceeds the unmatched amount of the payment. */
  | 'more_than_unmatched';

/** Allocates unmatched money to a bill that an operator has chosen. Returns the allocated amount in senti. */
export async function allocatePayment(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { paymentId, billId, amount, reason, actor }: AllocatePaymentOptions,
): Promise<Result<Senti, AllocationRefusal>> {
  const target = await findTarget(runtime.db, { paymentId, billId });
  if (!target.ok) return target;

  return withBills(
    runtime,
    async () => [billId],
    async (tx, bookings, now): Promise<Result<Senti, AllocationRefusal>> => {
      const { unmatched, refunded } = await lockBalance(tx, target.value.payment);
      if (unmatched === 0n && refunded > 0n) return fail('refunded');
      if (await lockOpenRefund(tx, paymentId)) return fail('refund_open');
      const taken = amount ?? unmatched;
      if (taken <= 0n || taken > unmatched) return fail('more_than_unmatched');
      await allocateToBill(runtime, tx, bookings, { ...target.value, amount: taken, reason, actor, action: 'payment.allocated', now });
      return ok(taken);
    },
  );
}

type TargetRefusal =
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
