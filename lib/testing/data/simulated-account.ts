import { newId } from '@/lib/core/ids';
import { insertAccount } from '@/lib/providers/accounts/account-store';
import { encryptCredentials } from '@/lib/providers/accounts/accounts';
import type { ProviderRegistry } from '@/lib/providers/registry';
import { SIMULATORS } from '@/lib/providers/simulators';
import type { Runtime } from '@/lib/runtime/runtime';
import { startTcpProxy, type TcpProxy } from '../fakes/tcp-proxy';
import { makeMerchant, type TestMerchant } from '../runtime';

/** Where an account of a provider is tested: the first digits of the numbers that it serves, and their network. */
export interface Served {
  readonly provider: string;
  readonly network: string;
  readonly prefix: string;
}

/** An account in live at a simulated provider, with a merchant that uses it. */
export interface SimulatedAccount {
  readonly id: string;
  readonly merchant: TestMerchant;
  readonly served: Served;
  /** Changes the simulated provider, as `POST /control` does. Returns when it took each payment request. */
  control(change: object): Promise<readonly Date[]>;
  /** Replaces the credentials of the account by the right ones, with these changes. */
  setCredentials(changes: object): Promise<void>;
  readonly proxy: TcpProxy;
  stop(): Promise<void>;
}

/** Starts the simulator of a provider behind a proxy, and adds an account of the operator in live that uses it. @param changes of its credentials. */
export async function startSimulatedAccount(
  runtime: Runtime & { readonly providers: ProviderRegistry },
  served: Served,
  changes: object,
): Promise<SimulatedAccount> {
  const { db, clock, providers } = runtime;
  const simulator = await SIMULATORS[served.provider]?.start(runtime);
  if (!simulator) throw new Error(`there is no simulator of ${served.provider}`);
  const proxy = await startTcpProxy(Number(new URL(simulator.url).port));
  const merchant = await makeMerchant(runtime);
  const id = newId(runtime);
  const write = (change: object) =>
    JSON.stringify({ ...simulator.credentials, ...change }).replaceAll(simulator.url, `http://127.0.0.1:${proxy.port}`);
  const about = { environment: 'live', provider: served.provider, networks: [served.network] } as const;
  const credentials = write(changes);
  await insertAccount(db, {
    ...about,
    id,
    merchantId: null,
    label: 'Till',
    encryptedCredentials: encryptCredentials(runtime, id, credentials),
    callsPerMinute: providers.find(served.provider)?.callsPerMinute({ ...about, id, credentials, callbackUrl: '' }) ?? null,
    createdAt: clock(),
  });
  return {
    id,
    merchant,
    served,
    proxy,
    async control(change) {
      const answer = await fetch(`${simulator.url}/control`, { method: 'POST', body: JSON.stringify(change) });
      const { payments }: { payments: { takenAt: number }[] } = await answer.json();
      return payments.map(({ takenAt }) => new Date(takenAt));
    },
    async setCredentials(change) {
      const encrypted = encryptCredentials(runtime, id, write(change));
      await db.query({ text: 'UPDATE provider_account SET encrypted_credentials = $2 WHERE id = $1' }, [id, encrypted]);
    },
    async stop() {
      proxy.close();
      await simulator.stop();
    },
  };
}
