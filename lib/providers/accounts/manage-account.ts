import { recordEntry } from '@/lib/identity/audit/record-entry';
import { baseUrl } from '@/lib/platform/config/settings';
import type { Actor } from '@/lib/platform/core/actor';
import { isUuid, newId } from '@/lib/platform/core/ids';
import type { Network } from '@/lib/platform/core/network';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Environment } from '@/lib/platform/core/scope';
import { visibleLine } from '@/lib/platform/core/text';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import type { ProviderAccount } from '@/lib/providers/port/port';
import type { ProviderRegistry } from '@/lib/providers/registry';
import { encryptCredentials, findAccountById, findServingAccount, insertAccount, openAccount } from './account-store';
import { checkCallbackAddress, checkTill, identityOf, testCredentials } from './check-account';

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
  const conflicting = await runtime.db.prisma.providerAccount.findFirst({
    where: { environment, merchantId, provider, networks: { hasSome: networks }, disabledAt: null },
    select: { label: true, networks: true },
  });
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
    const { count } = await tx.prisma.providerAccount.updateMany({
      where: { id, disabledAt: null },
      data: {
        encryptedCredentials: encryptCredentials(runtime, id, credentials),
        tillIdentity: identityOf(adapter, account),
        callLimit: adapter.callsAtOnce(account),
        callsPerMinute: adapter.callsPerMinute(account),
        // The new credentials were tested, so the account is called without a pause.
        refusals: 0,
        avoidUntil: null,
      },
    });
    if (count === 0) return false;
    await tx.prisma.providerHealth.updateMany({ where: { accountId: id }, data: { failures: 0, failingSince: null, restUntil: null } });
    const about = { merchantId, environment, actor, action: 'provider_account.updated', subject: id };
    await recordEntry(runtime, { ...about, data: { provider: stored.provider } }, tx);
    return true;
  });
  return updated ? ok(account) : fail([`The account ${id} has been disabled. Add a new one.`]);
}

/**
 * Disables an account for new attempts. Bili still queries open attempts, and still processes callbacks.
 * @returns false if there is no such account, or if it is already disabled.
 */
export async function disableAccount(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { id, actor }: { id: string; actor: Actor },
): Promise<boolean> {
  if (!isUuid(id)) return false;
  return runtime.db.transaction(async (tx) => {
    const [disabled] = await tx.prisma.providerAccount.updateManyAndReturn({
      where: { id, disabledAt: null },
      data: { disabledAt: runtime.clock() },
      select: { merchantId: true, environment: true },
    });
    if (!disabled) return false;
    await recordEntry(runtime, { ...disabled, actor, action: 'provider_account.disabled', subject: id }, tx);
    return true;
  });
}

interface SetRouteOptions {
  readonly environment: Environment;
  /** The owner of the accounts; null for the operator. */
  readonly merchantId: string | null;
  readonly network: Network;
  /** The accounts in the order in which they are tried. The owner's other accounts come after them. */
  readonly accountIds: readonly string[];
  readonly actor: Actor;
}

/** Sets the order in which an owner's accounts are tried for a network. The new order counts from the next payment request on. */
export async function setRoute(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { environment, merchantId, network, accountIds, actor }: SetRouteOptions,
): Promise<Result<null, string>> {
  if (new Set(accountIds).size < accountIds.length) return fail('An account is named twice.');
  const accounts = await runtime.db.prisma.providerAccount.findMany({
    where: { id: { in: accountIds.filter(isUuid) }, environment, merchantId, disabledAt: null },
    select: { id: true, networks: true },
  });
  for (const id of accountIds) {
    const account = accounts.find((one) => one.id === id);
    if (!account) return fail(`There is no active account ${id} of this owner in ${environment}; "bili provider list" shows all.`);
    if (!account.networks.includes(network)) return fail(`The account ${id} does not serve ${network}.`);
  }
  await runtime.db.transaction(async (tx) => {
    await tx.prisma.providerRoute.deleteMany({ where: { network, account: { environment, merchantId } } });
    await tx.prisma.providerRoute.createMany({ data: accountIds.map((accountId, position) => ({ accountId, network, position })) });
    const data = { network, accounts: [...accountIds] };
    await recordEntry(runtime, { merchantId, environment, actor, action: 'provider_route.set', subject: network, data }, tx);
  });
  return ok(null);
}

/** No network shows a longer name in a prompt. */
const PROMPT_NAME_MAX = 40;

interface SetPromptNameOptions {
  readonly id: string;
  /** The name as it appears on customers' phones; null if it is not known. */
  readonly name: string | null;
  readonly actor: Actor;
}

/**
 * Sets the name that an account's prompts show as the receiver of the money. The payment page tells customers to expect this name.
 * @returns the stored name, or one sentence about the problem.
 */
export async function setPromptName(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { id, name, actor }: SetPromptNameOptions,
): Promise<Result<string | null, string>> {
  const promptName = name === null ? null : visibleLine(name);
  if (promptName === '') return fail('The name is empty.');
  if (promptName !== null && promptName.length > PROMPT_NAME_MAX) return fail(`The name is longer than ${PROMPT_NAME_MAX} characters.`);
  const changed = await runtime.db.transaction(async (tx) => {
    const [owner] = isUuid(id)
      ? await tx.prisma.providerAccount.updateManyAndReturn({
          where: { id, disabledAt: null },
          data: { promptName },
          select: { merchantId: true, environment: true },
        })
      : [];
    if (owner)
      await recordEntry(runtime, { ...owner, actor, action: 'provider_account.prompt_name_set', subject: id, data: { promptName } }, tx);
    return owner !== undefined;
  });
  return changed ? ok(promptName) : fail(`There is no active account ${id}; "bili provider list" shows all.`);
}

/**
 * Tests the credentials of an account at its provider. Moves no money.
 * @returns null if the credentials work, else the error. Fails with `not_found` if there is no such account, and with `simulated` if its
 *   provider is the simulator in the worker, which has no fixed address to call.
 */
export async function checkAccount(
  runtime: Runtime & { readonly providers: ProviderRegistry },
  id: string,
): Promise<Result<string | null, 'not_found' | 'simulated'>> {
  const stored = isUuid(id) ? await findAccountById(runtime.db, id) : undefined;
  const adapter = stored && runtime.providers.find(stored.provider);
  if (!stored || !adapter) return fail('not_found');
  if (adapter.simulatesFailures) return fail('simulated');
  return ok(await testCredentials(adapter, openAccount(runtime, stored), runtime.random));
}
