import { type Balance, lockBalance } from '@/lib/gateway/ledger/balance-store';
import { bookRefund } from '@/lib/gateway/ledger/book-refund';
import { bookReversal, reviewReversal } from '@/lib/gateway/ledger/book-reversal';
import { type Bookings, withBills } from '@/lib/gateway/ledger/bookings';
import { findPaymentById, type LedgerPayment, listBillsOf } from '@/lib/gateway/ledger/payment-store';
import type { HandSource } from '@/lib/gateway/ledger/rules';
import { type Refund, type RefundFailure, STOPPABLE } from '@/lib/gateway/refund-states/rules';
import { approve, endRefund, findRefund } from '@/lib/gateway/refund-states/store';
import {
  type Access,
  type AccessRefusal,
  authorize,
  authorizeProven,
  type ProvenRefusal,
  personOf,
} from '@/lib/identity/accounts/access/grant-access';
import { type AuditEntry, recordEntry } from '@/lib/identity/audit/record-entry';
import type { Actor } from '@/lib/platform/core/actor';
import { isUuid, newId } from '@/lib/platform/core/ids';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Queryable } from '@/lib/platform/db/database';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { findHandAccount } from '@/lib/providers/accounts/account-store';
import type { OutcomeSource } from '@/lib/providers/port/outcome';

type Needs = Pick<Runtime, 'db' | 'clock' | 'random' | 'log'>;

type DecisionRefusal = 'not_found' | 'refund_state_changed';

/** What a decision about a refund needs. The bills of the payment and its balance are locked. */
interface Decided {
  readonly refund: Refund;
  readonly payment: LedgerPayment;
  readonly balance: Balance;
  readonly bookings: Bookings;
  readonly now: Date;
}

/** Runs a decision of a member about a refund of the merchant, in one transaction with its audit entry. */
async function decide<Refusal extends string>(
  runtime: Needs,
  { scope, actor }: Access,
  { id, action, data }: { id: string; action: string; data?: object },
  work: (tx: Queryable, decided: Decided) => Promise<Refusal | null>,
): Promise<Result<null, Refusal | DecisionRefusal>> {
  const refund = isUuid(id) ? await findRefund(runtime.db, id) : undefined;
  const payment = refund && (await findPaymentById(runtime.db, refund.paymentId));
  if (!refund || payment?.merchantId !== scope.merchantId || payment.environment !== scope.environment) return fail('not_found');
  return withBills(
    runtime,
    () => listBillsOf(runtime.db, payment.id),
    async (tx, bookings, now): Promise<Result<null, Refusal | DecisionRefusal>> => {
      // Lock order everywhere: first the payment, then its refund.
      const balance = await lockBalance(tx, payment);
      const refusal = await work(tx, { refund, payment, balance, bookings, now });
      if (refusal !== null) return fail(refusal);
      await recordEntry(runtime, { ...scope, actor, action, subject: payment.id, data: { refund: id, ...data } }, tx);
      return ok(null);
    },
  );
}

type ApproveRefusal = ProvenRefusal | DecisionRefusal | 'own_refund';

/** Approves a refund that another person has asked for. It then goes back through the provider, or waits for a person who returns it. */
export async function approveRefund(runtime: Needs, access: Access, id: string): Promise<Result<null, ApproveRefusal>> {
  const refusal = authorizeProven(access, 'refunds.change', runtime.clock());
  if (refusal) return fail(refusal);
  const { actor } = access;
  return decide<'own_refund' | 'refund_state_changed'>(runtime, access, { id, action: 'refund.approved' }, async (tx, decided) => {
    const { refund, bookings, now } = decided;
    if (isOwn(refund, access)) return 'own_refund';
    const state = refund.way === 'hand' ? 'APPROVED' : 'QUEUED';
    if (!(await approve(tx, id, { state, decidedBy: actor.name, now }))) return 'refund_state_changed';
    showOnBills(bookings, decided, 'refund.approved', { by: actor.name, state });
    return null;
  });
}

type StopRefusal = AccessRefusal | DecisionRefusal;

