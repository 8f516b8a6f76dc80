import { createHash } from 'node:crypto';
import { type Balance, lockBalance, readBalance } from '@/lib/gateway/ledger/balance-store';
import { type Bookings, withBills } from '@/lib/gateway/ledger/bookings';
import { findPaidRequest, findPaymentById, findPaymentsOfBill, type LedgerPayment, listBillsOf } from '@/lib/gateway/ledger/payment-store';
import { OPEN_REFUND_STATES, type RefundState, type RefundWay, waysOf } from '@/lib/gateway/refund-states/rules';
import { findRefundByKey, insertRefund, lockOpenRefund, readRefundLimit } from '@/lib/gateway/refund-states/store';
import {
  type Access,
  type AccessRefusal,
  authorize,
  authorizeProven,
  type KeyAccess,
  type ProvenRefusal,
  personOf,
} from '@/lib/identity/accounts/access/grant-access';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { reach } from '@/lib/platform/config/fail-point';
import type { Actor } from '@/lib/platform/core/actor';
import { isUuid, newId, newPaymentReference } from '@/lib/platform/core/ids';
import { knownMobile } from '@/lib/platform/core/mobile';
import { SENTI_PER_SHILLING, type Senti } from '@/lib/platform/core/money';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Scope } from '@/lib/platform/core/scope';
import type { Connection, Queryable } from '@/lib/platform/db/database';
import { postgresError } from '@/lib/platform/db/errors';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { findAccountById, openAccount } from '@/lib/providers/accounts/account-store';
import type { ProviderRegistry } from '@/lib/providers/registry';
import { bookByHand } from './decide-refund';

export type RefundRuntime = Pick<Runtime, 'db' | 'clock' | 'random' | 'secrets' | 'settings' | 'log'> & {
  readonly providers: ProviderRegistry;
};

export type RefundRefusal =
  | 'payment_not_found'
  /** Nothing of the payment is left, or nothing that the bill has. */
  | 'nothing_to_refund'
  | 'refund_more_than_left'
  /** Another refund of the payment is not finished. */
  | 'refund_open';

/** What goes back: money of a bill, money that no bill has, or the payment wherever it is. */
type RefundedPart = { readonly billId: string } | 'unmatched' | 'payment';

interface AskRefundOptions {
  readonly paymentId: string;
  readonly of: RefundedPart;
  /** Senti; null for all that is left of the part. */
  readonly amount: Senti | null;
  /** Whether a person returns the money. Otherwise it goes back through the provider if that is possible. */
  readonly byHand: boolean;
  readonly reason: string;
}

/** Asks for a refund as a member of the merchant or with an API key. Returns the id of the refund. */
export async function askRefund(
  runtime: RefundRuntime,
  access: Access | KeyAccess,
  options: AskRefundOptions & { readonly repeatable?: RepeatableRequest },
): Promise<Result<string, ProvenRefusal | RefundRefusal | 'idempotency_key_reused'>> {
  const refusal = access.role === 'key' ? authorize(access, 'refunds.change') : authorizeProven(access, 'refunds.change', runtime.clock());
  if (refusal) return fail(refusal);
  const { scope, actor } = access;
  const { repeatable = null } = options;
  const payment = await findOwnPayment(runtime.db, scope, options.paymentId);
  if (!payment) return fail('payment_not_found');
  try {
    return await openRefund<'idempotency_key_reused'>(runtime, payment, {
      ...options,
      actor,
      personId: personOf(access),
      repeatable,
      earlier: async (tx) => (repeatable ? findRepeated(tx, scope, repeatable) : undefined),
      needsSecond: (tx, amount) => needsSecond(tx, scope, amount),
      choose: ({ ways }) => ok((options.byHand ? undefined : ways[0]) ?? 'hand'),
    });
  } catch (error) {
    // Another request with the same Idempotency-Key was faster, and its refund is of another payment.
    if (postgresError(error)?.constraint === 'refund_idempotency_key') return fail('idempotency_key_reused');
    throw error;
  }
}

async function findOwnPayment(db: Queryable, scope: Scope, id: string): Promise<LedgerPayment | undefined> {
  const payment = isUuid(id) ? await findPaymentById(db, id) : undefined;
  return payment?.merchantId === scope.merchantId && payment.environment === scope.environment ? payment : undefined;
}

/** Returns whether another person must approve a refund of this amount. */
async function needsSecond(db: Queryable, scope: Scope, amount: Senti): Promise<boolean> {
  const limit = await readRefundLimit(db, scope);
  return limit !== null && amount > limit;
}

