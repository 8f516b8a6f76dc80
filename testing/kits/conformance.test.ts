// @module-tag full

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';
import { type Receiver, startReceiver } from '@/testing/fakes/start-receiver';
import { type Product, startProduct } from '@/testing/product';
import { readCases } from './case';
import { type Driver, startDriver } from './driver';
import { isInstalled, LANGUAGES, PHP } from './languages';
import { testPlugin } from './plugin';
import { runCase, type Target } from './run-case';

const cases = readCases();
const rotated = z.object({ secret: z.string() });
const created = z.object({ apiKey: z.string(), apiSecret: z.string() });
let product: Product;
let receiver: Receiver & { stop(): Promise<void> };
let target: Target;
/** A key with every scope: a key may refund or record payments only if somebody chooses these scopes. */
let key: z.infer<typeof created>;
const built = mkdtempSync(join(tmpdir(), 'bili-kit-'));

beforeAll(async () => {
  [product, receiver] = await Promise.all([startProduct(), startReceiver()]);
  const { webhookSecret } = product.demo.sandbox;
  const scope = ['--merchant', 'duka-la-mfano', '--environment', 'sandbox'];
  await product.bili(['webhook', 'set', ...scope, '--url', receiver.url()]);
  const { secret } = rotated.parse(await product.bili(['webhook', 'rotate', ...scope]));
  key = created.parse(await product.bili(['key', 'create', ...scope, '--scopes', 'create,read,events,refund,record']));
  target = {
    url: product.sandboxUrl,
    client: { keyId: key.apiKey, secret: key.apiSecret, retryPauseMs: 20 },
    values: { run: crypto.randomUUID(), secrets: { old: webhookSecret, new: secret }, vector: readVector() },
    receiveWebhook: (billId) => receivedWebhook(billId),
  };
});

afterAll(async () => {
  await Promise.all([product?.dispose(), receiver?.stop()]);
  rmSync(built, { recursive: true, force: true });
});

describe.each(LANGUAGES)('the SDK for $name', (language) => {
  const installed = isInstalled(language);
  let driver: Driver | undefined;
  beforeAll(() => {
    if (installed) driver = startDriver(language.driver(built));
  });
  afterAll(() => driver?.stop());

  test.skipIf(!installed).each(cases)('$name', async (one) => {
    if (!driver) throw new Error(`${language.name} has no driver`);
    await runCase(one, driver, { ...target, values: { ...target.values, run: `${language.name}-${target.values.run}` } });
  });
});

test.skipIf(!isInstalled(PHP))('the WooCommerce plugin completes orders (PHP)', async () => {
  const printed = await testPlugin({ BILI_URL: product.sandboxUrl, BILI_KEY: key.apiKey, BILI_SECRET: key.apiSecret });
  expect(printed).toMatch(/^OK, \d+ passed$/m);
});

async function receivedWebhook(billId: string) {
  const find = () => receiver.received.find(({ body }) => body.includes(billId));
  await expect.poll(find).toBeDefined();
  return find();
}

/** Returns the request and the secret that docs/webhooks.md shows. */
function readVector() {
  const text = readFileSync(join(PROJECT_ROOT, 'docs', 'webhooks.md'), 'utf8');
  const [, head = '', body] = /```http\n([\s\S]*?)\n\n(.*)\n```/.exec(text) ?? [];
  const headers = Object.fromEntries([...head.matchAll(/^(webhook-\w+): (.*)$/gm)].map(([, name, value]) => [name, value]));
  return { secret: /whsec_MDEy[\w+/]*=*/.exec(text)?.[0], body, headers };
}
