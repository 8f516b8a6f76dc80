import { randomUUID } from 'node:crypto';
import type { Random } from '@/lib/core/clock';
import { newPaymentReference } from '@/lib/core/ids';
import { SENTI_PER_SHILLING } from '@/lib/core/money';
import { isNetwork } from '@/lib/core/network';
import type { Outcome } from '@/lib/providers/port/outcome';
import type { ProviderAccount, ProviderAdapter, RawAnswer } from '@/lib/providers/port/port';

const SHOWN_CHARACTERS = 200;

/** Sends a status query with a new, unknown reference. Moves no money. @returns the answer and its outcome. */
export async function queryUnknownReference(
  adapter: ProviderAdapter,
  account: ProviderAccount,
  random: Random,
  signal: AbortSignal,
): Promise<{ readonly answer: RawAnswer; readonly outcome: Outcome }> {
  const request = {
    reference: newPaymentReference(random),
    // Some providers find a payment only by the provider's own id, which is a UUID.
    providerReference: randomUUID(),
    mobile: '0750000000',
    // Some providers ask for the network, and refuse a network that they do not serve.
    network: account.networks.find(isNetwork) ?? 'other',
    amount: SENTI_PER_SHILLING,
    description: 'Test',
  } as const;
  const answer = await adapter.query(account, request, signal);
  return { answer, outcome: adapter.readStatus(answer, request) };
}

/**
 * Tests credentials by a status query with a new reference. If the provider answers that it does not know the reference, then the address
 * and the credentials are right.
 * @param adapter should keep its provider sessions in a store of its own (`createPrivateSessions`). If it used a session that another
 *   worker has opened with the provider, the test would pass even with wrong credentials.
 * @returns null if the credentials work, else the error.
 */
export async function testCredentials(adapter: ProviderAdapter, account: ProviderAccount, random: Random): Promise<string | null> {
  const { answer, outcome } = await queryUnknownReference(adapter, account, random, new AbortController().signal);
  if (outcome.kind === 'not_found') return null;
  return answer.error ?? `HTTP ${answer.status}: ${new TextDecoder().decode(answer.body).slice(0, SHOWN_CHARACTERS)}`;
}
