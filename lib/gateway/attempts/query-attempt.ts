import { type Attempt, isOpen, REPEAT_MAX_MS } from '@/lib/gateway/payments/rules';
import { findAttempt } from '@/lib/gateway/payments/store';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import type { Actor } from '@/lib/platform/core/actor';
import { addMs } from '@/lib/platform/core/clock';
import { isUuid } from '@/lib/platform/core/ids';
import type { Runtime, WriteRuntime } from '@/lib/platform/runtime/runtime';
import { findAccountById } from '@/lib/providers/accounts/account-store';
import type { Capabilities } from '@/lib/providers/port/port';
import type { ProviderRegistry } from '@/lib/providers/registry';
import { makeQueryDue } from './unsigned-callback';

/** Makes a status query due now, even if the queries had stopped or the attempt had failed. Returns false if no query is possible. */
export async function queryAttempt(runtime: WriteRuntime, { attemptId, actor }: { attemptId: string; actor: Actor }): Promise<boolean> {
  const { db, clock } = runtime;
  return db.transaction(async (tx) => {
    const attempt = isUuid(attemptId) ? await findAttempt(tx, attemptId) : undefined;
    if (!attempt || !(await makeQueryDue(tx, attemptId, { now: clock(), claimsPaid: false }))) return false;
    const { merchantId, environment, billId } = attempt;
    const entry = { merchantId, environment, actor, action: 'attempt.queried', subject: attemptId, data: { bill: billId } };
    await recordEntry(runtime, entry, tx);
    return true;
  });
}

/**
 * Returns how Bili can ask the provider about an attempt. `query`: by a status query. `repeat`: by sending the same request again, because
 * the provider then repeats its first answer. `nothing`: not at all, because the provider finds payments only by its own reference, which
 * Bili does not know. The request of a settled attempt is never repeated: if the first request did not arrive, the customer would get an
 * unexpected prompt.
 */
export function queryMethod(
  { state, providerReference, sentAt, createdAt }: Pick<Attempt, 'state' | 'providerReference' | 'sentAt' | 'createdAt'>,
  { queriedBy, repeatsAnswerMs }: Pick<Capabilities, 'queriedBy' | 'repeatsAnswerMs'>,
  now: Date,
): 'query' | 'repeat' | 'nothing' {
  if (queriedBy === 'reference' || providerReference !== null) return 'query';
  const until = Math.min(addMs(sentAt ?? createdAt, repeatsAnswerMs).getTime(), addMs(createdAt, REPEAT_MAX_MS).getTime());
  // `repeatsAnswerMs > 0` is necessary: if it is 0, `until` is the time of sending, which is after `now` if the clock of the worker that
  // sent the request is ahead of ours.
  return repeatsAnswerMs > 0 && isOpen(state) && now.getTime() < until ? 'repeat' : 'nothing';
}

/** Returns our reference of an attempt if the provider cannot be asked for its status; null otherwise. */
export async function findUnqueryable(
  { db, clock, providers }: Pick<Runtime, 'db' | 'clock'> & { readonly providers: ProviderRegistry },
  attemptId: string,
): Promise<string | null> {
  const attempt = isUuid(attemptId) ? await findAttempt(db, attemptId) : undefined;
  const account = attempt?.providerAccountId ? await findAccountById(db, attempt.providerAccountId) : undefined;
  const adapter = account && providers.find(account.provider);
  if (!attempt || !adapter) return null;
  return queryMethod(attempt, adapter.capabilities, clock()) === 'nothing' ? attempt.ourReference : null;
}
