import { beforeAll, expect, test } from 'vitest';
import { listAudit } from '@/lib/backoffice/audit-log/audit-log';
import { billOf, describeAction } from '@/lib/identity/audit/describe-entry';
import { HOUR_MS } from '@/lib/platform/core/clock';
import { LOCALES } from '@/lib/platform/i18n/locale';
import { joinAs, letIn } from '@/testing/data/access';
import { testSandbox } from '@/testing/data/sandbox';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { showBill } from './show-bill';

// This address does not accept connections, so the callbacks of the simulator are lost.
const runtime = testRuntime({ SANDBOX_BASE_URL: 'http://127.0.0.1:9' });
const sandbox = testSandbox(runtime);
const ADDRESS = '192.0.2.1';
const ALL = { by: null, action: null, from: null, until: null };
let shop: TestMerchant;
let billId: string;

beforeAll(async () => {
  shop = await makeMerchant(runtime());
  billId = await makeBill(runtime(), shop, { amount: 5000, mobile: '0712345001' });
  await sandbox.step();
});

const read = async (access: Parameters<typeof showBill>[1], messages = true) => showBill(runtime(), access, billId, { messages });
async function readings() {
  const page = await listAudit(runtime(), await letIn(runtime(), shop), {
    filter: { ...ALL, action: 'bill_messages_shown' },
    before: null,
  });
  return page?.entries ?? [];
}

test('reading the provider messages of a bill writes one audit entry per person and hour', async () => {
  const owner = await letIn(runtime(), shop);
  const admin = await joinAs(runtime(), shop, 'admin');
  const seen = await read(owner, false);
  expect(seen?.messageCount).toBeGreaterThan(0);
  expect(seen?.timeline.filter(({ kind }) => kind === 'message')).toEqual([]);
  expect(await readings()).toEqual([]);

  expect((await read(owner))?.timeline.filter(({ kind }) => kind === 'message')).toHaveLength(seen?.messageCount ?? 0);
  await read(owner);
  expect(await readings()).toMatchObject([
    { actor: `user:${owner.user.email}`, subject: billId, environment: 'sandbox', address: ADDRESS, data: {} },
  ]);

  await read(admin);
  expect((await readings()).map(({ actor }) => actor)).toEqual([`user:${admin.user.email}`, `user:${owner.user.email}`]);
  runtime().advance(HOUR_MS + 1);
  await read(await letIn(runtime(), shop));
  expect(await readings()).toHaveLength(3);
});

test('a member who may not read them causes no entry', async () => {
  const before = await readings();
  expect(await read(await joinAs(runtime(), shop, 'viewer'))).toMatchObject({ messageCount: null });
  expect(await readings()).toEqual(before);
});

test('the entry has a text in every language, and links to its bill', async () => {
  const [entry] = await readings();
  expect(entry && billOf(entry)).toBe(billId);
  const said = LOCALES.map((locale) => describeAction('bill.messages_shown', locale));
  expect(said).not.toContain('bill.messages_shown');
  expect(new Set(said).size).toBe(LOCALES.length);
});
