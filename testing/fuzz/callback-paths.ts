import { findAccountById, openAccount } from '@/lib/providers/accounts/account-store';
import { PROVIDERS } from '@/lib/providers/registry';
import { makeAccount, type TestRuntime } from '@/testing/runtime';

const SANDBOX_ACCOUNT = '00000000-0000-7000-8000-5a0db0c00001';

/** Paths for callbacks, by provider. */
export type CallbackPaths = Readonly<Record<string, string>> & { readonly sandbox: string; readonly mpesa: string };

/** Adds an account at each provider, with the credentials of its simulator, so that adapters also check signatures. */
export async function callbackPaths(runtime: TestRuntime): Promise<CallbackPaths> {
  const paths = PROVIDERS.map(async ({ name, startSimulator }): Promise<[string, string]> => {
    const simulator = await startSimulator?.(runtime);
    await simulator?.stop();
    const credentials = JSON.stringify(simulator?.credentials ?? {});
    return [name, await callbackPath(runtime, (await makeAccount(runtime, { provider: name, credentials, callbackUrl: '' })).id)];
  });
  const { mpesa = '', ...others } = Object.fromEntries(await Promise.all(paths));
  return { ...others, mpesa, sandbox: await callbackPath(runtime, SANDBOX_ACCOUNT) };
}

async function callbackPath(runtime: TestRuntime, id: string): Promise<string> {
  const account = await findAccountById(runtime.db, id);
  if (!account) throw new Error(`there is no account ${id}`);
  return new URL(openAccount(runtime, account).callbackUrl).pathname;
}
