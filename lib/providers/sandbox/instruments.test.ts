import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addMs, DAY_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { checkQr, readQr } from '@/lib/platform/core/emv';
import { newPaymentReference } from '@/lib/platform/core/ids';
import { SENTI_PER_SHILLING } from '@/lib/platform/core/money';
import type { Instruments } from '@/lib/providers/port/instrument';
import { findByNumber, payInstrument } from '@/lib/providers/scenarios/instrument-store';
import { testReceiver } from '@/testing/fakes/receiver';
import { answering } from '@/testing/fakes/start-receiver';
import { makeMerchant, testRuntime } from '@/testing/runtime';
import { createSandboxAdapter } from './adapter';
import { type Simulator, startSimulator, writeStatement } from './simulator';
import { deleteOldPrompts, KEPT_DAYS } from './store';
import { reportSchema } from './wire';

const runtime = testRuntime({ SANDBOX_DELAY_FACTOR: '0.01' });
const receiver = testReceiver();
const { signal } = new AbortController();
const PAYER = '255712345001';
let simulator: Simulator;
let instruments: Instruments;

beforeAll(async () => {
  const callbackKey = runtime().secrets.key('sandbox-provider');
  simulator = await startSimulator({ ...runtime(), callbackKey });
  const adapter = createSandboxAdapter({ url: simulator.url, callbackKey, delayFactor: 1 });
  if (!adapter.instruments) throw new Error('the simulated provider issues instruments');
  instruments = adapter.instruments;
});
afterAll(() => simulator.stop());
beforeEach(() => {
  receiver.received.length = 0;
});

/** The calls about one instrument. @param shillings its amount. */
function instrumentOf(shillings: number, kind: 'order' | 'control_number' = 'order', merchantId?: string) {
  const reference = newPaymentReference(runtime().random);
  const account = { id: 'a', environment: 'sandbox', provider: 'sandbox', networks: [], credentials: null } as const;
  const at = { ...account, callbackUrl: receiver.url() };
  const about = { providerReference: null, number: null, description: 'x', ...(merchantId !== undefined && { merchantId }) };
  const request = { reference, kind, amount: BigInt(shillings) * SENTI_PER_SHILLING, ...about };
  return {
    reference,
    send: async () => instruments.readAnswer(await instruments.send(at, request, signal), request),
    query: async () => instruments.readStatus(await instruments.query(at, request, signal), request),
    pay: (amount: number, mobile: string | null = PAYER) => payInstrument(runtime(), reference, { mobile, amount: BigInt(amount) }),
  };
}

/** Sends all callbacks that are due. */
async function callBack(): Promise<void> {
  while ((await simulator.announceDue(10)) > 0) runtime().advance(SECOND_MS);
}

const reports = () => receiver.received.map(({ body }) => reportSchema.parse(JSON.parse(body)));

test('documented amounts are refused, lost, not issued, slow or not accepted', async () => {
  const cases = [
    [1_006, 'refused', 'not_found'],
    [1_010, 'unknown', 'open'],
    [1_011, 'unknown', 'not_found'],
    [1_012, 'issued', 'open'],
    [1_013, 'not_sent', 'not_found'],
  ] as const;
  for (const [amount, answer, found] of cases) {
    const one = instrumentOf(amount);
    expect([(await one.send()).kind, (await one.query()).kind], String(amount)).toEqual([answer, found]);
  }
});

test('an order has a number, a checked QR text with the name of the merchant, and a link', async () => {
  const { merchant } = await makeMerchant(runtime());
  const one = instrumentOf(5_000, 'order', merchant.id);
  const issued = await one.send();
  const { number, qr, link } = issued.kind === 'issued' ? issued.ways : {};
  expect(number).toMatch(/^[1-9]\d{7}$/);
  expect(checkQr(qr ?? '', 500_000n)).toBeNull();
  expect(readQr(qr ?? '')).toMatchObject({ reference: number, merchantName: merchant.name.slice(0, 25) });
  expect(link).toContain(one.reference);
  expect(await findByNumber(runtime().db, number ?? '', merchant.id)).toMatchObject({ reference: one.reference });
  const other = await makeMerchant(runtime());
  expect(await findByNumber(runtime().db, number ?? '', other.merchant.id)).toBeUndefined();
});

