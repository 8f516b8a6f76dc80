import { type BillChange, changeBills, type LockedBill, lockBills, lockFreeBills } from '@/lib/gateway/bills/change-bill';
import { openReview } from '@/lib/gateway/reviews/store';
import { announceBills } from '@/lib/gateway/webhooks/announce-bill';
import { reach } from '@/lib/platform/config/fail-point';
import { columnsOf } from '@/lib/platform/core/columns-of';
import { newId } from '@/lib/platform/core/ids';
import type { Senti } from '@/lib/platform/core/money';
import type { Environment } from '@/lib/platform/core/scope';
import type { Connection, Queryable } from '@/lib/platform/db/database';
import { payment, paymentFee } from '@/lib/platform/db/generated/tables';
import { arrays, int8, pick, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { insertRows } from '@/lib/platform/db/unnest';
import type { Log } from '@/lib/platform/log/log';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { findAccountOwner } from '@/lib/providers/accounts/account-store';
import type { OutcomeSource } from '@/lib/providers/port/outcome';
import type { ProviderAccount } from '@/lib/providers/port/port';
import { lockBalance, readBalance } from './balance-store';
import { findPayment, insertAllocations, type LedgerPayment, listBillsOf, notAfter } from './payment-store';

/**
 * The changes of one transaction to the bills that it has locked. They are written once, at the end of the transaction, so that the
 * status of a bill changes at most once and the webhook contains the final status.
 */
export interface Bookings {
  /** Adds a change to a bill. Throws `BillNotLocked` if the transaction has not locked the bill. */
  add(billId: string, change: Partial<BillChange>): void;
  /** Writes all changes to the bills, numbers their events and inserts the webhook deliveries. */
  write(): Promise<void>;
}

/** The transaction changes a bill that became affected only after `findBills` had read which bills to lock. */
class BillNotLocked extends Error {
  override readonly name = 'BillNotLocked';
}

type BookingsRuntime = Pick<Runtime, 'db' | 'clock' | 'random'>;

const NOTHING: BillChange = { paid: 0n, released: 0n, payer: null, events: [] };
const MAX_TRANSACTIONS = 5;

function startBookings(runtime: Pick<Runtime, 'clock' | 'random'>, tx: Queryable, locked: readonly LockedBill[], now: Date): Bookings {
  const bills = new Map(locked.map((bill) => [bill.id, bill]));
  const changes = new Map<string, BillChange>();
  return {
    add(billId, { paid = 0n, released = 0n, payer = null, events = [] }) {
      if (!bills.has(billId)) throw new BillNotLocked(`bill ${billId} is not locked`);
      const before = changes.get(billId) ?? NOTHING;
      changes.set(billId, {
        paid: before.paid + paid,
        released: before.released + released,
        payer: before.payer ?? payer,
        events: [...before.events, ...events],
      });
    },
    async write() {
      const booked = locked.flatMap((before) => {
        const change = changes.get(before.id);
        return change ? [{ before, change }] : [];
      });
      if (booked.length === 0) return;
      const changed = await changeBills(tx, booked, now);
      const announced = changed.flatMap(({ bill, statusEvent }) => (statusEvent === null ? [] : [{ bill, eventNumber: statusEvent }]));
      if (announced.length > 0) await announceBills(runtime, tx, announced, now);
      reach('bookings.announced');
    },
  };
}

/**
 * Locks bills, runs `work` and writes its bookings in one transaction. `findBills` runs before the bills are locked. If `work` then changes
 * a bill that is not locked, `findBills` and the transaction are repeated.
 */
export async function withBills<Value>(
  runtime: BookingsRuntime,
  findBills: () => Promise<readonly string[]>,
  work: (tx: Queryable, bookings: Bookings, now: Date) => Promise<Value>,
): Promise<Value> {
  for (let count = 1; ; count += 1) {
    try {
      const ids = await findBills();
      return await bookInTransaction(runtime, (tx) => lockBills(tx, ids), work);
    } catch (error) {
      if (!(error instanceof BillNotLocked) || count === MAX_TRANSACTIONS) throw error;
    }
  }
}

/**
 * Like `withBills`, but never waits for bills. Bills that another transaction has locked are missing in `locked`. Throws `BillNotLocked` if
 * the work changes a bill that is not in `locked`.
 */
export async function withFreeBills<Value>(
  runtime: BookingsRuntime,
  ids: readonly string[],
  work: (tx: Queryable, bookings: Bookings, now: Date, locked: ReadonlySet<string>) => Promise<Value>,
): Promise<Value> {
  return bookInTransaction(runtime, (tx) => lockFreeBills(tx, ids), work);
}

async function bookInTransaction<Value>(
  runtime: BookingsRuntime,
  lock: (tx: Queryable) => Promise<LockedBill[]>,
  work: (tx: Queryable, bookings: Bookings, now: Date, locked: ReadonlySet<string>) => Promise<Value>,
): Promise<Value> {
  const done = await runtime.db.sqlTransaction(async (tx) => {
    const locked = await lock(tx);
    const now = runtime.clock();
    const bookings = startBookings(runtime, tx, locked, now);
    const value = await work(tx, bookings, now, new Set(locked.map(({ id }) => id)));
    await bookings.write();
    reach('bookings.written');
    return value;
  });
  reach('bookings.committed');
  return done;
}

/** What a payment pays: an attempt or an instrument of a bill. */
interface PaidRequest {
  readonly attemptId: string | null;
  readonly instrumentId: string | null;
  readonly billId: string;
  readonly environment: Environment;
  readonly merchantId: string;
  /** The number that paid; null if it is not known. */
  readonly mobile: string | null;
  /** The amount that the customer was asked for, senti. */
  readonly amount: Senti;
}

export interface ReportedPayment {
  readonly request: PaidRequest;
  readonly providerAccountId: string;
  readonly transactionId: string;
  readonly amount: Senti;
  readonly late: boolean;
  /** True if the payment must be allocated to the bill of its request. Otherwise the payment is unmatched. */
  readonly allocate: boolean;
  /** Whether the provider gave no amount. The payment then has the amount of the request. */
  readonly assumed: boolean;
  /** The fee that the provider kept of the amount; null if the provider does not report one. */
  readonly fee: Senti | null;
  /** When the customer paid, as the provider says; null if it does not say so. */
  readonly happenedAt: Date | null;
  readonly source: OutcomeSource;
  readonly log: Log;
}

/**
 * Inserts the payments of attempts and instruments into the ledger, each once. Adds what changes on the bills to `bookings`, which the calling function
 * must then write. Returns each payment with the result of its insertion.
 */
export async function bookPayments<Reported extends ReportedPayment>(
  runtime: Pick<Runtime, 'clock' | 'random'>,
  tx: Queryable,
  bookings: Bookings,
  reported: readonly Reported[],
  now: Date,
): Promise<{ readonly payment: Reported; readonly entered: Entered }[]> {
  const results = await insertPayments(
    tx,
    reported.map((one) => ({ ...one, id: newId(runtime), amountDiffers: one.amount !== one.request.amount, recordedAt: now })),
  );
  reach('payment.entered');
  const allocations: Parameters<typeof insertAllocations>[1][number][] = [];
  for (const { payment, entered } of results) {
    const { id, request, amount, transactionId, late, amountDiffers, source, log } = payment;
    const { attemptId, instrumentId, billId, environment, merchantId } = request;
    const about = {
      ...(attemptId ? { attempt: attemptId } : { instrument: instrumentId ?? '' }),
      source,
      transactionId,
      amount: amount.toString(),
    };
    if (payment.fee !== null && (entered.kind === 'known' || entered.kind === 'unmatched'))
      await recordFee(tx, { paymentId: entered.earlier.id, fee: payment.fee, now });
    const unmatched = entered.kind === 'unmatched' ? { id: entered.earlier.id, amount: entered.unmatched } : null;
    const bookable = entered.kind === 'inserted' ? { id, amount } : unmatched;
    if (bookable && payment.allocate) {
      const bill = { id: billId, environment, merchantId };
      const allocation = { id: newId(runtime), paymentId: bookable.id, bill, amount: bookable.amount };
      allocations.push({ ...allocation, createdBy: 'gateway', createdAt: now });
      const flags = { ...(late && { late }), ...(amountDiffers && { asked: request.amount.toString() }) };
      const data = { ...about, payment: bookable.id, ...flags };
      bookings.add(billId, { paid: bookable.amount, payer: request.mobile, events: [{ type: 'payment.recorded', data }] });
    } else if (entered.kind === 'inserted') {
      bookings.add(billId, { events: [{ type: 'payment.unmatched', data: { ...about, payment: id } }] });
    } else if (entered.kind === 'conflict') {
      await reportConflict({ ...runtime, log }, tx, bookings, { request, earlier: entered.earlier, data: about, now });
    }
    if (entered.kind === 'inserted' || entered.earlier.amount === amount || payment.assumed) continue;
    await reviewAmount({ ...runtime, log }, tx, bookings, { payment: entered.earlier, bills: [billId], reported: amount, source, now });
  }
  if (allocations.length > 0) {
    await insertAllocations(tx, allocations);
    reach('payment.allocated');
  }
  return results;
}

/** Opens a review about a receipt number that was reported for two requests. */
async function reportConflict(
  runtime: Pick<Runtime, 'clock' | 'random' | 'log'>,
  tx: Queryable,
  bookings: Bookings,
  {
    request,
    earlier,
    data: reported,
    now,
  }: { request: PaidRequest; earlier: LedgerPayment; data: Readonly<Record<string, string>>; now: Date },
): Promise<void> {
  const { attemptId, billId, environment, merchantId } = request;
  const { transactionId } = earlier;
  const data = { ...reported, transactionId, payment: earlier.id };
  const subject = attemptId === null ? { paymentId: earlier.id } : { attemptId };
  const about = { environment, merchantId, kind: 'receipt_conflict', ...subject } as const;
  if ((await openReview(tx, { id: newId(runtime), ...about, data, openedAt: now })) === 'repeated') return;
  bookings.add(billId, { events: [{ type: 'payment.conflict', data }] });
  runtime.log.error({ ...subject, billId, transactionId }, 'two requests were reported with the same receipt; see: bili review list');
}

/**
 * The result of inserting a payment. `inserted`: it is new. `known`: the ledger has it for this request. `unmatched`: the ledger has it
 * without a request or bill, so that it can be allocated. `conflict`: it belongs to another request or bill.
 */
export type Entered =
  | { readonly kind: 'inserted' }
  | { readonly kind: 'known' | 'conflict'; readonly earlier: LedgerPayment }
  | { readonly kind: 'unmatched'; readonly earlier: LedgerPayment; readonly unmatched: bigint };

const NEW_PAYMENT = arrays(
  pick(
    payment,
    `id environment merchantId providerAccountId providerTransactionId kind attemptId instrumentId amount mobile late amountDiffers fee recordedAt
     happenedAt`,
  ),
);
const INSERT_PAYMENTS = statement({
  name: 'insert-payments',
  prepared: true,
  text: `${insertRows('payment', NEW_PAYMENT)} ON CONFLICT (till_id, provider_transaction_id, kind) DO NOTHING RETURNING id`,
  parameters: NEW_PAYMENT,
  columns: { id: payment.id },
});

/** A payment of an attempt or an instrument. */
interface NewPayment extends Pick<LedgerPayment, 'id' | 'providerAccountId' | 'transactionId' | 'amount' | 'recordedAt'> {
  readonly request: PaidRequest;
  readonly late: boolean;
  readonly amountDiffers: boolean;
  /** The fee that the provider kept of the amount; null if the provider does not report one. */
  readonly fee: Senti | null;
  /** When the customer paid, as the provider says; null if it does not say so. */
  readonly happenedAt: Date | null;
}

/** Inserts payments of attempts and instruments. Returns each payment with the result of its insertion. */
async function insertPayments<Payment extends NewPayment>(
  tx: Queryable,
  payments: readonly Payment[],
): Promise<{ readonly payment: Payment; readonly entered: Entered }[]> {
  const rows = payments.map((payment) => {
    const { attemptId, instrumentId, environment, merchantId, mobile } = payment.request;
    const { id, providerAccountId, transactionId, amount, recordedAt, happenedAt, late, amountDiffers, fee } = payment;
    const reported = { id, providerAccountId, providerTransactionId: transactionId, amount, recordedAt, late, amountDiffers, fee };
    return {
      ...reported,
      kind: 'payment' as const,
      happenedAt: notAfter(happenedAt, recordedAt),
      attemptId,
      instrumentId,
      environment,
      merchantId,
      mobile,
    };
  });
  const inserted = new Set((await INSERT_PAYMENTS.rows(tx, columnsOf(rows, NEW_PAYMENT))).map(({ id }) => id));
  const results: { payment: Payment; entered: Entered }[] = [];
  for (const payment of payments)
    results.push({ payment, entered: inserted.has(payment.id) ? { kind: 'inserted' } : await findEarlier(tx, payment) });
  return results;
}

const INSERT_FEE = statement({
  name: 'insert the fee of a payment',
  text: `INSERT INTO payment_fee (payment_id, amount, recorded_at)
         SELECT id, $fee, $now FROM payment WHERE id = $paymentId AND fee IS NULL ON CONFLICT (payment_id) DO NOTHING`,
  parameters: { paymentId: paymentFee.paymentId, fee: int8, now: timestamptz },
});

/** Records the fee of a payment that was booked before its fee was known. Changes nothing if the fee is known. */
export async function recordFee(db: Queryable, fee: Parameters<typeof INSERT_FEE.rows>[1]): Promise<void> {
  await INSERT_FEE.rows(db, fee);
}

async function findEarlier(tx: Queryable, { request, providerAccountId, transactionId }: NewPayment): Promise<Entered> {
  const earlier = await findPayment(tx, providerAccountId, transactionId);
  if (!earlier) throw new Error(`payment ${transactionId} was neither inserted nor found`);
  const { attemptId, instrumentId } = request;
  const hasRequest = earlier.attemptId !== null || earlier.instrumentId !== null;
  if (hasRequest && earlier.attemptId === attemptId && earlier.instrumentId === instrumentId) return { kind: 'known', earlier };
  const { received, unmatched } = await lockBalance(tx, earlier);
  // The payment arrived without a request and was later allocated to this bill. Ledger rows never change, so it still has no request.
  if (!hasRequest && (await listBillsOf(tx, earlier.id)).includes(request.billId)) return { kind: 'known', earlier };
  // Nothing of the payment was allocated, reversed or refunded outside Bili.
  const untouched = !hasRequest && unmatched === received && unmatched > 0n;
  return untouched ? { kind: 'unmatched', earlier, unmatched } : { kind: 'conflict', earlier };
}

interface UnmatchedPayment extends Pick<LedgerPayment, 'id' | 'transactionId' | 'amount' | 'mobile' | 'recordedAt'> {
  readonly account: Pick<ProviderAccount, 'id' | 'environment'>;
  /** The merchant of the bill that the payment names; absent if it names none. */
  readonly merchantId?: string | undefined;
  readonly fee?: Senti | null;
  readonly happenedAt?: Date | null;
}

/**
 * Inserts a payment without a request. It belongs to the merchant of the bill that it names, else to the merchant that owns the account.
 * Any other payment to an account of the operator belongs to no merchant yet. Returns false if the ledger already has its receipt number.
 */
export async function insertUnmatchedPayment(
  db: Connection,
  { account, merchantId: named, transactionId: providerTransactionId, fee = null, happenedAt = null, ...payment }: UnmatchedPayment,
): Promise<boolean> {
  const { id: providerAccountId, environment } = account;
  const merchantId = named ?? (await findAccountOwner(db, providerAccountId));
  const unmatched = {
    providerTransactionId,
    kind: 'payment' as const,
    merchantId,
    attemptId: null,
    instrumentId: null,
    late: false,
    amountDiffers: false,
    fee,
    happenedAt: notAfter(happenedAt, payment.recordedAt),
  };
  const row = { ...payment, ...unmatched, environment, providerAccountId };
  return (await INSERT_PAYMENTS.rows(db, columnsOf([row], NEW_PAYMENT))).length > 0;
}

interface ReviewAmountOptions {
  readonly payment: LedgerPayment;
  /** The bills whose history shows the review. The caller has locked them. */
  readonly bills: readonly string[];
  /** The amount that the provider reports now, senti. */
  readonly reported: Senti;
  readonly source: OutcomeSource;
  readonly now: Date;
}

/**
 * Opens a review if a receipt number is reported again with an amount that differs from the ledger. The ledger does not change. No review
 * is opened if a person has already corrected the payment to the reported amount.
 */
export async function reviewAmount(
  runtime: Pick<Runtime, 'random' | 'clock' | 'log'>,
  tx: Queryable,
  bookings: Bookings,
  { payment, bills, reported, source, now }: ReviewAmountOptions,
): Promise<void> {
  const { id: paymentId, environment, merchantId, transactionId } = payment;
  const { received } = await readBalance(tx, payment);
  if (reported === received) return;
  const data = { source, payment: paymentId, transactionId, amount: reported.toString(), ledgerAmount: received.toString() };
  const about = { environment, merchantId, kind: 'contradiction', paymentId } as const;
  if ((await openReview(tx, { id: newId(runtime), ...about, data, openedAt: now })) === 'repeated') return;
  for (const billId of bills) bookings.add(billId, { events: [{ type: 'payment.contradicted', data }] });
  runtime.log.error({ paymentId, transactionId, source }, 'a receipt was reported again with another amount; see: bili review list');
}
