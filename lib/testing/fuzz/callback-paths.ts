import { findAccountById } from '@/lib/providers/accounts/account-store';
import { openAccount } from '@/lib/providers/accounts/accounts';
import { SIMULATORS } from '@/lib/providers/simulators';
import { makeAccount, type TestRuntime } from '../runtime';
import type { SampledProvider } from './callback-samples';

const SANDBOX_ACCOUNT = '00000000-0000-7000-8000-5a0db0c00001';

/** Paths for callbacks, by provider. */
export type CallbackPaths = Readonly<Record<'sandbox' | SampledProvider, string>>;

/** Adds an account at each provider, with the credentials of its simulator, so that adapters also check signatures. */
export async function callbackPaths(runtime: TestRuntime): Promise<CallbackPaths> {
  const pathOf = async (provider: SampledProvider) => {
    const simulator = await SIMULATORS[provider]?.start(runtime);
    await simulator?.stop();
    const credentials = JSON.stringify(simulator?.credentials ?? {});
    return callbackPath(runtime, (await makeAccount(runtime, { provider, credentials, callbackUrl: '' })).id);
  };
  return {
    sandbox: await callbackPath(runtime, SANDBOX_ACCOUNT),
    mpesa: await pathOf('mpesa'),
    snippe: await pathOf('snippe'),
    clickpesa: await pathOf('clickpesa'),
    mixx: await pathOf('mixx'),
    pawapay: await pathOf('pawapay'),
    azampay: await pathOf('azampay'),
    airtel: await pathOf('airtel'),
    selcom: await pathOf('selcom'),
  };
}

async function callbackPath(runtime: TestRuntime, id: string): Promise<string> {
  const account = await findAccountById(runtime.db, id);
  if (!account) throw new Error(`there is no account ${id}`);
  return new URL(openAccount(runtime, account).callbackUrl).pathname;
}
