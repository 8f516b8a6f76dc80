import { afterEach, beforeEach, expect, test } from 'vitest';
import { addMs, HOUR_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { newId } from '@/lib/platform/core/ids';
import { roundUpToShilling, SENTI_PER_SHILLING } from '@/lib/platform/core/money';
import { encryptCredentials, insertAccount } from '@/lib/providers/accounts/account-store';
import { startClickpesaSimulator } from '@/lib/providers/clickpesa/simulator';
import { createRegistry } from '@/lib/providers/registry';
import { startSnippeSimulator } from '@/lib/providers/snippe/simulator';
import { makeBill, makeMerchant, testRuntime } from '@/testing/runtime';
import { askInstruments } from './ask-instruments';
import { claimInstruments, listInstruments } from './store';
import { workInstrument } from './work-instrument';

// ClickPesa is asked for a number that we have chosen, and Snippe repeats its first answer. So no lost answer loses an instrument.
const runtime = testRuntime({ SANDBOX_BASE_URL: 'http://127.0.0.1:9' });
let stop: () => Promise<void>;
let billId: string;

beforeEach(async () => {
  const { db, clock } = runtime();
  await db.query({ text: 'UPDATE provider_account SET disabled_at = $1 WHERE disabled_at IS NULL' }, [clock()]);
  await db.query({ text: 'UPDATE instrument SET due_at = NULL' });
  billId = await makeBill(runtime(), await makeMerchant(runtime()));
});
afterEach(() => stop());

async function addAccount(provider: string, credentials: object): Promise<void> {
  const { db, clock } = runtime();
  const id = newId(runtime());
  await insertAccount(db, {
    id,
    environment: 'sandbox',
    merchantId: null,
    provider,
    label: provider,
    networks: ['vodacom'],
    encryptedCredentials: encryptCredentials(runtime(), id, JSON.stringify(credentials)),
    createdAt: clock(),
  });
}

async function startClickpesa(change: object = {}) {
  const simulator = await startClickpesaSimulator(runtime());
  stop = simulator.stop;
  await addAccount('clickpesa', { ...simulator.credentials, ...change });
  return simulator;
}

async function startSnippe() {
  const simulator = await startSnippeSimulator(runtime());
  stop = simulator.stop;
  await addAccount('snippe', simulator.credentials);
  return simulator;
}

const worker = () => ({ ...runtime(), providers: createRegistry(runtime(), null) });
const ask = () => askInstruments(worker(), billId, 'customer');

/** Does the work that is due within the given time. Returns the instruments of the bill. */
async function work(withinMs = 0) {
  const until = addMs(runtime().clock(), withinMs);
  for (;;) {
    const { db, clock } = runtime();
    const claimed = await claimInstruments(db, { now: clock(), leaseUntil: addMs(clock(), MINUTE_MS), limit: 10 });
    for (const instrument of claimed) await workInstrument(worker(), instrument, new AbortController().signal);
    if (claimed.length > 0) continue;
    if (clock() >= until) return listInstruments(db, billId);
    runtime().advance(MINUTE_MS);
  }
}

const readBill = () => runtime().db.prisma.bill.findUniqueOrThrow({ where: { id: billId } });
const close = () => runtime().db.query({ text: 'UPDATE bill SET closed_at = $1 WHERE id = $2' }, [runtime().clock(), billId]);

test('a control number is found after a lost answer, is paid without a webhook, and is closed', async () => {
  const simulator = await startClickpesa();
  simulator.control({ failInstruments: ['unanswered'] });
  await ask();
  expect(await work()).toMatchObject([{ state: 'UNKNOWN', kind: 'control_number', number: null }]);
  const [instrument] = await work(MINUTE_MS);
  expect(instrument).toMatchObject({ state: 'ACTIVE', number: simulator.instruments[0]?.number });
  simulator.payInstrument({ number: instrument?.number ?? '' });
  expect(await work(HOUR_MS)).toMatchObject([{ state: 'ENDED', endReason: 'paid' }]);
  const { amount, paidAmount } = await readBill();
  expect(paidAmount).toBe(roundUpToShilling(amount));
  expect(simulator.instruments).toHaveLength(1);
});

test('a control number that ClickPesa did not create is not shown, and another one can be asked for', async () => {
  const simulator = await startClickpesa();
  simulator.control({ failInstruments: ['unrecorded'] });
  await ask();
  expect(await work(HOUR_MS)).toMatchObject([{ state: 'ENDED', endReason: 'lost', number: null }]);
  await ask();
  expect(await work()).toMatchObject([{ state: 'ENDED' }, { state: 'ACTIVE', number: simulator.instruments[0]?.number }]);
});

test('a customer control number is paid in parts, its amount follows the bill, and it is closed with the bill', async () => {
  const simulator = await startClickpesa({ billPayEmail: 'payments@example.com' });
  await ask();
  const [instrument] = await work();
  expect(instrument).toMatchObject({ state: 'ACTIVE', kind: 'customer_number' });
  const number = instrument?.number ?? '';
  const whole = simulator.instruments[0]?.amount ?? 0;
  simulator.payInstrument({ number, amount: 100 });
  expect(await work(HOUR_MS)).toMatchObject([{ state: 'ACTIVE', number, amount: BigInt(whole - 100) * SENTI_PER_SHILLING }]);
  expect(simulator.instruments).toMatchObject([{ amount: whole - 100, cancelledAt: null }]);
  expect((await readBill()).paidAmount).toBe(10_000n);
  await close();
  expect(await work(48 * HOUR_MS)).toMatchObject([{ state: 'ENDED', endReason: 'closed', closedAt: expect.any(Date) }]);
  expect(simulator.instruments[0]?.cancelledAt).not.toBeNull();
});

test('Snippe issues a code and a page, repeats a lost answer, and voids what is not paid when the bill is', async () => {
  const simulator = await startSnippe();
  simulator.control({ failInstruments: ['unanswered', 'unanswered'] });
  await ask();
  expect(await work()).toMatchObject([{ state: 'UNKNOWN' }, { state: 'UNKNOWN' }]);
  const active = await work(MINUTE_MS);
  expect(active.map(({ state, kind, number, qr, link }) => [state, kind, number !== null, qr !== null, link !== null])).toEqual([
    ['ACTIVE', 'dynamic_qr', true, true, false],
    ['ACTIVE', 'card', false, false, true],
  ]);
  expect(simulator.instruments).toHaveLength(2);
  simulator.payInstrument({ qr: active[0]?.qr ?? '' });
  expect(await work(4 * HOUR_MS)).toMatchObject([
    { state: 'ENDED', endReason: 'paid' },
    { state: 'ENDED', endReason: 'paid' },
  ]);
  expect(simulator.instruments.map(({ payments, cancelledAt }) => [payments.length, cancelledAt !== null])).toEqual([
    [1, false],
    [0, true],
  ]);
  const { paidAmount: amount } = await readBill();
  const payments = await runtime().db.prisma.payment.findMany({ where: { instrument: { billId } } });
  expect(payments).toMatchObject([{ providerTransactionId: simulator.instruments[0]?.id, amount, fee: 2_500n }]);
});
