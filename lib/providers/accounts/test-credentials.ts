import type { Random } from '@/lib/core/clock';
import { newPaymentReference } from '@/lib/core/ids';
import { SENTI_PER_SHILLING } from '@/lib/core/money';
import type { Outcome } from '@/lib/providers/port/outcome';
import type { ProviderAccount, ProviderAdapter, RawAnswer } from '@/lib/providers/port/port';

const ANSWER_SHOWN = 200;

/** Asks a provider about a push that never was. Moves no money. @returns what came back, and what it means. */
export async function askAboutNothing(
  adapter: ProviderAdapter,
  account: ProviderAccount,
  random: Random,
  signal: AbortSignal,
): Promise<{ readonly answer: RawAnswer; readonly outcome: Outcome }> {
  const push = {
    reference: newPaymentReference(random),
    providerReference: null,
    mobile: '0750000000',
    network: 'other',
    amount: SENTI_PER_SHILLING,
    description: 'Test',
  } as const;
  const answer = await adapter.query(account, push, signal);
  return { answer, outcome: adapter.readStatus(answer, push) };
}

/**
 * Tests credentials: if the provider says that it does not know a push that never was, address, credentials and session are right.
 * @param adapter should have sessions of its own, so that the credentials are tested and not a session that is open already.
 * @returns null when they work, or what came instead.
 */
export async function testCredentials(adapter: ProviderAdapter, account: ProviderAccount, random: Random): Promise<string | null> {
  const { answer, outcome } = await askAboutNothing(adapter, account, random, new AbortController().signal);
  if (outcome.kind === 'not_found') return null;
  return answer.error ?? `HTTP ${answer.status}: ${new TextDecoder().decode(answer.body).slice(0, ANSWER_SHOWN)}`;
}