/** Stops a refund of which no money has moved: a second person declines it, or it is not wanted any more. */
export async function stopRefund(runtime: Needs, access: Access, id: string): Promise<Result<null, StopRefusal>> {
  const refusal = authorize(access, 'refunds.change');
  if (refusal) return fail(refusal);
  const { actor } = access;
  return decide<'refund_state_changed'>(runtime, access, { id, action: 'refund.stopped' }, async (tx, decided) => {
    const { refund, bookings, now } = decided;
    const failureReason = refund.state === 'ASKED' && !isOwn(refund, access) ? 'declined' : 'cancelled';
    const end = { state: 'FAILED', failureReason, now, by: actor.name, decidedBy: actor.name, from: STOPPABLE } as const;
    if (!(await endRefund(tx, id, end))) return 'refund_state_changed';
    showOnBills(bookings, decided, 'refund.failed', { by: actor.name, reason: failureReason });
    return null;
  });
}

/** Returns whether the person who decides has asked for the refund. Those who are no members, such as operators, are known by their names. */
function isOwn({ requestedById, requestedBy }: Refund, access: Access): boolean {
  return requestedById === null ? requestedBy === access.actor.name : requestedById === personOf(access);
}

interface ReturnedByHand {
  readonly source: HandSource;
  /** When the customer got the money; null for now. */
  readonly happenedAt: Date | null;
}

export type ReturnRefusal = AccessRefusal | DecisionRefusal | 'refund_more_than_left';

/** Records that a person has returned the money of a refund by hand. */
export async function returnRefund(
  runtime: Needs,
  access: Access,
  { id, ...returned }: ReturnedByHand & { readonly id: string },
): Promise<Result<null, ReturnRefusal>> {
  const refusal = authorize(access, 'refunds.change');
  if (refusal) return fail(refusal);
  const { actor } = access;
  const about = { id, action: 'refund.returned', data: { source: returned.source } };
  return decide<'refund_state_changed' | 'refund_more_than_left'>(runtime, access, about, async (tx, { bookings, balance, now }) => {
    // Read again, because the payment is locked now.
    const refund = await findRefund(tx, id);
    if (refund?.state !== 'APPROVED') return 'refund_state_changed';
    const booked = await bookByHand(runtime, tx, bookings, { refund, balance, ...returned, by: actor.name, now });
    return booked === 'booked' ? null : 'refund_more_than_left';
  });
}

interface BookByHandOptions extends ReturnedByHand {
  readonly refund: Pick<Refund, 'id' | 'billId' | 'amount'>;
  readonly balance: Balance;
  /** The name of the actor who returned the money. */
  readonly by: string;
  readonly now: Date;
}

/** Books money that a person has returned. It comes out of the merchant's account for money by hand. */
export async function bookByHand(runtime: Needs, tx: Queryable, bookings: Bookings, { balance, ...returned }: BookByHandOptions) {
  const { environment, merchantId } = balance.payment;
  const id = newId(runtime);
  const providerAccountId = await findHandAccount(tx, { environment, merchantId }, { id, now: returned.now });
  return bookRefund(runtime, tx, bookings, { ...returned, balance, providerAccountId, transactionId: id });
}

function showOnBills(
  bookings: Bookings,
  { refund, payment, balance }: Pick<Decided, 'refund' | 'payment' | 'balance'>,
  type: string,
  about: Readonly<Record<string, string>>,
): void {
  const { transactionId } = payment;
  const data = { ...about, payment: payment.id, refund: refund.id, transactionId, amount: refund.amount.toString() };
  const bills = refund.billId === null ? balance.allocated.map(({ billId }) => billId) : [refund.billId];
  for (const billId of bills) bookings.add(billId, { events: [{ type, data }] });
}

