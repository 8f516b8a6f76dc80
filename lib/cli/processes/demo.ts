import { join } from 'node:path';
import { createMerchant } from '@/lib/backoffice/merchants/create-merchant';
import { signPhonePath } from '@/lib/backoffice/phones/phone-link';
import { formatSecret } from '@/lib/gateway/webhooks/rules';
import { makePassword } from '@/lib/identity/accounts/passwords/password';
import { hashSecret, makeKeyPair } from '@/lib/identity/keys/rules';
import { readJson, writePrivateJson } from '@/lib/platform/config/data-dir';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { type DemoCredentials, isPrivate, type StoredDemo } from './welcome';

const NAME = 'Duka la Mfano';
const EMAIL = 'demo@example.com';

/** Does the same as `findOrCreateDemo`, and adds the address of the demo merchant's test phones. */
export async function ensureDemo(runtime: Runtime): Promise<DemoCredentials | undefined> {
  const demo = await findOrCreateDemo(runtime);
  if (!demo) return undefined;
  const key = await runtime.db.prisma.apiKey.findUnique({ where: { id: demo.sandbox.apiKey }, select: { merchantId: true } });
  const phones = key && runtime.settings.SANDBOX_BASE_URL.origin + (await signPhonePath(runtime, key.merchantId));
  return { ...demo, sandbox: { ...demo.sandbox, phones } };
}

/**
 * Creates the demo merchant if the database has no merchant and Bili is reachable only from this machine. It writes the credentials to a
 * file first, so that a start after a crash uses the same ones. Returns them, or undefined if there is no demo merchant or no file.
 */
async function findOrCreateDemo(runtime: Runtime): Promise<StoredDemo | undefined> {
  const { settings, random, db } = runtime;
  const path = join(settings.DATA_DIR, 'demo-credentials.json');
  const written = await readJson(path);
  const stored = isDemo(written) ? written : undefined;
  const addresses = { baseUrl: settings.SANDBOX_BASE_URL.origin, url: settings.LIVE_BASE_URL.origin };
  if ((await db.prisma.merchant.count()) > 0) {
    if (!stored) return undefined;
    const current = { sandbox: { ...stored.sandbox, baseUrl: addresses.baseUrl }, dashboard: { ...stored.dashboard, url: addresses.url } };
    if (JSON.stringify(current) !== JSON.stringify(stored)) await writePrivateJson(path, current);
    return current;
  }
  if (!isPrivate(settings)) return undefined;

  const key = makeKeyPair('sandbox', random);
  const demo: StoredDemo = stored ?? {
    sandbox: { baseUrl: addresses.baseUrl, apiKey: key.id, apiSecret: key.secret, webhookSecret: formatSecret(random(32)) },
    dashboard: { url: addresses.url, email: EMAIL, password: makePassword(random) },
  };
  await writePrivateJson(path, demo);
  const created = await createMerchant(runtime, {
    name: NAME,
    email: demo.dashboard.email,
    live: 'pending',
    chosen: {
      password: demo.dashboard.password,
      webhookSecret: demo.sandbox.webhookSecret,
      key: { id: demo.sandbox.apiKey, secretHash: new Uint8Array(hashSecret(demo.sandbox.apiSecret)) },
    },
  });
  if (!created.ok) throw new Error(`the demo merchant could not be created: ${created.error}`);
  return demo;
}

function isDemo(value: unknown): value is StoredDemo {
  return typeof value === 'object' && value !== null && 'sandbox' in value && 'dashboard' in value;
}
