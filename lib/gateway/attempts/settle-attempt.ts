import { hasPayment } from '@/lib/gateway/ledger/balance-store';
import { findPayment, listBillsOf } from '@/lib/gateway/ledger/payment-store';
import { type Attempt, isOpen } from '@/lib/gateway/payments/rules';
import { findAttempt } from '@/lib/gateway/payments/store';
import type { Actor } from '@/lib/platform/core/actor';
import { isUuid } from '@/lib/platform/core/ids';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { findAccountById } from '@/lib/providers/accounts/account-store';
import type { Outcome } from '@/lib/providers/port/outcome';
import type { ProviderRegistry } from '@/lib/providers/registry';
import { applyOutcome } from './apply-outcome';

interface SettleAttemptOptions {
  readonly attemptId: string;
  readonly outcome: Extract<Outcome, { kind: 'paid' | 'failed' }>;
  /** The evidence, for example the number of the provider's support ticket. */
  readonly reason: string;
  readonly actor: Actor;
  /** True if the customer paid a second time. The second payment is then booked as unmatched. */
  readonly isSecondPayment?: boolean;
}

export type SettleRefusal =
  | 'not_found'
  /** No request was ever sent to a provider. */
  | 'never_sent'
  /** The attempt is settled. It may still get a late payment, but it cannot fail any more. */
  | 'already_settled'
  /** The receipt number belongs to another attempt or another bill. */
  | 'receipt_taken'
  /** The ledger has this receipt number with another amount. */
  | 'amount_recorded'
  /** The attempt has a payment with another receipt number. */
  | 'has_receipt';

interface Settled extends Attempt {
  /**
   * An earlier receipt number of the account, as a hint that the new one may be mistyped. Null if an earlier one has the same form as the
   * new one (length and kinds of characters), or if there are too few to compare.
   */
  readonly differsFromReceipt: string | null;
  /** Whether the payment is unmatched, because the attempt was already paid. */
  readonly unmatched: boolean;
}

/** Settles an attempt with an outcome that an operator has learned from the provider. */
export async function settleAttempt(
  runtime: Runtime & { readonly providers: ProviderRegistry },
  { attemptId, outcome, reason, actor, isSecondPayment = false }: SettleAttemptOptions,
): Promise<Result<Settled, SettleRefusal>> {
  const attempt = isUuid(attemptId) ? await findAttempt(runtime.db, attemptId) : undefined;
  if (!attempt) return fail('not_found');
  const stored = attempt.providerAccountId === null ? undefined : await findAccountById(runtime.db, attempt.providerAccountId);
  const adapter = stored && runtime.providers.find(stored.provider);
  if (!stored || !adapter) return fail('never_sent');
  if (outcome.kind === 'failed' && !isOpen(attempt.state)) return fail('already_settled');
  const refusal = outcome.kind === 'paid' ? await refuseReceipt(runtime, attempt, stored.id, { ...outcome, isSecondPayment }) : null;
  if (refusal) return fail(refusal);
  const receipts = await runtime.db.prisma.payment.findMany({
    where: { providerAccountId: stored.id, kind: 'payment' },
    select: { providerTransactionId: true },
    orderBy: { recordedAt: 'desc' },
    take: 20,
  });

  const alreadyPaid = attempt.state === 'SUCCEEDED' && (await hasPayment(runtime.db, attempt.id));

  const { merchantId, environment } = attempt;
  const data = { outcome: outcome.kind, reason };
  const audit = { merchantId, environment, actor, action: 'attempt.settled', subject: attemptId, data };
  const pace = adapter.capabilities;
  await applyOutcome(runtime, { attempt, providerAccountId: stored.id, outcome, pace, source: 'operator', leaseToken: null, audit });
  const settled = (await findAttempt(runtime.db, attemptId)) ?? attempt;
  const differsFromReceipt =
    outcome.kind === 'paid'
      ? findDifferentForm(
          outcome.transactionId,
          receipts.map(({ providerTransactionId: receipt }) => receipt),
        )
      : null;
  return ok({ ...settled, differsFromReceipt, unmatched: outcome.kind === 'paid' && alreadyPaid });
}

async function refuseReceipt(
  runtime: Pick<Runtime, 'db'>,
  attempt: Attempt,
  accountId: string,
  { transactionId, amount, isSecondPayment }: { transactionId: string; amount: bigint; isSecondPayment: boolean },
): Promise<SettleRefusal | null> {
  if (await belongsElsewhere(runtime, attempt, accountId, transactionId)) return 'receipt_taken';
  const known = await findPayment(runtime.db, accountId, transactionId);
  if (known) return known.amount === amount ? null : 'amount_recorded';
  return !isSecondPayment && (await hasPayment(runtime.db, attempt.id)) ? 'has_receipt' : null;
}

/** Tells whether a receipt number belongs to another attempt or bill. Returns false for an unmatched payment: it may be this attempt's. */
async function belongsElsewhere({ db }: Pick<Runtime, 'db'>, attempt: Attempt, accountId: string, transactionId: string): Promise<boolean> {
  const payment = await findPayment(db, accountId, transactionId);
  if (!payment || payment.attemptId === attempt.id) return false;
  return payment.attemptId !== null || (await listBillsOf(db, payment.id)).some((billId) => billId !== attempt.billId);
}

/** With fewer receipt numbers, a comparison is not reliable. */
const MIN_RECEIPTS = 3;
const CLASSES: readonly RegExp[] = [/[A-Z]/, /[a-z]/, /[0-9]/, /[^A-Za-z0-9]/];

/**
 * Finds out whether a receipt number may be mistyped. Compares its form (its length and kinds of characters) with other receipt numbers of
 * the same account. Returns one of the other numbers if none of them has the same form. Returns null if one of them has the same form, or
 * if there are too few numbers.
 */
export function findDifferentForm(receipt: string, others: readonly string[]): string | null {
  const form = formOf(receipt);
  const [example] = others;
  return example === undefined || others.length < MIN_RECEIPTS || others.some((other) => formOf(other) === form) ? null : example;
}

function formOf(receipt: string): string {
  return [receipt.length, ...CLASSES.map((characters) => characters.test(receipt))].join(' ');
}
