import { recordEntry } from '@/lib/audit/record-entry';
import type { Runtime } from '@/lib/config/runtime';
import { isUuid } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import type { ProviderRegistry } from '@/lib/providers/registry';
import { findAccountById } from './account-store';
import { applyOutcome } from './apply-outcome';
import { findPayment, listBillsOf } from './balance-store';
import type { Outcome } from './outcome';
import type { Attempt } from './rules';
import { isOpen } from './state';
import { findAttempt } from './store';

interface SettleAttemptOptions {
  readonly attemptId: string;
  readonly outcome: Extract<Outcome, { kind: 'paid' | 'failed' }>;
  /** What it rests on, such as the provider's support ticket. */
  readonly reason: string;
  readonly actor: string;
}

/**
 * Why an operator's word does not count: nothing was ever sent, it has settled (money may come late, a failure may not), or the
 * receipt is that of other money.
 */
export type SettleRefusal = 'not_found' | 'never_sent' | 'already_settled' | 'receipt_taken';

/** Settles an attempt by an operator's word, as the provider told it to a person. Goes the way of every other outcome. */
export async function settleAttempt(
  runtime: Runtime & { readonly providers: ProviderRegistry },
  { attemptId, outcome, reason, actor }: SettleAttemptOptions,
): Promise<Result<Attempt, SettleRefusal>> {
  const attempt = isUuid(attemptId) ? await findAttempt(runtime.db, attemptId) : undefined;
  if (!attempt) return fail('not_found');
  const stored = attempt.providerAccountId === null ? undefined : await findAccountById(runtime.db, attempt.providerAccountId);
  const adapter = stored && runtime.providers.find(stored.provider);
  if (!stored || !adapter) return fail('never_sent');
  if (outcome.kind === 'failed' && !isOpen(attempt.state)) return fail('already_settled');
  if (outcome.kind === 'paid' && (await isAnothers(runtime, attempt, stored.id, outcome.transactionId))) return fail('receipt_taken');

  const { merchantId, environment } = attempt;
  const data = { outcome: outcome.kind, reason };
  await recordEntry(runtime, { merchantId, environment, actor, action: 'attempt.settled', subject: attemptId, address: null, data });
  const pace = adapter.capabilities;
  await applyOutcome(runtime, { attempt, providerAccountId: stored.id, outcome, pace, source: 'operator', leaseToken: null });
  return ok((await findAttempt(runtime.db, attemptId)) ?? attempt);
}

/** Nobody's money may be this attempt's; what another attempt or another bill has is not. */
async function isAnothers({ db }: Pick<Runtime, 'db'>, attempt: Attempt, accountId: string, transactionId: string): Promise<boolean> {
  const payment = await findPayment(db, accountId, transactionId);
  if (!payment || payment.attemptId === attempt.id) return false;
  return payment.attemptId !== null || (await listBillsOf(db, payment.id)).some((billId) => billId !== attempt.billId);
}
