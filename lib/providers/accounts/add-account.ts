import { recordEntry } from '@/lib/audit/record-entry';
import { baseUrl } from '@/lib/config/settings';
import type { Actor } from '@/lib/core/actor';
import { newId } from '@/lib/core/ids';
import type { Network } from '@/lib/core/network';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Environment } from '@/lib/core/scope';
import type { ProviderAccount } from '@/lib/providers/port/port';
import type { ProviderRegistry } from '@/lib/providers/registry';
import type { Runtime } from '@/lib/runtime/runtime';
import { findConflictingAccount, insertAccount } from './account-store';
import { encryptCredentials, openAccount } from './accounts';
import { checkCallbackAddress } from './check-callback-address';
import { checkTill, identityOf } from './check-till';

interface AddAccountOptions {
  readonly provider: string;
  readonly environment: Environment;
  /** The merchant that owns the account; null for an account of the operator, which serves merchants without an account of their own. */
  readonly merchantId: string | null;
  readonly label: string;
  /** The networks that the account serves; null for all networks of the provider. */
  readonly networks: readonly Network[] | null;
  /** In the format of the provider. */
  readonly credentials: string;
  readonly actor: Actor;
}

/** Adds an account at a provider, with encrypted credentials. @returns the account, or one sentence for each problem. */
export async function addAccount(
  runtime: Runtime & { readonly providers: ProviderRegistry },
  { provider, environment, merchantId, label, networks: chosen, credentials, actor }: AddAccountOptions,
): Promise<Result<ProviderAccount, readonly string[]>> {
  const adapter = runtime.providers.find(provider);
  if (!adapter) return fail([`There is no provider "${provider}".`]);
  const problems = adapter.checkCredentials(credentials, environment);
  if (problems.length > 0) return fail(problems);
  const base = baseUrl(runtime.settings, environment);
  const addressProblem = checkCallbackAddress({ environment, base, provider: adapter.addressOf(credentials) });
  if (addressProblem !== null) return fail([addressProblem]);
  const tillProblem = await checkTill(runtime, adapter, { environment, merchantId, credentials });
  if (tillProblem !== null) return fail([tillProblem]);
  const possible = adapter.capabilities.networks;
  const impossible = chosen?.filter((network) => !possible.includes(network)) ?? [];
  if (impossible.length > 0) return fail([`${provider} cannot serve ${impossible.join(', ')}: it serves ${possible.join(', ')}.`]);
  const networks = possible.filter((network) => chosen?.includes(network) ?? true);
  if (networks.length === 0) return fail(['An account must serve at least one network.']);
  const conflicting = await findConflictingAccount(runtime.db, { environment, merchantId, provider, networks });
  if (conflicting) {
    const both = networks.filter((network) => conflicting.networks.includes(network));
    return fail([`The account "${conflicting.label}" already serves ${both.join(', ')}: disable it first.`]);
  }

  const id = newId(runtime);
  const encryptedCredentials = encryptCredentials(runtime, id, credentials);
  const opened = openAccount(runtime, { id, environment, provider, networks, encryptedCredentials });
  const read = {
    tillIdentity: identityOf(adapter, opened),
    callLimit: adapter.callsAtOnce(opened),
    callsPerMinute: adapter.callsPerMinute(opened),
  };
  const account = { id, environment, merchantId, provider, label, networks, encryptedCredentials, ...read, createdAt: runtime.clock() };
  await runtime.db.transaction(async (tx) => {
    await insertAccount(tx, account);
    const about = { merchantId, environment, actor, action: 'provider_account.added', subject: id };
    await recordEntry(runtime, { ...about, data: { provider, networks } }, tx);
  });
  return ok(opened);
}
