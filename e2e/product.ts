import { test as base } from '@playwright/test';
import { type Product, startProduct } from '@/testing/product';
import { recordVisits } from './visits';

/**
 * A product is a running Bili with a database of its own. `product` is started once for each Playwright worker, and the worker's tests
 * share its database. `ownProduct` is started for one test, which needs a database without the data that other tests insert.
 */
export const test = base.extend<{ ownProduct: Product }, { product: Product }>({
  browser: [
    async ({ browser }, use, { workerIndex }) => {
      const store = recordVisits(browser, workerIndex);
      await use(browser);
      store();
    },
    { scope: 'worker' },
  ],
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern.
    async ({}, use) => {
      const product = await startProduct();
      await use(product);
      await product.dispose();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  async ownProduct({}, use) {
    const product = await startProduct();
    await use(product);
    await product.dispose();
  },
});

export const expect = test.expect;

export interface BillJson {
  readonly id: string;
  readonly status: string;
  readonly amount: number;
  readonly paidAmount: number;
  readonly webPayUrl: string;
}

/** Calls the API as the merchant's server, with the demo merchant's sandbox key. */
export function merchantServer({ demo }: Pick<Product, 'demo'>) {
  const { baseUrl, apiKey, apiSecret } = demo.sandbox;
  const headers = { authorization: `ApiKey ${apiKey}:${apiSecret}`, 'content-type': 'application/json' };
  return {
    async create(bill: { amount: number; reference: string; mobile?: string }): Promise<BillJson> {
      const response = await fetch(`${baseUrl}/api/v3/bills/create`, { method: 'POST', headers, body: JSON.stringify(bill) });
      if (!response.ok) throw new Error(`create answered ${response.status}: ${await response.text()}`);
      return response.json();
    },
    async get(id: string): Promise<BillJson> {
      const response = await fetch(`${baseUrl}/api/v3/bills/${id}`, { headers });
      if (!response.ok) throw new Error(`get answered ${response.status}: ${await response.text()}`);
      return response.json();
    },
  };
}
