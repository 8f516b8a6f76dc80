import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Network } from '@/lib/platform/core/network';
import { startMpesaSimulator } from '@/lib/providers/mpesa/simulator';
import { findProvider } from '@/lib/providers/registry';
import { startTcpProxy } from '@/testing/fakes/tcp-proxy';
import type { Product } from '@/testing/product';
import type { TestMerchant } from './people';

const addedSchema = z.object({ id: z.string(), callbackUrl: z.string() });
const accountsSchema = z.array(z.object({ id: z.string(), failures: z.number() }));
/** What `GET /control` of a simulator returns. Only the simulator of M-Pesa lists payments as `transactions`. */
const shownSchema = z.object({
  payments: z.array(z.object({ mobile: z.string() })).default([]),
  transactions: z.array(z.object({ msisdn: z.string() })).default([]),
  complaints: z.array(z.unknown()).default([]),
});

/** How many last digits identify a phone number. Providers write the number with or without the country code. */
const SIGNIFICANT_DIGITS = 9;

/** A merchant's account at a simulated provider, which is reached through a proxy. */
export type Route = Awaited<ReturnType<typeof startRoute>>;

interface RouteOptions {
  readonly merchant: TestMerchant;
  readonly provider: string;
  readonly network: Network;
}

/** Starts a simulated provider and adds an account of the merchant there. */
export async function startRoute(product: Product, { merchant, provider, network }: RouteOptions) {
  const simulator = await startSimulator(provider);
  const proxy = await startTcpProxy(Number(new URL(simulator.url).port));
  const config = join(product.dataDir, `${merchant.slug}-${network}-${provider}.json`);
  await writeFile(config, JSON.stringify(simulator.credentials).replaceAll(simulator.url, `http://127.0.0.1:${proxy.port}`));
  const owner = ['--merchant', merchant.slug, '--environment', 'sandbox'];
  const added = await product.bili(['provider', 'add', ...owner, '--type', provider, '--networks', network, '--config', config]);
  const { id, callbackUrl } = addedSchema.parse(added);

  async function control(change?: object) {
    const init = change && { method: 'POST', body: JSON.stringify(change) };
    const answer = await fetch(`${simulator.url}/control`, init);
    if (!answer.ok) throw new Error(`the simulator answered ${answer.status}: ${await answer.text()}`);
    return shownSchema.parse(await answer.json());
  }
  await control({ callbackUrl });

  return {
    provider,
    id,
    /** Changes the behaviour of the simulated provider. */
    control,
    /** Returns the mistakes of Bili that the simulated provider noticed: with a real provider they would cost money. */
    complaints: async () => (await control()).complaints,
    /** Refuses connections, or passes them to the simulator. */
    accept: proxy.accept,
    /** The phones that got a prompt, in the order of their prompts. */
    async prompted(): Promise<string[]> {
      const { payments, transactions } = await control();
      const mobiles = [...payments.map(({ mobile }) => mobile), ...transactions.map(({ msisdn }) => msisdn)];
      return mobiles.map((mobile) => `0${mobile.slice(-SIGNIFICANT_DIGITS)}`);
    },
    /** Returns how many calls in a row the provider has not answered. */
    async failures(): Promise<number | undefined> {
      return accountsSchema.parse(await product.bili(['provider', 'list'])).find((account) => account.id === id)?.failures;
    },
    /** The operator confirms that the account works again. */
    confirm: () => product.bili(['provider', 'update', id, '--config', config]),
    async stop(): Promise<void> {
      proxy.close();
      await simulator.stop();
    },
  };
}

/** Starts a simulator whose customers answer within a tenth of a second. */
function startSimulator(provider: string) {
  const options = { clock: () => new Date(), random: (count: number) => new Uint8Array(randomBytes(count)), delayFactor: 0.1 };
  if (provider === 'mpesa') return startMpesaSimulator({ ...options, mode: 'async', keyBits: 2048 });
  const start = findProvider(provider)?.startSimulator;
  if (!start) throw new Error(`there is no simulator of ${provider}`);
  return start(options);
}
