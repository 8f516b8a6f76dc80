import { expect, test } from 'vitest';
import { askInstruments } from '@/lib/gateway/instruments/ask-instruments';
import { claimInstruments, listInstruments } from '@/lib/gateway/instruments/store';
import { workInstrument } from '@/lib/gateway/instruments/work-instrument';
import { addMs, DAY_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { readQr } from '@/lib/platform/core/emv';
import type { Environment } from '@/lib/platform/core/scope';
import { pay } from '@/testing/data/paying';
import { testSandbox } from '@/testing/data/sandbox';
import { makeBill, makeMerchant, testRuntime } from '@/testing/runtime';
import { customerNetwork, offersWays, showPayWays, usableWays } from './pay-ways';
import { showPayPage } from './show-pay-page';

const runtime = testRuntime();
const sandbox = testSandbox(runtime);

async function newBill({ amount = 5_000, environment = 'sandbox' as Environment, mobile = '' } = {}) {
  const billId = await makeBill(runtime(), await makeMerchant(runtime()), { amount, environment, ...(mobile && { mobile }) });
  const page = async () => {
    const shown = await showPayPage(runtime(), environment, billId);
    if (!shown) throw new Error('the bill is missing');
    return shown;
  };
  return {
    billId,
    page,
    ask: () => askInstruments(runtime(), billId, 'customer'),
    show: async () => showPayWays(runtime(), (await page()).bill),
  };
}

/** Lets workers do everything that is due for instruments. */
async function work(): Promise<void> {
  const { signal } = new AbortController();
  for (let round = 0; round < 5; round += 1) {
    const now = runtime().clock();
    const claimed = await claimInstruments(runtime().db, { now, leaseUntil: addMs(now, MINUTE_MS), limit: 100 });
    for (const one of claimed) await workInstrument(sandbox.runtime(), one, signal);
  }
}

test('before somebody asks, the page offers a number, and nothing is issued by opening it', async () => {
  const bill = await newBill();
  expect(await bill.show()).toMatchObject({ numbers: [], qr: null, link: null, waiting: null, askable: true, ended: null });
  expect(await offersWays(runtime(), (await bill.page()).bill)).toEqual({ offered: true, issued: false });
  expect(await listInstruments(runtime().db, bill.billId)).toEqual([]);
  const none = await newBill({ environment: 'live' });
  expect(await none.show()).toMatchObject({ askable: false });
  expect(await offersWays(runtime(), (await none.page()).bill)).toEqual({ offered: false, issued: false });
});

test('it waits for what was asked for, then shows a number, a QR code of the amount and a link', async () => {
  const bill = await newBill();
  await bill.ask();
  const waiting = await bill.show();
  expect(waiting).toMatchObject({ waiting: 'soon', askable: false, numbers: [] });
  await work();
  const shown = await bill.show();
  expect(shown).toMatchObject({ waiting: null, askable: false, ended: null, replaced: false, amount: 500_000n });
  expect(shown.numbers).toMatchObject([{ text: expect.stringMatching(/^\d{8}$/), provider: 'sandbox', expiresAt: expect.any(Date) }]);
  expect(readQr(shown.qr?.text ?? '')).toMatchObject({ amount: 500_000n });
  expect(shown.link?.text).toMatch(/^http/);
  expect(new Set([waiting.version, shown.version]).size).toBe(2);
  expect((await bill.show()).version).toBe(shown.version);
  expect(await usableWays(runtime(), bill.billId)).toEqual({ numbers: shown.numbers, qr: shown.qr, link: shown.link });
  expect(await offersWays(runtime(), (await bill.page()).bill)).toEqual({ offered: true, issued: true });
});

test('a QR code of another amount and a damaged one are not shown', async () => {
  const bill = await newBill();
  await bill.ask();
  await work();
  const { text = '' } = (await bill.show()).qr ?? {};
  for (const wrong of [
    text.replace('54045000', '54045001'),
    `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`,
    'https://example.com',
  ]) {
    await runtime().db.query({ text: 'UPDATE instrument SET qr = $2 WHERE bill_id = $1' }, [bill.billId, wrong]);
    expect(await bill.show()).toMatchObject({ qr: null, numbers: [{}], askable: false });
  }
});

test('a lost answer and a provider that is down make the page say that it takes longer', async () => {
  for (const amount of [1_010, 1_013]) {
    const bill = await newBill({ amount });
    await bill.ask();
    const { version } = await bill.show();
    await work();
    expect(await bill.show(), String(amount)).toMatchObject({
      ...{ waiting: 'late', askable: false, numbers: [] },
      version: expect.not.stringMatching(version),
    });
  }
});

test('a refusal says that no number was issued', async () => {
  const bill = await newBill({ amount: 1_006 });
  await bill.ask();
  await work();
  expect(await bill.show()).toMatchObject({ ended: 'refused', waiting: null, numbers: [] });
});

test('after a part payment only the number of the new amount is shown, and the page warns about the earlier one', async () => {
  const bill = await newBill();
  await bill.ask();
  await work();
  const before = (await bill.show()).numbers[0]?.text;
  await pay(runtime(), bill.billId, 200_000n);
  expect(await bill.show()).toMatchObject({ waiting: 'soon', numbers: [] });
  await work();
  const after = await bill.show();
  expect(after).toMatchObject({
    amount: 300_000n,
    replaced: true,
    ended: null,
    numbers: [{ text: expect.not.stringContaining(before ?? '') }],
  });
  expect(readQr(after.qr?.text ?? '')).toMatchObject({ amount: 300_000n });
});

test('after it has expired, the customer can ask again', async () => {
  const bill = await newBill();
  await bill.ask();
  await work();
  runtime().advance(2 * DAY_MS);
  await work();
  expect(await bill.show()).toMatchObject({ ended: 'expired', askable: true, waiting: null, numbers: [] });
  await bill.ask();
  await work();
  expect(await bill.show()).toMatchObject({ ended: null, askable: false, numbers: [{}] });
});

test('a paid or closed bill shows nothing to pay', async () => {
  for (const end of ['paid', 'closed']) {
    const bill = await newBill();
    await bill.ask();
    await work();
    if (end === 'paid') await pay(runtime(), bill.billId, 500_000n);
    else await runtime().db.query({ text: 'UPDATE bill SET closed_at = now() WHERE id = $1' }, [bill.billId]);
    runtime().advance(SECOND_MS);
    expect(await bill.show(), end).toMatchObject({ amount: 0n, numbers: [], qr: null, link: null, waiting: null, askable: false });
    expect(await offersWays(runtime(), (await bill.page()).bill)).toEqual({ offered: false, issued: false });
  }
});

test("the customer's network is that of the device's number, and nobody learns that of the bill's", async () => {
  const bill = await newBill({ mobile: '0682345678' });
  const network = async (stored: string | null) => customerNetwork(runtime(), await bill.page(), stored);
  expect(await network(null)).toBeNull();
  expect(await network('0754345678')).toBe('vodacom');
});
