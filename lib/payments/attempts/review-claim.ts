import { newId } from '@/lib/core/ids';
import type { Queryable } from '@/lib/db/database';
import { listCallbacks } from '@/lib/payments/messages/callback-store';
import type { Attempt } from '@/lib/payments/rules';
import { findAttemptByReference } from '@/lib/payments/store';
import type { ProviderAccount, ProviderAdapter } from '@/lib/providers/port/port';
import { openReview } from '@/lib/reviews/open-review';
import type { Runtime } from '@/lib/runtime/runtime';

/** Only this many of the newest callbacks are read, because anybody who knows the callback address can send any number of callbacks. */
const CALLBACKS_READ = 5;

/**
 * Opens a review of a claim that an attempt is paid through an account that it has left. Two accounts may then charge the customer.
 * @param claim the provider's reference in the callback (null if it has none), and the account.
 */
export async function reviewLeftClaim(
  runtime: Pick<Runtime, 'clock' | 'random' | 'log'>,
  tx: Queryable,
  attempt: Attempt,
  claim: { readonly providerReference: string | null; readonly leftAccount: string },
): Promise<void> {
  await reviewClaimed(runtime, tx, attempt, { ...claim, otherAttempt: null });
}

/**
 * Opens a review if an unsigned callback claims the payment of an attempt that no status query can check, because the answer with the
 * provider's reference was lost. The reference in the callback is no proof: it may be that of another payment. A person compares it
 * with the provider's records. Repeated callbacks add nothing to the review.
 */
export async function reviewClaim(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'log'>,
  attempt: Attempt,
  { account, adapter }: { readonly account: ProviderAccount; readonly adapter: ProviderAdapter },
): Promise<void> {
  if (attempt.claimedPaidAt === null) return;
  const { db } = runtime;
  const callbacks = await listCallbacks(db, attempt.id, CALLBACKS_READ);
  const named = new Set<string | null>();
  for (const callback of callbacks) {
    const read = adapter.readCallback(account, callback);
    if (!read.verified && read.claimsPaid) named.add(read.providerReference ?? null);
  }
  for (const providerReference of named) {
    const known =
      providerReference === null ? undefined : await findAttemptByReference(db, account.id, { reference: null, providerReference });
    await reviewClaimed(runtime, db, attempt, { providerReference, otherAttempt: known?.id ?? null });
  }
}

async function reviewClaimed(
  { clock, random, log }: Pick<Runtime, 'clock' | 'random' | 'log'>,
  db: Queryable,
  { id: attemptId, merchantId, environment, state }: Attempt,
  claim: { readonly providerReference: string | null; readonly otherAttempt: string | null; readonly leftAccount?: string },
): Promise<void> {
  const data = { source: 'callback', problem: 'claimed_paid', state, ...claim };
  const about = { kind: 'attempt_unresolved', merchantId, environment, attemptId } as const;
  const opened = await openReview(db, { ...about, id: newId({ clock, random }), data, openedAt: clock() });
  if (opened !== 'repeated') log.error({ attemptId }, 'a callback that proves nothing claims a payment; see: bili review list');
}