/** Fails a refund that has moved no money, and adds an event to the bills. Returns false if it was already settled. */
export async function failRefund(
  runtime: Needs,
  refund: Refund,
  payment: LedgerPayment,
  { reason, by, audit }: { reason: RefundFailure; by: string; audit?: AuditEntry },
): Promise<boolean> {
  return withBills(
    runtime,
    () => listBillsOf(runtime.db, payment.id),
    async (tx, bookings, now) => {
      const balance = await lockBalance(tx, payment);
      if (!(await endRefund(tx, refund.id, { state: 'FAILED', failureReason: reason, now, by }))) return false;
      if (audit) await recordEntry(runtime, audit, tx);
      showOnBills(bookings, { refund, payment, balance }, 'refund.failed', { by, reason });
      return true;
    },
  );
}

interface BookPayoutOptions {
  readonly refund: Refund;
  readonly payment: LedgerPayment;
  readonly transactionId: string;
  readonly by: string;
  readonly audit?: AuditEntry;
}

/** Books a payout that the provider or the operator reports. */
export async function bookPayout(runtime: Needs, { refund, payment, transactionId, by, audit }: BookPayoutOptions) {
  const { providerAccountId } = payment;
  return withBills(
    runtime,
    () => listBillsOf(runtime.db, payment.id),
    async (tx, bookings, now) => {
      const balance = await lockBalance(tx, payment);
      // Read again, because the payment is locked now: a person or a worker may have booked it meanwhile, under another receipt number.
      if ((await findRefund(tx, refund.id))?.state === 'DONE') return 'known';
      const entry = { providerAccountId, transactionId, source: 'provider', happenedAt: null, by, now } as const;
      const booked = await bookRefund(runtime, tx, bookings, { refund, balance, ...entry });
      if (booked === 'booked' && audit) await recordEntry(runtime, audit, tx);
      return booked;
    },
  );
}

interface SettleRefundOptions {
  readonly id: string;
  /** `refunded` with the provider's receipt number of the refund; `failed` if no money has moved and none will. */
  readonly outcome: { readonly kind: 'refunded'; readonly transactionId: string } | { readonly kind: 'failed' };
  readonly reason: string;
  readonly actor: Actor;
}

export type SettleRefundRefusal = 'not_found' | 'already_settled' | 'not_sent' | 'more_than_left';

/** Settles a refund that was sent to the provider, with an outcome that the operator has learned from the provider. */
export async function settleRefund(
  runtime: Needs,
  { id, outcome, reason, actor }: SettleRefundOptions,
): Promise<Result<null, SettleRefundRefusal>> {
  const refund = isUuid(id) ? await findRefund(runtime.db, id) : undefined;
  const payment = refund && (await findPaymentById(runtime.db, refund.paymentId));
  if (!refund || !payment) return fail('not_found');
  if (refund.state === 'DONE' || refund.state === 'FAILED') return fail('already_settled');
  if (refund.way === 'hand' || refund.state === 'ASKED') return fail('not_sent');
  const { merchantId, environment } = payment;
  const audit = { merchantId, environment, actor, action: 'refund.settled', subject: id, data: { outcome: outcome.kind, reason } };
  if (outcome.kind === 'failed')
    return (await failRefund(runtime, refund, payment, { reason: 'rejected', by: actor.name, audit })) ? ok(null) : fail('already_settled');
  if (refund.way === 'payout') {
    const booked = await bookPayout(runtime, { refund, payment, transactionId: outcome.transactionId, by: actor.name, audit });
    return booked === 'booked' ? ok(null) : fail('already_settled');
  }
  const source: OutcomeSource = 'operator';
  const booked = await bookReversal(runtime, {
    account: { id: payment.providerAccountId, environment },
    transactionId: payment.transactionId,
    reversalTransactionId: outcome.transactionId,
    amount: refund.amount,
    source,
    async afterBooking(tx, entered, now) {
      if (entered === 'exceeds') return;
      await recordEntry(runtime, audit, tx);
      const reported = { amount: refund.amount, reversalTransactionId: outcome.transactionId, source };
      if (entered === 'differs') await reviewReversal(runtime, tx, { payment, booked: entered, ...reported, now });
      // The ledger already had the reversal, from another source or with another amount. The refund is settled anyway.
      if (entered !== 'booked') await endRefund(tx, id, { state: 'DONE', now, by: actor.name });
    },
  });
  return booked === 'exceeds' ? fail('more_than_left') : ok(null);
}
