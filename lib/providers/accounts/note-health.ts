import type { Outcome } from '@/lib/providers/port/outcome';
import type { ProviderAccount, ProviderAdapter, RawAnswer } from '@/lib/providers/port/port';
import type { Runtime } from '@/lib/runtime/runtime';
import { type CallKind, noteAnswered, noteUnanswered } from './health-store';

interface Ended {
  readonly account: Pick<ProviderAccount, 'id'>;
  readonly adapter: Pick<ProviderAdapter, 'simulatesFailures'>;
  readonly kind: CallKind;
  readonly answer: RawAnswer;
  readonly outcome: Outcome;
  readonly startedAt: Date;
}

const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR = 500;

/** Notes whether a provider has answered a call, for the account's health that all workers share. */
export async function noteHealth(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  { account, adapter, kind, answer, outcome, startedAt }: Ended,
): Promise<void> {
  if (adapter.simulatesFailures) return;
  const call = { accountId: account.id, kind, now: clock() };
  const error = failureOf(answer, outcome);
  if (error === null) await noteAnswered(db, call);
  else await noteUnanswered(db, { ...call, startedAt, error });
}

/** @returns why a call counts as not answered; null when the provider answered it, whatever it said. Pure. */
function failureOf({ lost, status, error }: RawAnswer, outcome: Outcome): string | null {
  if (outcome.kind !== 'unknown' && outcome.kind !== 'not_sent') return null;
  if (lost !== null || status === null) return error ?? 'no answer';
  return status >= SERVER_ERROR || status === TOO_MANY_REQUESTS ? `HTTP ${status}` : null;
}
