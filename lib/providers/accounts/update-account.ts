import { recordEntry } from '@/lib/audit/record-entry';
import { baseUrl } from '@/lib/config/settings';
import type { Actor } from '@/lib/core/actor';
import { isUuid } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import type { ProviderAccount } from '@/lib/providers/port/port';
import type { ProviderRegistry } from '@/lib/providers/registry';
import type { Runtime } from '@/lib/runtime/runtime';
import { findServingAccount, replaceCredentials } from './account-store';
import { encryptCredentials, openAccount } from './accounts';
import { checkCallbackAddress } from './check-callback-address';
import { checkTill, identityOf } from './check-till';
import { resetFailures } from './health-store';
import { testCredentials } from './test-credentials';

interface UpdateAccountOptions {
  readonly id: string;
  /** In the format of the provider. */
  readonly credentials: string;
  readonly actor: Actor;
}

/**
 * Replaces the credentials of an active account. Its id, callback address and queued attempts stay. Workers open new sessions with the
 * provider. The new credentials are tested first. If the provider refuses them, the current ones stay in use.
 * @param runtime its adapters should keep provider sessions in a store of their own, see `testCredentials`.
 * @returns the account, or one sentence for each problem.
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
  const addressProblem = checkCallbackAddress({
    environment,
    base: baseUrl(runtime.settings, environment),
    provider: adapter.addressOf(credentials),
  });
  if (addressProblem !== null) return fail([addressProblem]);
  const [till, newTill] = [adapter.tillOf(openAccount(runtime, stored).credentials), adapter.tillOf(credentials)];
  if (till?.isBusinessNumber && till.key !== newTill?.key)
    return fail([`These credentials are for ${newTill?.shown}, the account is for ${till.shown}: add another account.`]);
  const tillProblem = await checkTill(runtime, adapter, { environment, merchantId, credentials });
  if (tillProblem !== null) return fail([tillProblem]);

  const account = openAccount(runtime, { ...stored, encryptedCredentials: encryptCredentials(runtime, id, credentials) });
  const testProblem = await testCredentials(adapter, account, runtime.random);
  if (testProblem !== null)
    return fail([`The provider does not accept these credentials, so the current ones stay in use: ${testProblem}`]);

  const updated = await runtime.db.transaction(async (tx) => {
    const encryptedCredentials = encryptCredentials(runtime, id, credentials);
    if (
      !(await replaceCredentials(tx, id, {
        encryptedCredentials,
        tillIdentity: identityOf(adapter, account),
        callLimit: adapter.callsAtOnce(account),
        callsPerMinute: adapter.callsPerMinute(account),
      }))
    )
      return false;
    await resetFailures(tx, id);
    const about = { merchantId, environment, actor, action: 'provider_account.updated', subject: id };
    await recordEntry(runtime, { ...about, data: { provider: stored.provider } }, tx);
    return true;
  });
  return updated ? ok(account) : fail([`The account ${id} has been disabled. Add a new one.`]);
}
