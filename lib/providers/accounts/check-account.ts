import { randomUUID } from 'node:crypto';
import type { Random } from '@/lib/platform/core/clock';
import { newPaymentReference } from '@/lib/platform/core/ids';
import { isLoopback } from '@/lib/platform/core/loopback';
import { SENTI_PER_SHILLING } from '@/lib/platform/core/money';
import { isNetwork } from '@/lib/platform/core/network';
import type { Environment } from '@/lib/platform/core/scope';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import type { Outcome } from '@/lib/providers/port/outcome';
import type { ProviderAccount, ProviderAdapter, RawAnswer } from '@/lib/providers/port/port';
import type { ProviderRegistry } from '@/lib/providers/registry';
import { findAccountOfOther, listAccountsToComplete, openAccount } from './account-store';

type Needs = Pick<Runtime, 'db' | 'secrets' | 'settings' | 'log'> & { readonly providers: ProviderRegistry };

interface NewCredentials {
  readonly environment: Environment;
  /** The merchant that owns the account; null for the operator. */
  readonly merchantId: string | null;
  /** In the format of the provider. */
  readonly credentials: string;
}

/**
 * Refuses credentials of a till that an account of another owner has. Receipt numbers are unique only in the till of one owner, so with two
 * owners each payment would be booked twice. The other account may be disabled: it still counts if the ledger has payments of its till.
 * @returns a sentence that describes the problem, or null.
 */
export async function checkTill(
  runtime: Needs,
  adapter: Pick<ProviderAdapter, 'name' | 'tillOf' | 'addressOf'>,
  { environment, merchantId, credentials }: NewCredentials,
): Promise<string | null> {
  const till = adapter.tillOf(credentials);
  const tillIdentity = identityOf(adapter, { environment, credentials });
  if (till === null || tillIdentity === null) return null;
  await completeAccounts(runtime);
  const same = await findAccountOfOther(runtime.db, { provider: adapter.name, environment, merchantId, tillIdentity });
  if (!same) return null;
  const owner = same.merchant === null ? 'the operator' : `the merchant "${same.merchant}"`;
  return `The account "${same.label}" of ${owner} has ${till.shown}: if two owners have the same ${till.name}, each payment is booked twice.`;
}

/**
 * Returns the stored identity of a till; null if none is stored. The sandboxes of providers give the same business number to everybody, so
 * it identifies no till there. Each simulator on this machine is a provider of its own.
 */
export function identityOf(
  adapter: Pick<ProviderAdapter, 'tillOf' | 'addressOf'>,
  { environment, credentials }: { readonly environment: Environment; readonly credentials: string | null },
): string | null {
  const till = adapter.tillOf(credentials);
  if (till === null || (till.isBusinessNumber && environment === 'sandbox')) return null;
  const address = adapter.addressOf(credentials);
  return address !== null && isLoopback(address) ? `${till.key} at ${address.host}` : till.key;
}

/** Stores what older versions did not store of accounts: call limits and the identities of tills. Both come from the encrypted credentials. */
export async function completeAccounts(runtime: Needs): Promise<void> {
  for (const { lacksCallLimit, lacksIdentity, ...stored } of await listAccountsToComplete(runtime.db)) {
    try {
      const adapter = runtime.providers.find(stored.provider);
      if (!adapter) continue;
      const account = openAccount(runtime, stored);
      const accounts = runtime.db.prisma.providerAccount;
      if (lacksCallLimit) await accounts.updateMany({ where: { id: stored.id }, data: { callLimit: adapter.callsAtOnce(account) } });
      const identity = lacksIdentity ? identityOf(adapter, account) : null;
      if (identity !== null) await accounts.updateMany({ where: { id: stored.id, tillIdentity: null }, data: { tillIdentity: identity } });
    } catch (error) {
      // Such an account cannot be used. "bili doctor" reports it.
      runtime.log.error({ err: error, account: stored.id }, 'the credentials of an account cannot be read');
    }
  }
}

interface Addresses {
  readonly environment: Environment;
  /** The base of the environment's callback addresses. */
  readonly base: URL;
  /** The address of the provider; null if Bili simulates the provider. */
  readonly provider: URL | null;
}

/**
 * Checks that a live provider can reach the callback address over https. Plain HTTP would reveal the secret token in the address. Pure.
 * @returns a sentence that describes the problem, or null.
 */
export function checkCallbackAddress({ environment, base, provider }: Addresses): string | null {
  if (environment !== 'live' || provider === null || isLoopback(provider)) return null;
  if (base.protocol === 'https:' && !isLoopback(base)) return null;
  return `LIVE_BASE_URL is ${base.origin}, to which ${provider.host} cannot send callbacks securely: set it to the public https address of this installation first.`;
}

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
