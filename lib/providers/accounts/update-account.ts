import { recordEntry } from '@/lib/audit/record-entry';
import { baseUrl } from '@/lib/config/settings';
import type { Actor } from '@/lib/core/actor';
import { isUuid } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import type { ProviderAccount } from '@/lib/providers/port/port';
import type { ProviderRegistry } from '@/lib/providers/registry';
import type { Runtime } from '@/lib/runtime/runtime';
import { findServingAccount, replaceCredentials } from './account-store';
import { openAccount, sealCredentials } from './accounts';
import { checkCallbackAddress } from './check-callback-address';
import { checkShortcode } from './check-shortcode';
import { forgetFailures } from './health-store';
import { testCredentials } from './test-credentials';

interface UpdateAccountOptions {
  readonly id: string;
  /** In the provider's own form. */
  readonly credentials: string;
  readonly actor: Actor;
}

/**
 * Replaces the credentials of an account that stays in use: id, callback address and queues stay, and workers open new sessions.
 * The provider is asked first; credentials that it refuses are not taken, and the present ones stay.
 * @param runtime its providers should have sessions of their own.
 * @returns the account, or a sentence for each thing that is wrong.
 */
export async function updateAccount(
  runtime: Runtime & { readonly providers: ProviderRegistry },
  { id, credentials, actor }: UpdateAccountOptions,
): Promise<Result<ProviderAccount, readonly string[]>> {
  const stored = isUuid(id) ? await findServingAccount(runtime.db, id) : undefined;
  const adapter = stored && runtime.providers.find(stored.provider);
  if (!stored || !adapter) return fail([`There is no active account ${id}; "bili provider list" shows all.`]);
  const { environment, merchantId } = stored;
  const problems = adapter.checkCredentials(credentials, environment);
  if (problems.length > 0) return fail(problems);
  const unreachable = checkCallbackAddress({
    environment,
    base: baseUrl(runtime.settings, environment),
    provider: adapter.addressOf(credentials),
  });
  if (unreachable !== null) return fail([unreachable]);
  const shortcodes = [openAccount(runtime, stored).credentials, credentials].map((text) => adapter.shortcodeOf(text));
  if (shortcodes[0] !== shortcodes[1])
    return fail([`These credentials are for the shortcode ${shortcodes[1]}, the account is for ${shortcodes[0]}: add another account.`]);
  const shared = await checkShortcode(runtime, adapter, { environment, merchantId, credentials });
  if (shared !== null) return fail([shared]);

  const account = openAccount(runtime, { ...stored, encryptedCredentials: sealCredentials(runtime, id, credentials) });
  const refusal = await testCredentials(adapter, account, runtime.random);
  if (refusal !== null) return fail([`The provider does not accept these credentials, so the present ones stay: ${refusal}`]);

  const updated = await runtime.db.transaction(async (tx) => {
    const encryptedCredentials = sealCredentials(runtime, id, credentials);
    if (!(await replaceCredentials(tx, id, { encryptedCredentials, callLimit: adapter.callsAtOnce(account) }))) return false;
    await forgetFailures(tx, id);
    const about = { merchantId, environment, actor, action: 'provider_account.updated', subject: id };
    await recordEntry(runtime, { ...about, data: { provider: stored.provider } }, tx);
    return true;
  });
  return updated ? ok(account) : fail([`The account ${id} was disabled meanwhile.`]);
}
