import type { Random } from '@/lib/core/clock';
import { newPaymentReference } from '@/lib/core/ids';
import { SENTI_PER_SHILLING } from '@/lib/core/money';
import type { ProviderAccount, ProviderAdapter } from '@/lib/providers/port';

const ANSWER_SHOWN = 200;

/**
 * Asks the provider about a push that never was: if it says so, address, credentials and session are right. Moves no money.
 * @param adapter should have sessions of its own, so that the credentials are tested and not a session that is open already.
 * @returns null when they work, or what came instead.
 */
export async function testCredentials(adapter: ProviderAdapter, account: ProviderAccount, random: Random): Promise<string | null> {
  const push = {
    reference: newPaymentReference(random),
    providerReference: null,
    mobile: '0750000000',
    network: 'other',
    amount: SENTI_PER_SHILLING,
    description: 'Test',
  } as const;
  const answer = await adapter.query(account, push, new AbortController().signal);
  if (adapter.readStatus(answer, push).kind === 'not_found') return null;
  return answer.error ?? `HTTP ${answer.status}: ${new TextDecoder().decode(answer.body).slice(0, ANSWER_SHOWN)}`;
}
