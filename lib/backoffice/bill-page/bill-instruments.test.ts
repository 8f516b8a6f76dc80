import { beforeAll, expect, test } from 'vitest';
import { listInstruments } from '@/lib/gateway/instruments/store';
import { MINUTE_MS } from '@/lib/platform/core/clock';
import { payInstrument } from '@/lib/providers/scenarios/instrument-store';
import { joinAs } from '@/testing/data/access';
import { pay } from '@/testing/data/paying';
import { testSandbox } from '@/testing/data/sandbox';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { askBillInstruments, listBillInstruments } from './bill-instruments';
import { closeBill } from './close-bill';
import { showBill } from './show-bill';

// This address does not accept connections, so the callbacks of the simulator are lost.
const runtime = testRuntime({ SANDBOX_BASE_URL: 'http://127.0.0.1:9' });
const sandbox = testSandbox(runtime);
let shop: TestMerchant;
let admin: Awaited<ReturnType<typeof joinAs>>;

beforeAll(async () => {
  shop = await makeMerchant(runtime());
  admin = await joinAs(runtime(), shop, 'admin');
});

const newBill = () => makeBill(runtime(), shop, { amount: 5000 });
const ask = (billId: string, access = admin) => askBillInstruments(runtime(), access, billId);
const ended = { state: 'ENDED' } as const;

test('who may create bills asks, a viewer only looks, and a cashier has only the own bills', async () => {
  const billId = await newBill();
  const viewer = await joinAs(runtime(), shop, 'viewer');
  const cashier = await joinAs(runtime(), shop, 'collector');
  const stranger = await joinAs(runtime(), await makeMerchant(runtime()), 'admin');
  expect(await ask(billId, viewer)).toEqual({ ok: false, error: 'not_allowed' });
  for (const access of [cashier, stranger]) {
    expect(await ask(billId, access)).toEqual({ ok: false, error: 'not_found' });
    expect(await listBillInstruments(runtime(), access, billId)).toBeNull();
  }
  expect(await ask('x')).toEqual({ ok: false, error: 'not_found' });
  expect(await ask(billId)).toMatchObject({ ok: true, value: [{ state: 'PENDING', number: null }] });
  await sandbox.step();
  expect(await listBillInstruments(runtime(), viewer, billId)).toMatchObject([{ state: 'ACTIVE', number: expect.any(String) }]);
  await runtime().db.query({ text: 'UPDATE bill SET created_by_id = $1 WHERE id = $2' }, [cashier.user.id, billId]);
  expect(await ask(billId, cashier)).toMatchObject({ ok: true });
});

test.each([
  ['paid', (id: string) => pay(runtime(), id, 500_000n)],
  ['changed', (id: string) => pay(runtime(), id, 100n)],
  ['closed', (id: string) => closeBill(runtime(), admin, { billId: id, reason: 'sold' })],
  ['expired', async () => runtime().advance(2 * 24 * 60 * MINUTE_MS)],
])('an instrument is %s before a worker has looked at it', async (reason, change) => {
  const billId = await newBill();
  await ask(billId);
  await sandbox.step();
  await change(billId);
  expect((await listInstruments(runtime().db, billId)).map(({ state }) => state)).toEqual(['ACTIVE']);
  expect(await listBillInstruments(runtime(), admin, billId)).toMatchObject([{ ...ended, reason }]);
});

test('the page of the bill has the instruments, the messages about them, and who asked', async () => {
  const billId = await newBill();
  expect(await showBill(runtime(), admin, billId)).toMatchObject({ offersInstruments: true, instruments: [] });
  const before = await showBill(runtime(), admin, billId);
  await ask(billId);
  const asked = await showBill(runtime(), admin, billId);
  expect(asked).toMatchObject({ instruments: [{ state: 'PENDING' }], messageCount: 0, watched: { pace: 'quick' } });
  expect(asked?.watched.version).not.toBe(before?.watched.version);
  await sandbox.step();
  const issued = await showBill(runtime(), admin, billId, { messages: true });
  expect(issued).toMatchObject({ instruments: [{ state: 'ACTIVE' }], messageCount: 1 });
  expect(issued?.watched.version).not.toBe(asked?.watched.version);
  expect(issued?.timeline).toMatchObject([
    { kind: 'created' },
    { kind: 'instrumentAsked', by: `user:${admin.user.email}`, amount: 500_000n },
    { kind: 'message', message: { kind: 'instrument', provider: 'sandbox' } },
  ]);
});

test('a payment of an instrument is shown with its number, also if the payer is unknown', async () => {
  const billId = await newBill();
  await ask(billId);
  await sandbox.step();
  const [instrument] = await listInstruments(runtime().db, billId);
  await payInstrument(runtime(), instrument?.ourReference ?? '', { amount: 5_000n, mobile: null });
  runtime().advance(MINUTE_MS);
  await sandbox.step();
  const view = await showBill(runtime(), admin, billId);
  expect(view?.bill).toMatchObject({ status: 'FULLY_PAID', mobile: null });
  expect(view?.instruments).toMatchObject([{ ...ended, reason: 'paid' }]);
  expect(view?.timeline.find(({ kind }) => kind === 'payment')).toMatchObject({
    payment: { amount: 500_000n, mobile: null, instrument: { number: instrument?.number, qr: instrument?.qr } },
  });
});
