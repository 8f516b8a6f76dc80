import type { Outcome } from '@/lib/providers/port/outcome';
import type { ProviderAccount, ProviderAdapter, RawAnswer } from '@/lib/providers/port/port';
import { refusesCredentials } from '@/lib/providers/port/raw-answer';
import type { Runtime } from '@/lib/runtime/runtime';
import { type CallKind, recordAnswer, recordFailure, recordRefusal } from './health-store';

interface CompletedCall {
  readonly account: Pick<ProviderAccount, 'id'>;
  readonly adapter: Pick<ProviderAdapter, 'simulatesFailures'>;
  readonly kind: CallKind;
  readonly answer: RawAnswer;
  readonly outcome: Outcome;
  readonly startedAt: Date;
}

const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR = 500;

/** Records whether a provider has answered a call, in the health of the account that all workers share. */
export async function recordHealth(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  { account, adapter, kind, answer, outcome, startedAt }: CompletedCall,
): Promise<void> {
  if (adapter.simulatesFailures) return;
  const call = { accountId: account.id, kind, now: clock() };
  const error = failureOf(answer, outcome);
  const accepted = kind === 'send' && (outcome.kind === 'accepted' || outcome.kind === 'paid');
  if (error === null) await recordAnswer(db, { ...call, accepted });
  else await recordFailure(db, { ...call, startedAt, error });
  if (kind === 'send' && outcome.kind === 'failed' && outcome.reason === 'merchant_config')
    await recordRefusal(db, account.id, call.now, answer.error ?? `HTTP ${answer.status}`);
}

/**
 * Returns why a call counts as failed: no answer came, or the answer was HTTP 429 or 5xx and did not tell the outcome. Returns
 * null for all other answers, also for a refusal. Pure.
 */
function failureOf(answer: RawAnswer, outcome: Outcome): string | null {
  const { lost, status, error } = answer;
  if ((outcome.kind !== 'unknown' && outcome.kind !== 'not_sent') || refusesCredentials(answer)) return null;
  if (lost !== null || status === null) return error ?? 'no answer';
  if (status === TOO_MANY_REQUESTS) return 'HTTP 429: too many requests';
  return status >= SERVER_ERROR ? `HTTP ${status}` : null;
}
