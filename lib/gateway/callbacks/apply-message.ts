import { applyOutcome } from '@/lib/gateway/attempts/apply-outcome';
import { readRepeated, toPromptRequest, type WorkerRuntime } from '@/lib/gateway/attempts/call-provider';
import { applyInstrumentMessage } from '@/lib/gateway/instruments/work-instrument';
import { markHandled, type UnhandledMessage } from '@/lib/gateway/messages/message-store';
import type { Attempt } from '@/lib/gateway/payments/rules';
import { findAttempt } from '@/lib/gateway/payments/store';
import { applyRefundMessage } from '@/lib/gateway/refunds/work-refund';
import { openReview } from '@/lib/gateway/reviews/store';
import { reach } from '@/lib/platform/config/fail-point';
import { newId } from '@/lib/platform/core/ids';
import { findAccountById, openAccount } from '@/lib/providers/accounts/account-store';
import type { Outcome } from '@/lib/providers/port/outcome';
import type { ProviderAccount, ProviderAdapter } from '@/lib/providers/port/port';
import { applyCallback } from './receive-callback';

/** After this number of tries, about 18 hours, a message is given up. The tries of an unavailable database do not count. */
const TRIES_MAX = 24;
/** The number of characters of an error that a review shows. */
const ERROR_MAX = 300;

/**
 * Applies a stored message if the process that stored it has died or could not use the database. The outcome is applied with the fencing
 * token of that process, as if that process had applied it. A message that cannot be applied is retried later, at most
 * `TRIES_MAX` times.
 */
export async function applyMessage(runtime: WorkerRuntime, message: UnhandledMessage): Promise<void> {
  reach('message.claimed');
  const { id: messageId, kind, attemptId, applyCount } = message;
  try {
    const stored = await findAccountById(runtime.db, message.providerAccountId);
    const adapter = stored && runtime.providers.find(stored.provider);
    if (!stored || !adapter) throw new Error(`this version does not support the provider ${stored?.provider}`);
    await interpret(runtime, message, openAccount(runtime, stored), adapter);
    runtime.log.warn({ messageId, kind, attemptId, applyCount }, 'a stored message was applied late');
  } catch (error) {
    const about = { err: error, messageId, kind, attemptId, applyCount };
    if (applyCount < TRIES_MAX) return runtime.log.error(about, 'a stored message could not be applied; it is retried');
    await giveUp(runtime, message, error);
    runtime.log.error(about, 'a stored message could not be applied and is given up; see: bili review list');
  }
}

/** Stops the retries of a message, and opens a review: the message may be about money. */
async function giveUp(runtime: WorkerRuntime, message: UnhandledMessage, error: unknown): Promise<void> {
  const { id: messageId, environment, attemptId, refundId, kind } = message;
  const now = runtime.clock();
  await runtime.db.sqlTransaction(async (tx) => {
    const attempt = attemptId === null ? undefined : await findAttempt(tx, attemptId);
    const reason = error instanceof Error ? error.message.replaceAll('\u0000', '').slice(0, ERROR_MAX) : 'unknown error';
    const data = {
      source: 'gateway',
      problem: 'message_fails',
      messageKind: kind,
      message: messageId,
      error: reason,
      state: attempt?.state,
    };
    const review = { id: newId(runtime), environment, merchantId: attempt?.merchantId ?? null, data, openedAt: now };
    if (refundId !== null) await openReview(tx, { ...review, kind: 'refund_unresolved', refundId });
    else if (attempt) await openReview(tx, { ...review, kind: 'attempt_unresolved', attemptId: attempt.id });
    else await openReview(tx, { ...review, kind: 'attempt_unresolved', messageId });
    await markHandled(tx, messageId, now);
  });
}

async function interpret(
  runtime: WorkerRuntime,
  message: UnhandledMessage,
  account: ProviderAccount,
  adapter: ProviderAdapter,
): Promise<void> {
  const { id: messageId, kind, leaseToken } = message;
  switch (kind) {
    case 'callback': {
      const callback = { headers: message.headers, body: message.body };
      await applyCallback(runtime, { account, adapter, messageId, callback });
      return;
    }
    case 'answer':
    case 'status': {
      const attempt = message.attemptId === null ? undefined : await findAttempt(runtime.db, message.attemptId);
      if (!attempt) throw new Error(`the attempt of message ${messageId} does not exist`);
      const outcome = readStored(adapter, message, attempt);
      const { capabilities: pace } = adapter;
      return applyOutcome(runtime, { attempt, providerAccountId: account.id, outcome, pace, source: kind, leaseToken, messageId });
    }
    case 'refund':
    case 'refund_status':
      await applyRefundMessage(runtime, { ...message, kind }, adapter);
      await markHandled(runtime.db, messageId, runtime.clock());
      return;
    case 'instrument':
    case 'instrument_status':
      await applyInstrumentMessage(runtime, { ...message, kind }, account, adapter);
      await markHandled(runtime.db, messageId, runtime.clock());
      return;
    case 'instrument_change':
      // When the lease of the instrument expires, the change is asked for again, which changes nothing if it has happened.
      await markHandled(runtime.db, messageId, runtime.clock());
  }
}

function readStored(adapter: ProviderAdapter, message: UnhandledMessage, attempt: Attempt): Outcome {
  const request = toPromptRequest(attempt);
  if (message.kind === 'answer') return adapter.readAnswer(message, request);
  // If the provider's reference of the attempt was not known, the worker repeated the request instead of querying the status.
  const repeated = adapter.capabilities.queriedBy === 'providerReference' && attempt.providerReference === null;
  return repeated ? readRepeated(adapter.readAnswer(message, request)) : adapter.readStatus(message, request);
}
