import { isUuid } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import { findPayment, listBillsOf } from '@/lib/payments/ledger/payment-store';
import { findUnlike } from '@/lib/payments/ledger/receipt-form';
import { listReceiptsOf, listRecentReceipts } from '@/lib/payments/ledger/receipt-store';
import type { Attempt } from '@/lib/payments/rules';
import { isOpen } from '@/lib/payments/state';
import { findAttempt } from '@/lib/payments/store';
import { findAccountById } from '@/lib/providers/accounts/account-store';
import type { Outcome } from '@/lib/providers/port/outcome';
import type { ProviderRegistry } from '@/lib/providers/registry';
import type { Runtime } from '@/lib/runtime/runtime';
import { applyOutcome } from './apply-outcome';

interface SettleAttemptOptions {
  readonly attemptId: string;
  readonly outcome: Extract<Outcome, { kind: 'paid' | 'failed' }>;
  /** What it rests on, such as the provider's support ticket. */
  readonly reason: string;
  readonly actor: string;
  /** It was paid once more: its second receipt is booked as unmatched money. */
  readonly also?: boolean;
}

/**
 * Why an operator's word does not count: nothing was ever sent, it has settled (money may come late, a failure may not), the
 * receipt is that of other money, it is recorded with another amount, or the attempt has another receipt.
 */
export type SettleRefusal = 'not_found' | 'never_sent' | 'already_settled' | 'receipt_taken' | 'amount_recorded' | 'has_receipt';

interface Settled extends Attempt {
  /** Another receipt of the same account, when none of them looks like this one: it may be mistyped. */
  readonly unlike: string | null;
  /** The money is unmatched, because the attempt had been paid before. */
  readonly unmatched: boolean;
}

/** Settles an attempt by an operator's word, as the provider told it to a person. Goes the way of every other outcome. */
export async function settleAttempt(
  runtime: Runtime & { readonly providers: ProviderRegistry },
  { attemptId, outcome, reason, actor, also = false }: SettleAttemptOptions,
): Promise<Result<Settled, SettleRefusal>> {
  const attempt = isUuid(attemptId) ? await findAttempt(runtime.db, attemptId) : undefined;
  if (!attempt) return fail('not_found');
  const stored = attempt.providerAccountId === null ? undefined : await findAccountById(runtime.db, attempt.providerAccountId);
  const adapter = stored && runtime.providers.find(stored.provider);
  if (!stored || !adapter) return fail('never_sent');
  if (outcome.kind === 'failed' && !isOpen(attempt.state)) return fail('already_settled');
  const refusal = outcome.kind === 'paid' ? await refuseReceipt(runtime, attempt, stored.id, { ...outcome, also }) : null;
  if (refusal) return fail(refusal);
  const receipts = outcome.kind === 'paid' ? await listRecentReceipts(runtime.db, stored.id) : [];

  const { merchantId, environment } = attempt;
  const data = { outcome: outcome.kind, reason };
  const audit = { merchantId, environment, actor, action: 'attempt.settled', subject: attemptId, address: null, data };
  const pace = adapter.capabilities;
  await applyOutcome(runtime, { attempt, providerAccountId: stored.id, outcome, pace, source: 'operator', leaseToken: null, audit });
  const settled = (await findAttempt(runtime.db, attemptId)) ?? attempt;
  const unlike = outcome.kind === 'paid' ? findUnlike(outcome.transactionId, receipts) : null;
  return ok({ ...settled, unlike, unmatched: outcome.kind === 'paid' && attempt.state === 'SUCCEEDED' });
}

interface Receipt {
  readonly transactionId: string;
  readonly amount: bigint;
  readonly also: boolean;
}

async function refuseReceipt(
  runtime: Pick<Runtime, 'db'>,
  attempt: Attempt,
  accountId: string,
  { transactionId, amount, also }: Receipt,
): Promise<SettleRefusal | null> {
  if (await isAnothers(runtime, attempt, accountId, transactionId)) return 'receipt_taken';
  const known = await findPayment(runtime.db, accountId, transactionId);
  if (known) return known.amount === amount ? null : 'amount_recorded';
  return !also && (await listReceiptsOf(runtime.db, attempt.id)).length > 0 ? 'has_receipt' : null;
}

/** Nobody's money may be this attempt's; what another attempt or another bill has is not. */
async function isAnothers({ db }: Pick<Runtime, 'db'>, attempt: Attempt, accountId: string, transactionId: string): Promise<boolean> {
  const payment = await findPayment(db, accountId, transactionId);
  if (!payment || payment.attemptId === attempt.id) return false;
  return payment.attemptId !== null || (await listBillsOf(db, payment.id)).some((billId) => billId !== attempt.billId);
}
