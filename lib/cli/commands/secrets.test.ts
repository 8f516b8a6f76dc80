import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { QUEUED_MAIL } from '@/testing/data/encrypted-values';
import { startProgram } from '@/testing/process';
import { type Product, startProduct } from '@/testing/product';
import { runCommand } from '@/testing/run-command';
import { makeAccount, makeMerchant, TEST_SECRET_KEY, testRuntime } from '@/testing/runtime';

const runtime = testRuntime(QUEUED_MAIL);
const NEXT = Buffer.alloc(32, 8).toString('base64');
const LOST = Buffer.alloc(32, 9).toString('base64');

/** Runs a command with master keys. */
async function bili(keys: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const { code, stdout, stderr } = await runCommand([...args, '--json'], { DATABASE_URL: runtime().settings.DATABASE_URL, ...keys });
  return { code, stderr, result: stdout === '' ? null : JSON.parse(stdout) };
}

test('the commands replace a master key step by step, and say what is in use', async () => {
  const shop = await makeMerchant(runtime());
  const first = { SECRET_KEY: TEST_SECRET_KEY };
  const swapped = { SECRET_KEY: NEXT, SECRET_KEY_OTHER: TEST_SECRET_KEY };
  const { result: before } = await bili(first, 'secrets', 'list');
  expect(before).toMatchObject({ current: runtime().secrets.keyIds[0], other: null });
  expect(await bili(first, 'secrets', 'rotate')).toMatchObject({ code: 1 });
  const { result: added } = await bili({ ...first, SECRET_KEY_OTHER: NEXT }, 'secrets', 'list');

  // A worker that does not have the new key yet.
  const worker = startProgram(['worker'], { DATABASE_URL: runtime().settings.DATABASE_URL, ...first });
  await worker.printed('worker is running');
  expect(await bili(swapped, 'merchant', 'list')).toMatchObject({ code: 1, stderr: expect.stringContaining(added.other) });
  expect((await bili(swapped, 'secrets', 'rotate')).stderr).toContain(added.other);
  await worker.kill('SIGTERM');

  const { result } = await bili(swapped, 'secrets', 'rotate');
  expect(result).toEqual({ keyId: added.other, values: expect.any(Number) });
  const { result: after } = await bili({ SECRET_KEY: NEXT }, 'secrets', 'list');
  expect(after).toMatchObject({ current: added.other, other: null });
  expect(new Set(after.values.map(({ keyId }: { keyId: string }) => keyId))).toEqual(new Set([added.other]));
  expect((await bili(first, 'merchant', 'list')).code).toBe(1);
  expect((await bili({ SECRET_KEY: NEXT }, 'merchant', 'list')).result).toMatchObject([{ slug: shop.merchant.slug }]);
});

test('the command for a lost key names the accounts that need their credentials again', async () => {
  const { id } = await makeAccount(runtime(), { provider: 'mpesa', credentials: '{}', callbackUrl: '' });
  const lost = { SECRET_KEY: LOST };
  expect((await bili(lost, 'merchant', 'list')).code).toBe(1);
  expect((await bili(lost, 'secrets', 'lost')).code).not.toBe(0);
  const { result } = await bili(lost, 'secrets', 'lost', '--reason', 'the machine is gone');
  expect(result).toMatchObject({ accounts: [id], values: { 'provider_account.encrypted_credentials': 1 } });
  expect((await bili(lost, 'merchant', 'list')).code).toBe(0);
  const entry = await runtime().db.prisma.auditEntry.findFirstOrThrow({ where: { action: 'master_key.lost' } });
  expect(entry).toMatchObject({ actor: 'operator:test', data: { reason: 'the machine is gone' } });
});

describe('the embedded database', { tags: ['full'] }, () => {
  let product: Product;
  beforeAll(async () => {
    product = await startProduct();
  });
  afterAll(() => product.dispose());
  const stored = async () => JSON.parse(await readFile(join(product.dataDir, 'secrets.json'), 'utf8'));

  test('one command replaces the master key, while Bili runs and after it was stopped', { timeout: 240_000 }, async () => {
    const { apiKey, apiSecret } = product.demo.sandbox;
    const headers = { authorization: `ApiKey ${apiKey}:${apiSecret}` };
    const [{ slug }] = z.tuple([z.object({ slug: z.string() })]).parse(await product.bili(['merchant', 'list']));
    const secret = () => product.bili(['webhook', 'secret', '--merchant', slug, '--environment', 'sandbox']);
    const [before, shown] = [await stored(), await secret()];
    const rotated = await product.bili(['secrets', 'rotate']);
    const after = await stored();
    expect(after).toEqual({ ...before, secretKey: expect.any(String) });
    expect(after.secretKey).not.toBe(before.secretKey);
    expect(rotated).toMatchObject({ values: expect.any(Number) });
    expect(await secret()).toEqual(shown);

    await product.running().kill('SIGTERM');
    await product.bili(['secrets', 'rotate']);
    expect((await stored()).secretKey).not.toBe(after.secretKey);
    await product.restart();
    expect((await fetch(`${product.sandboxUrl}/api/v3/bills`, { headers })).status).toBe(200);
    expect(await secret()).toEqual(shown);
  });
});