/** How a refund would go back. The amount is senti. */
export interface RefundPlan {
  readonly amount: Senti;
  readonly way: RefundWay;
  /** The provider of the payment. */
  readonly provider: string | null;
  /** The number that paid; null if it is not known. */
  readonly mobile: string | null;
  /** Whether another person must approve it. */
  readonly needsSecond: boolean;
}

/** Returns what `askRefund` would do now. Changes nothing. */
export async function planRefund(
  runtime: RefundRuntime,
  access: Access,
  options: Omit<AskRefundOptions, 'reason'>,
): Promise<Result<RefundPlan, ProvenRefusal | RefundRefusal>> {
  const refusal = authorizeProven(access, 'refunds.change', runtime.clock());
  if (refusal) return fail(refusal);
  const { db } = runtime;
  const payment = await findOwnPayment(db, access.scope, options.paymentId);
  if (!payment) return fail('payment_not_found');
  const open = await db.prisma.refund.count({ where: { paymentId: payment.id, state: { in: [...OPEN_REFUND_STATES] } } });
  if (open > 0) return fail('refund_open');
  const provider = await providerOf(runtime, payment);
  const measured = measure(payment, provider, await readBalance(db, payment), options);
  if (!measured.ok) return measured;
  const { amount, ways } = measured.value;
  return ok({
    amount,
    way: (options.byHand ? undefined : ways[0]) ?? 'hand',
    provider: provider.name,
    mobile: knownMobile(provider.request?.mobile ?? payment.mobile),
    needsSecond: await needsSecond(db, access.scope, amount),
  });
}

/** A request that may be repeated: its Idempotency-Key, and what must be the same in a repetition. */
interface RepeatableRequest {
  readonly key: string;
  readonly hash: Uint8Array<ArrayBuffer>;
}

/** A refund of a bill, as the API asks for it. */
interface BillRefundOptions {
  readonly billId: string;
  readonly paymentId: string | null;
  /** Senti; null for all that the bill has of the payment. */
  readonly amount: Senti | null;
  readonly reason: string;
  readonly idempotencyKey: string;
}

type BillRefundRefusal =
  | { readonly code: AccessRefusal | ProvenRefusal | RefundRefusal | 'bill_not_found' | 'idempotency_key_reused' }
  /** The bill has several payments. The detail contains their ids. */
  | { readonly code: 'refund_payment_unclear'; readonly detail: string };

/**
 * Asks for a refund of a bill. Without the id of a payment, the bill must have only one with money left. A repetition with the same
 * Idempotency-Key returns the same refund.
 */
export async function askRefundOfBill(
  runtime: RefundRuntime,
  access: KeyAccess,
  { billId, paymentId, amount, reason, idempotencyKey: key }: BillRefundOptions,
): Promise<Result<{ readonly id: string; readonly replayed: boolean }, BillRefundRefusal>> {
  const refusal = authorize(access, 'refunds.change');
  if (refusal) return fail({ code: refusal });
  const { scope } = access;
  const bill = isUuid(billId) ? await runtime.db.prisma.bill.findFirst({ where: { id: billId, ...scope }, select: { id: true } }) : null;
  if (!bill) return fail({ code: 'bill_not_found' });
  const request = JSON.stringify([bill.id, paymentId, amount?.toString() ?? null, reason]);
  const repeatable = { key, hash: new Uint8Array(createHash('sha256').update(request).digest()) };
  const earlier = await findRepeated(runtime.db, scope, repeatable);
  if (earlier) return earlier.ok ? ok({ id: earlier.value, replayed: true }) : fail({ code: earlier.error });

  const held = (await listHeld(runtime.db, bill.id)).map(({ payment }) => payment.id);
  if (paymentId === null && held.length > 1) return fail({ code: 'refund_payment_unclear', detail: held.join(', ') });
  const named = paymentId ?? held[0];
  if (named === undefined) return fail({ code: 'nothing_to_refund' });
  const options = { paymentId: named, of: { billId: bill.id }, amount, byHand: false, reason, repeatable };
  const asked = await askRefund(runtime, access, options);
  return asked.ok ? ok({ id: asked.value, replayed: false }) : fail({ code: asked.error });
}

