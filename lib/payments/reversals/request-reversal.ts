import { recordEntry } from '@/lib/audit/record-entry';
import type { Actor } from '@/lib/core/actor';
import { isUuid, newId, newPaymentReference } from '@/lib/core/ids';
import { SENTI_PER_SHILLING, type Senti } from '@/lib/core/money';
import { fail, ok, type Result } from '@/lib/core/result';
import { lockBalance } from '@/lib/payments/ledger/balance-store';
import { withBills } from '@/lib/payments/ledger/bookings';
import { findPaymentById, listBillsOf } from '@/lib/payments/ledger/payment-store';
import { findOpenRequest, insertRequest } from '@/lib/payments/reversals/requests/store';
import { findAccountById } from '@/lib/providers/accounts/account-store';
import type { ProviderRegistry } from '@/lib/providers/registry';
import type { Runtime } from '@/lib/runtime/runtime';

interface RequestReversalOptions {
  readonly paymentId: string;
  /** Senti; null for the whole amount that is not reversed yet. */
  readonly amount: Senti | null;
  readonly reason: string;
  readonly actor: Actor;
}

export type ReversalRefusal =
  | 'not_found'
  /** The provider has no reversals. */
  | 'not_supported'
  /** The provider can only reverse a complete payment. */
  | 'only_whole'
  | 'not_whole_shillings'
  /** The amount exceeds the remaining amount of the payment, or nothing remains. */
  | 'more_than_left'
  | 'already_open';

/** Queues a request to reverse a payment. The reversal is booked when the provider reports it. Returns the request's id. */
export async function requestReversal(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'> & { readonly providers: ProviderRegistry },
  { paymentId, amount, reason, actor }: RequestReversalOptions,
): Promise<Result<string, ReversalRefusal>> {
  const payment = isUuid(paymentId) ? await findPaymentById(runtime.db, paymentId) : undefined;
  if (!payment) return fail('not_found');
  const account = await findAccountById(runtime.db, payment.providerAccountId);
  const reversals = account && runtime.providers.find(account.provider)?.reversals;
  if (!reversals) return fail('not_supported');

  return withBills(
    runtime,
    () => listBillsOf(runtime.db, payment.id),
    async (tx, bookings, now): Promise<Result<string, ReversalRefusal>> => {
      const { corrections, kept, allocated, refundedOutside } = await lockBalance(tx, payment);
      // A part that is refunded outside Bili must not be reversed as well.
      const left = kept - refundedOutside;
      const requested = amount ?? left;
      // After a correction, nobody knows which amount the provider would take for the whole payment.
      const whole = requested === payment.amount && requested === kept && corrections.length === 0;
      if (await findOpenRequest(tx, payment.id)) return fail('already_open');
      if (requested <= 0n || requested > left) return fail('more_than_left');
      if (!whole && !reversals.partial) return fail('only_whole');
      if (requested % SENTI_PER_SHILLING !== 0n) return fail('not_whole_shillings');
      const id = newId(runtime);
      const ourReference = newPaymentReference(runtime.random);
      const { environment, merchantId } = payment;
      await insertRequest(tx, { id, environment, paymentId, amount: requested, whole, ourReference, reason, requestedBy: actor.name, now });
      const data = { by: actor.name, reason, payment: payment.id, transactionId: payment.transactionId, amount: requested.toString() };
      for (const { billId } of allocated) bookings.add(billId, { events: [{ type: 'reversal.requested', data }] });
      const about = { merchantId, environment, actor, action: 'payment.reversal_requested', subject: paymentId };
      await recordEntry(runtime, { ...about, data: { reversal: id, reason } }, tx);
      return ok(id);
    },
  );
}
