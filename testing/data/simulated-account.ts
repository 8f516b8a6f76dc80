import { newId } from '@/lib/platform/core/ids';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { encryptCredentials, insertAccount } from '@/lib/providers/accounts/account-store';
import { findProvider, type ProviderRegistry } from '@/lib/providers/registry';
import { startTcpProxy, type TcpProxy } from '@/testing/fakes/tcp-proxy';
import { makeMerchant, type TestMerchant } from '@/testing/runtime';

/** What a tested provider account serves: `prefix` is the first digits of the phone numbers, and `network` is their network. */
export interface Served {
  readonly provider: string;
  readonly network: string;
  readonly prefix: string;
}

/** A live account at a simulated provider, and a merchant that uses the account. */
export interface SimulatedAccount {
  readonly id: string;
  readonly merchant: TestMerchant;
  readonly served: Served;
  /** Changes what the simulated provider does, by `POST /control`. Returns the times at which it accepted the payment requests so far. */
  control(change: object): Promise<readonly Date[]>;
  /** Stores the correct credentials for the account, after replacing some of them by `changes`. */
  setCredentials(changes: object): Promise<void>;
  readonly proxy: TcpProxy;
  stop(): Promise<void>;
}

/**
 * Starts the simulator of a provider behind a proxy, and adds a live account of the operator that uses it.
 * @param changes replace some of the correct credentials.
 */
export async function startSimulatedAccount(
  runtime: Runtime & { readonly providers: ProviderRegistry },
  served: Served,
  changes: object,
): Promise<SimulatedAccount> {
  const { db, clock, providers } = runtime;
  const simulator = await findProvider(served.provider)?.startSimulator?.(runtime);
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
