import { reach } from '@/lib/platform/config/fail-point';
import { newId } from '@/lib/platform/core/ids';
import type { Environment } from '@/lib/platform/core/scope';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import type { Outcome, OutcomeSource } from '@/lib/providers/port/outcome';
import { bookReversal, reviewReversal } from './book-reversal';
import { insertUnmatchedPayment, recordFee, reviewAmount, withBills } from './bookings';
import { findPayment, type LedgerPayment, listBillsOf } from './payment-store';

interface RecordUnmatchedOptions {
  readonly account: { readonly id: string; readonly environment: Environment };
  readonly outcome: Extract<Outcome, { kind: 'paid' | 'reversed' }>;
  /** The payer's phone number in national form; null if the provider does not give it. */
  readonly mobile: string | null;
  /** The merchant of the bill that the payment names; absent if it names none. */
  readonly merchantId?: string;
  readonly source: OutcomeSource;
}

/**
 * Records a confirmed payment whose reference is unknown, and its reversal if it is already reversed. The payment belongs to no bill until
 * an operator allocates it. Idempotent.
 */
export async function recordUnmatched(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'log'>,
  { account, outcome, mobile, merchantId, source }: RecordUnmatchedOptions,
): Promise<void> {
  const { transactionId, amount } = outcome;
  const fee = outcome.kind === 'paid' ? (outcome.fee ?? null) : null;
  const known = { fee, happenedAt: outcome.happenedAt ?? null };
  const payment = { id: newId(runtime), account, merchantId, transactionId, amount, mobile, recordedAt: runtime.clock(), ...known };
  if (await insertUnmatchedPayment(runtime.db, payment))
    runtime.log.error(
      { providerAccountId: account.id, transactionId },
      'a payment arrived with an unknown reference; it is stored as unmatched',
    );
  else await compareAmount(runtime, { account, outcome, source });
  reach('unmatched.kept');
  if (outcome.kind !== 'reversed') return;
  const { reversed, reversalTransactionId, reversedAt: happenedAt = null } = outcome;
  const reported = { amount: reversed, reversalTransactionId, happenedAt, source };
  const booked = await bookReversal(runtime, { account, transactionId, ...reported });
  if (booked !== 'exceeds' && booked !== 'differs') return;
  const earlier = await getPayment(runtime, account.id, transactionId);
  await reviewReversal(runtime, runtime.db, { payment: earlier, booked, ...reported, now: runtime.clock() });
}

async function compareAmount(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'log'>,
  { account, outcome, source }: Omit<RecordUnmatchedOptions, 'mobile'>,
): Promise<void> {
  const payment = await getPayment(runtime, account.id, outcome.transactionId);
  if (outcome.kind === 'paid' && outcome.fee !== undefined)
    await recordFee(runtime.db, { paymentId: payment.id, fee: outcome.fee, now: runtime.clock() });
  if (payment.amount === outcome.amount || outcome.assumed) return;
  let bills: readonly string[] = [];
  await withBills(
    runtime,
    async () => {
      bills = await listBillsOf(runtime.db, payment.id);
      return bills;
    },
    (tx, bookings, now) => reviewAmount(runtime, tx, bookings, { payment, bills, reported: outcome.amount, source, now }),
  );
}

async function getPayment({ db }: Pick<Runtime, 'db'>, accountId: string, transactionId: string): Promise<LedgerPayment> {
  const payment = await findPayment(db, accountId, transactionId);
  if (!payment) throw new Error(`payment ${transactionId} was neither inserted nor found`);
  return payment;
}