/** Returns the payments of which a bill has money, oldest first, with the amount, senti. */
export async function listHeld(db: Connection, billId: string): Promise<{ readonly payment: LedgerPayment; readonly held: Senti }[]> {
  const payments = await findPaymentsOfBill(db, billId);
  const shares = await db.prisma.paymentAllocation.findMany({
    where: { billId },
    select: { amount: true, payment: { select: { id: true, reversesId: true, correction: { select: { paymentId: true } } } } },
  });
  const held = new Map<string, bigint>();
  for (const { amount, payment } of shares) {
    const id = payment.reversesId ?? payment.correction?.paymentId ?? payment.id;
    held.set(id, (held.get(id) ?? 0n) + amount);
  }
  return payments.flatMap((payment) => {
    const amount = held.get(payment.id) ?? 0n;
    return amount > 0n ? [{ payment, held: amount }] : [];
  });
}

async function findRepeated(
  db: Queryable,
  scope: Scope,
  { key, hash }: RepeatableRequest,
): Promise<Result<string, 'idempotency_key_reused'> | undefined> {
  const earlier = await findRefundByKey(db, scope, key);
  if (!earlier) return undefined;
  return earlier.requestHash !== null && Buffer.compare(earlier.requestHash, hash) === 0 ? ok(earlier.id) : fail('idempotency_key_reused');
}

interface OpenRefundOptions<Refusal> extends Omit<AskRefundOptions, 'paymentId' | 'byHand'> {
  readonly actor: Actor;
  /** The member who asks. */
  readonly personId?: string | null;
  readonly repeatable?: RepeatableRequest | null;
  /** Returns the answer to the same request if it came before. Runs when the payment is locked. */
  readonly earlier?: (tx: Queryable) => Promise<Result<string, Refusal> | undefined>;
  readonly needsSecond?: (tx: Queryable, amount: Senti) => Promise<boolean>;
  /** Chooses the way. `ways` has those that go through the provider, the best first. */
  readonly choose: (facts: { ways: readonly RefundWay[]; whole: boolean; amount: Senti }) => Result<RefundWay, Refusal>;
  /** Runs at the end of the transaction that creates the refund. */
  readonly alongside?: (
    tx: Queryable,
    bookings: Bookings,
    opened: { id: string; balance: Balance; amount: Senti; now: Date },
  ) => Promise<void>;
}

/** Creates a refund in its first state. While it is open, no other refund of the payment is possible. */
async function openRefund<Refusal extends string = never>(
  runtime: RefundRuntime,
  payment: LedgerPayment,
  { of, amount, reason, actor, repeatable = null, ...options }: OpenRefundOptions<Refusal>,
): Promise<Result<string, RefundRefusal | Refusal>> {
  const provider = await providerOf(runtime, payment);
  const { environment, merchantId } = payment;
  return withBills(
    runtime,
    () => listBillsOf(runtime.db, payment.id),
    async (tx, bookings, now): Promise<Result<string, RefundRefusal | Refusal>> => {
      const balance = await lockBalance(tx, payment);
      const earlier = await options.earlier?.(tx);
      if (earlier) return earlier;
      if (await lockOpenRefund(tx, payment.id)) return fail('refund_open');
      const measured = measure(payment, provider, balance, { of, amount });
      if (!measured.ok) return measured;
      const { amount: refunded, whole, billId, ways } = measured.value;
      const chosen = options.choose({ ways, whole, amount: refunded });
      if (!chosen.ok) return chosen;
      const way = chosen.value;
      const state: RefundState = (await options.needsSecond?.(tx, refunded)) ? 'ASKED' : way === 'hand' ? 'APPROVED' : 'QUEUED';
      const id = newId(runtime);
      const row = { id, environment, merchantId, paymentId: payment.id, billId, amount: refunded, whole, way, state, reason };
      await insertRefund(tx, {
        ...row,
        ourReference: newPaymentReference(runtime.random),
        requestedBy: actor.name,
        requestedById: options.personId ?? null,
        idempotencyKey: repeatable?.key ?? null,
        requestHash: repeatable?.hash ?? null,
        dueAt: state === 'QUEUED' ? now : null,
        createdAt: now,
      });
      reach('refund.asked');
      const data = { by: actor.name, reason, payment: payment.id, transactionId: payment.transactionId, amount: refunded.toString() };
      for (const shown of billId === null ? balance.allocated.map((share) => share.billId) : [billId])
        bookings.add(shown, { events: [{ type: 'refund.requested', data: { ...data, refund: id, way, state } }] });
      const entry = { merchantId, environment, actor, action: 'refund.requested', subject: payment.id };
      await recordEntry(runtime, { ...entry, data: { refund: id, amount: refunded.toString(), way, reason } }, tx);
      await options.alongside?.(tx, bookings, { id, balance, amount: refunded, now });
      return ok(id);
    },
  );
}

