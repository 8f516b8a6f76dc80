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
import { findRival, insertAccount } from './account-store';
import { openAccount, sealCredentials } from './accounts';
import { checkCallbackAddress } from './check-callback-address';
import { checkShortcode } from './check-shortcode';

interface AddAccountOptions {
  readonly provider: string;
  readonly environment: Environment;
  /** Whose own it is; null for the operator's, which serves every merchant without one. */
  readonly merchantId: string | null;
  readonly label: string;
  /** Whose customers it asks; null for all that the provider can. */
  readonly networks: readonly Network[] | null;
  /** In the provider's own form. */
  readonly credentials: string;
  readonly actor: Actor;
}

/** Adds an account at a provider; its credentials are stored encrypted. @returns it, or a sentence for each thing that is wrong. */
export async function addAccount(
  runtime: Runtime & { readonly providers: ProviderRegistry },
  { provider, environment, merchantId, label, networks: chosen, credentials, actor }: AddAccountOptions,
): Promise<Result<ProviderAccount, readonly string[]>> {
  const adapter = runtime.providers.find(provider);
  if (!adapter) return fail([`There is no provider "${provider}".`]);
  const problems = adapter.checkCredentials(credentials, environment);
  if (problems.length > 0) return fail(problems);
  const base = baseUrl(runtime.settings, environment);
  const unreachable = checkCallbackAddress({ environment, base, provider: adapter.addressOf(credentials) });
  if (unreachable !== null) return fail([unreachable]);
  const shared = await checkShortcode(runtime, adapter, { environment, merchantId, credentials });
  if (shared !== null) return fail([shared]);
  const possible = adapter.capabilities.networks;
  const impossible = chosen?.filter((network) => !possible.includes(network)) ?? [];
  if (impossible.length > 0) return fail([`${provider} cannot serve ${impossible.join(', ')}: it serves ${possible.join(', ')}.`]);
  const networks = possible.filter((network) => chosen?.includes(network) ?? true);
  if (networks.length === 0) return fail(['An account must serve at least one network.']);
  const rival = await findRival(runtime.db, { environment, merchantId, networks });
  if (rival) {
    const both = networks.filter((network) => rival.networks.includes(network));
    return fail([`The account "${rival.label}" serves ${both.join(', ')} already: disable it first.`]);
  }

  const id = newId(runtime);
  const encryptedCredentials = sealCredentials(runtime, id, credentials);
  const opened = openAccount(runtime, { id, environment, provider, networks, encryptedCredentials });
  const callLimit = adapter.callsAtOnce(opened);
  const account = { id, environment, merchantId, provider, label, networks, encryptedCredentials, callLimit, createdAt: runtime.clock() };
  await runtime.db.transaction(async (tx) => {
    await insertAccount(tx, account);
    const about = { merchantId, environment, actor, action: 'provider_account.added', subject: id };
    await recordEntry(runtime, { ...about, data: { provider, networks } }, tx);
  });
  return ok(opened);
}