test('two customers who pay an order at the same time: one pays, the other is told that it is paid', async () => {
  const one = instrumentOf(5_000);
  await one.send();
  const results = await Promise.all([one.pay(5_000), one.pay(5_000), one.pay(5_000, null)]);
  expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  expect(results.flatMap((result) => (result.ok ? [] : [result.error]))).toEqual(['paid', 'paid']);
  const status = await one.query();
  expect(status.kind === 'ended' && status.payments.length).toBe(1);
});

test('an order ends after a day; a wallet pays at most its limit; a card has none', async () => {
  const one = instrumentOf(5_000);
  await one.send();
  expect(await one.pay(4_999)).toEqual({ ok: false, error: 'amount' });
  runtime().advance(DAY_MS + SECOND_MS);
  expect(await one.pay(5_000)).toEqual({ ok: false, error: 'ended' });
  expect(await one.query()).toEqual({ kind: 'ended', payments: [] });
  const large = instrumentOf(9_000_000, 'control_number');
  await large.send();
  expect([await large.pay(3_000_001), await large.pay(0)]).toEqual([
    { ok: false, error: 'limit' },
    { ok: false, error: 'amount' },
  ]);
  expect((await large.pay(3_000_001, null)).ok).toBe(true);
});

test('callbacks come as the number that paid says, are repeated if they are not accepted, and name the payer', async () => {
  await callBack();
  receiver.received.length = 0;
  const one = instrumentOf(5_000_000, 'control_number');
  await one.send();
  for (const mobile of ['255712345007', '255712345008', PAYER, null]) await one.pay(1_000, mobile);
  await callBack();
  expect(reports().map(({ mobile }) => mobile)).toEqual(expect.arrayContaining(['255712345008', '255712345008', PAYER, null]));
  expect(reports()).toHaveLength(4);
  const status = await one.query();
  expect(status.kind === 'open' && status.payments.length).toBe(4);
  receiver.received.length = 0;
  receiver.answer(answering(500));
  await one.pay(2_000);
  for (let round = 0; round < 6; round += 1) {
    await simulator.announceDue(10);
    runtime().advance(2 * SECOND_MS);
  }
  receiver.answer(answering(200));
  expect(reports().map(({ amount }) => amount)).toEqual([2_000, 2_000, 2_000]);
});

test('the statement lists the payments, and old instruments are deleted with them', async () => {
  const one = instrumentOf(5_000_000, 'control_number');
  await one.send();
  const paid = [await one.pay(1_500), await one.pay(2_500, null)].map((result) => (result.ok ? result.value : ''));
  // A statement ends before the present millisecond.
  runtime().advance(SECOND_MS);
  const now = runtime().clock();
  const { csv } = await writeStatement(runtime(), { from: addMs(now, -SECOND_MS * 5), to: addMs(now, SECOND_MS) });
  const lines: Record<string, string>[] = parse(csv, { columns: true });
  const ours = lines.filter(({ Reference }) => Reference === one.reference);
  expect(ours.map(({ Receipt }) => Receipt).toSorted()).toEqual(paid.toSorted());
  expect(ours.map(({ Amount, Phone, Status, Type }) => [Amount, Phone, Status, Type])).toEqual(
    expect.arrayContaining([
      ['1500', PAYER, 'PAID', 'payment'],
      ['2500', '', 'PAID', 'payment'],
    ]),
  );
  runtime().advance((KEPT_DAYS - 1) * DAY_MS);
  await deleteOldPrompts(runtime());
  expect((await one.query()).kind).toBe('open');
  runtime().advance(2 * DAY_MS);
  await deleteOldPrompts(runtime());
  expect((await one.query()).kind).toBe('not_found');
});
