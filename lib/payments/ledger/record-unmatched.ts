import { reach } from '@/lib/config/fail-point';
import { newId } from '@/lib/core/ids';
import type { Environment } from '@/lib/core/scope';
import type { Outcome, OutcomeSource } from '@/lib/providers/port/outcome';
import type { Runtime } from '@/lib/runtime/runtime';
import { bookReversal } from './book-reversal';
import { withBills } from './bookings';
import { insertUnmatchedPayment } from './ledger-store';
import { findPayment, type LedgerPayment, listBillsOf } from './payment-store';
import { reviewAmount } from './review-amount';
import { reviewReversal } from './review-reversal';

interface RecordUnmatchedOptions {
  readonly account: { readonly id: string; readonly environment: Environment };
  readonly outcome: Extract<Outcome, { kind: 'paid' | 'reversed' }>;
  /** Who paid, where the provider says; national form. */
  readonly mobile: string | null;
  readonly source: OutcomeSource;
}

/**
 * Keeps money that a provider vouches for, under a reference that is none of ours: the operator's until it is matched. It may
 * have gone back already. What the ledger has, it has once.
 */
export async function recordUnmatched(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'log'>,
  { account, outcome, mobile, source }: RecordUnmatchedOptions,
): Promise<void> {
  const { transactionId, amount } = outcome;
  const payment = { id: newId(runtime), account, transactionId, amount, mobile, recordedAt: runtime.clock() };
  if (await insertUnmatchedPayment(runtime.db, payment))
    runtime.log.error({ providerAccountId: account.id, transactionId }, 'money came under an unknown reference; it is kept unmatched');
  else await compareAmount(runtime, { account, outcome, source });
  reach('unmatched.kept');
  if (outcome.kind !== 'reversed') return;
  const { reversed, reversalTransactionId } = outcome;
  const told = { amount: reversed, reversalTransactionId, source };
  const booked = await bookReversal(runtime, { account, transactionId, ...told });
  if (booked !== 'exceeds' && booked !== 'differs') return;
  const earlier = await paymentAt(runtime, account.id, transactionId);
  await reviewReversal(runtime, runtime.db, { payment: earlier, booked, ...told, now: runtime.clock() });
}

async function compareAmount(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'log'>,
  { account, outcome, source }: Omit<RecordUnmatchedOptions, 'mobile'>,
): Promise<void> {
  const payment = await paymentAt(runtime, account.id, outcome.transactionId);
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

async function paymentAt({ db }: Pick<Runtime, 'db'>, accountId: string, transactionId: string): Promise<LedgerPayment> {
  const payment = await findPayment(db, accountId, transactionId);
  if (!payment) throw new Error(`payment ${transactionId} is neither new nor there`);
  return payment;
}