interface Measured {
  readonly amount: Senti;
  readonly whole: boolean;
  readonly billId: string | null;
  readonly ways: readonly RefundWay[];
}

/** Returns what goes back of a payment, and the ways that go through its provider, the best first. */
function measure(
  payment: LedgerPayment,
  { adapter, credentials, request }: Awaited<ReturnType<typeof providerOf>>,
  balance: Balance,
  { of, amount }: Pick<AskRefundOptions, 'of' | 'amount'>,
): Result<Measured, RefundRefusal> {
  const { left, allocated, unmatched } = balance;
  const billId = typeof of === 'object' ? of.billId : null;
  const held =
    of === 'payment' ? left : of === 'unmatched' ? unmatched : (allocated.find((share) => share.billId === billId)?.amount ?? 0n);
  const most = held < left ? held : left;
  if (most <= 0n) return fail('nothing_to_refund');
  const refunded = amount ?? most;
  if (refunded <= 0n || refunded > most) return fail('refund_more_than_left');
  const whole = isWhole(balance, refunded);
  const { mobile: stored, network } = request ?? { mobile: payment.mobile, network: null };
  const mobile = knownMobile(stored);
  const ways = waysOf(adapter, credentials, { amount: refunded, whole, ofProvider: payment.source === 'provider', mobile, network });
  return ok({ amount: refunded, whole, billId, ways });
}

/** Returns whether an amount is the complete payment. After a correction, nobody knows which amount the provider would take for it. */
function isWhole({ payment, kept, corrections }: Balance, amount: Senti): boolean {
  return amount === payment.amount && amount === kept && corrections.length === 0;
}

async function providerOf(runtime: RefundRuntime, payment: LedgerPayment) {
  const [stored, request] = await Promise.all([
    findAccountById(runtime.db, payment.providerAccountId),
    findPaidRequest(runtime.db, payment),
  ]);
  return {
    name: stored?.provider ?? null,
    adapter: stored && runtime.providers.find(stored.provider),
    credentials: stored ? openAccount(runtime, stored).credentials : null,
    request,
  };
}

/** What the operator gives back, wherever the money of the payment is. */
interface OperatorRefundOptions {
  readonly paymentId: string;
  /** Senti; null for all that is left of the payment, or that no bill has. */
  readonly amount: Senti | null;
  readonly reason: string;
  readonly actor: Actor;
}

export type ReversalRefusal =
  /** The provider has no reversals. */
  | 'not_supported'
  /** The provider can only reverse a complete payment. */
  | 'only_whole'
  | 'not_whole_shillings';

/** Queues the reversal of a payment, or of a part of it, for the operator. It is booked when the provider reports it. Returns the refund's id. */
export async function requestReversal(
  runtime: RefundRuntime,
  { paymentId, ...options }: OperatorRefundOptions,
): Promise<Result<string, RefundRefusal | ReversalRefusal>> {
  const payment = isUuid(paymentId) ? await findPaymentById(runtime.db, paymentId) : undefined;
  if (!payment) return fail('payment_not_found');
  const reversals = payment.source === 'provider' ? (await providerOf(runtime, payment)).adapter?.reversals : null;
  if (!reversals) return fail('not_supported');
  return openRefund<ReversalRefusal>(runtime, payment, {
    ...options,
    of: 'payment',
    choose: ({ whole, amount }) => {
      if (!whole && !reversals.partial) return fail('only_whole');
      return amount % SENTI_PER_SHILLING === 0n ? ok('reversal') : fail('not_whole_shillings');
    },
  });
}

/** Records that the operator has given money back that no bill had. Returns the refund's id. */
export async function refundOutside(
  runtime: RefundRuntime,
  { paymentId, ...options }: OperatorRefundOptions,
): Promise<Result<string, RefundRefusal>> {
  const payment = isUuid(paymentId) ? await findPaymentById(runtime.db, paymentId) : undefined;
  if (!payment) return fail('payment_not_found');
  return openRefund(runtime, payment, {
    ...options,
    of: 'unmatched',
    choose: () => ok('hand'),
    async alongside(tx, bookings, { id, balance, amount, now }) {
      const done = { source: 'other', happenedAt: null, by: options.actor.name } as const;
      await bookByHand(runtime, tx, bookings, { refund: { id, billId: null, amount }, balance, ...done, now });
    },
  });
}
