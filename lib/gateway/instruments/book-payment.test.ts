import { describe, expect, test } from 'vitest';
import { closeBill } from '@/lib/backoffice/bill-page/close-bill';
import { insertUnmatchedPayment } from '@/lib/gateway/ledger/bookings';
import { findPayment } from '@/lib/gateway/ledger/payment-store';
import { listAttempts } from '@/lib/gateway/payments/store';
import { newId } from '@/lib/platform/core/ids';
import { testInstruments } from '@/testing/data/instruments';
import { deliverNotice } from '@/testing/model/callback-steps';
import { testRuntime } from '@/testing/runtime';
import { bookInstrumentPayment } from './book-payment';

const runtime = testRuntime();
const tools = testInstruments(runtime);
const { issued, find, theirs, pay, payIssued, bill, payments, reviews, breaches, work } = tools;
const world = () => tools.world();
const db = () => world().runtime.db;

describe('a payment of an instrument', () => {
  test('pays the bill, whose number stays unknown', async () => {
    const billId = await issued();
    const { id } = await find(billId, 'order');
    const receipt = await pay(billId, 'order');
    expect(await bill(billId)).toMatchObject({ status: 'FULLY_PAID', paidAmount: 500_000n, mobile: null });
    const booked = { providerTransactionId: receipt, instrumentId: id, attemptId: null, mobile: null, late: false, amountDiffers: false };
    expect(await payments()).toMatchObject([{ ...booked, allocations: [{ billId, createdBy: 'gateway' }] }]);
    expect(await listAttempts(db(), billId)).toEqual([]);
    await work();
    expect(await breaches()).toEqual([]);
  });

  test('names the payer, if the provider does', async () => {
    const billId = await issued();
    const instrument = await find(billId, 'order');
    const outcome = { kind: 'paid', transactionId: 'T1', amount: 500_000n, fee: 1_000n } as const;
    const { providerAccountId } = instrument;
    await bookInstrumentPayment(tools.gateway(), { instrument, providerAccountId, outcome, payer: '0754000001', source: 'callback' });
    expect(await bill(billId)).toMatchObject({ mobile: '0754000001' });
    expect(await payments()).toMatchObject([{ mobile: '0754000001', fee: 1_000n }]);
  });

  test('is booked once, however often it is reported', async () => {
    const billId = await issued();
    await pay(billId, 'order', { callbacks: 3 });
    await work();
    expect(await payments()).toHaveLength(1);
    expect(await bill(billId)).toMatchObject({ paidAmount: 500_000n });
  });

  test('that no callback reports is found by a status query', async () => {
    const billId = await issued();
    await pay(billId, 'order', { callbacks: 0 });
    world().advance(60_000);
    await work();
    expect(await bill(billId)).toMatchObject({ status: 'FULLY_PAID', mobile: null });
  });

  test.each(['order', 'code', 'bill'] as const)('of another amount is kept: %s', async (kind) => {
    const billId = await issued();
    await pay(billId, kind, { senti: 123_400 });
    world().advance(60_000);
    await work();
    expect(await payments()).toMatchObject([{ amount: 123_400n, amountDiffers: true, allocations: [{ billId }] }]);
    expect(await bill(billId)).toMatchObject({ status: 'PARTIALLY_PAID', paidAmount: 123_400n });
    expect(await breaches()).toEqual([]);
  });

  test('that comes twice overpays the bill, and so does one of a replaced instrument', async () => {
    const billId = await issued();
    const first = await theirs(billId, 'order');
    await payIssued(first, 200_000);
    await work();
    await payIssued(first, 200_000);
    await work();
    await pay(billId, 'order');
    expect((await payments()).map(({ amount, late }) => [amount, late])).toEqual([
      [200_000n, false],
      [200_000n, true],
      [100_000n, false],
    ]);
    await payIssued(first);
    expect(await bill(billId)).toMatchObject({ status: 'FULLY_PAID', paidAmount: 1_000_000n });
    expect(await breaches()).toEqual([]);
  });

  test('of a closed bill is booked as late', async () => {
    const billId = await issued();
    await closeBill(tools.gateway(), tools.merchant().operator('sandbox'), { billId, reason: 'gone' });
    await pay(billId, 'order');
    expect(await payments()).toMatchObject([{ late: true, allocations: [{ billId }] }]);
    expect(await bill(billId)).toMatchObject({ status: 'FULLY_PAID', closedAt: expect.any(Date) });
  });

  test('beside an open prompt is kept, as is the payment of the prompt', async () => {
    const billId = await issued(1, '0744000001');
    await tools.sendPrompt();
    const [before] = await listAttempts(db(), billId);
    await pay(billId, 'order');
    expect(await bill(billId)).toMatchObject({ paidAmount: 500_000n, reservedAmount: 500_000n, status: 'FULLY_PAID' });
    expect(await listAttempts(db(), billId)).toEqual([before]);
    const [prompt] = [...world().provider.prompts.values()];
    if (!prompt) throw new Error('there is no prompt');
    const made = world().provider.notices.length;
    world().provider.pay(prompt.till, prompt.reference, prompt.amount);
    for (const notice of world().provider.notices.slice(made)) await deliverNotice(world(), notice);
    expect(await bill(billId)).toMatchObject({ paidAmount: 1_000_000n, reservedAmount: 0n });
    expect(await reviews()).toEqual([]);
    expect(await breaches()).toEqual([]);
  });

  test('with an unknown reference belongs to no bill', async () => {
    await issued();
    const made = world().provider.notices.length;
    world().provider.pay('signed', '99999', 500_000);
    for (const notice of world().provider.notices.slice(made)) await deliverNotice(world(), notice);
    expect(await payments()).toMatchObject([{ instrumentId: null, attemptId: null, merchantId: null, allocations: [] }]);
  });

  test('to the till of another owner belongs to no bill', async () => {
    const billId = await issued();
    const made = world().provider.notices.length;
    world().provider.pay('signed', (await find(billId, 'order')).ourReference, 500_000);
    for (const notice of world().provider.notices.slice(made)) await deliverNotice(world(), notice);
    expect(await payments()).toMatchObject([{ instrumentId: null, allocations: [] }]);
    expect(await bill(billId)).toMatchObject({ paidAmount: 0n });
  });

  test('that the ledger has without a bill is allocated', async () => {
    const billId = await issued();
    const { till, reference } = await theirs(billId, 'order');
    const account = world().accounts[till];
    const transactionId = 'P1';
    const amount = 500_000n;
    await insertUnmatchedPayment(db(), {
      id: newId(runtime()),
      account,
      transactionId,
      amount,
      mobile: null,
      recordedAt: world().runtime.clock(),
    });
    expect(await pay(billId, 'order')).toBe(transactionId);
    expect(await payments()).toMatchObject([{ instrumentId: null, allocations: [{ billId, amount }] }]);
    expect(await find(billId, 'order')).toMatchObject({ ourReference: reference });
    expect(await bill(billId)).toMatchObject({ status: 'FULLY_PAID' });
    expect(await breaches()).toEqual([]);
  });

  test('with the receipt of another instrument is not booked twice, and a person is asked', async () => {
    const [first, second] = [await issued(), await issued()];
    const receipt = await pay(first, 'order');
    const instrument = await find(second, 'order');
    const outcome = { kind: 'paid', transactionId: receipt, amount: 500_000n } as const;
    const { providerAccountId } = instrument;
    for (let time = 0; time < 2; time += 1)
      await bookInstrumentPayment(tools.gateway(), { instrument, providerAccountId, outcome, payer: null, source: 'status' });
    expect(await payments()).toHaveLength(1);
    expect(await bill(second)).toMatchObject({ paidAmount: 0n });
    expect(await reviews()).toEqual([{ kind: 'receipt_conflict' }]);
    expect(await breaches()).toEqual([]);
  });
});

describe('a reversal of a payment of an instrument', () => {
  test('is taken from the bill, for which instruments can be asked again', async () => {
    const billId = await issued();
    const receipt = await pay(billId, 'order');
    await work();
    const { till } = await theirs(billId, 'order');
    const payment = world().provider.findPayment(till, receipt);
    if (!payment) throw new Error('the provider has no payment');
    const made = world().provider.notices.length;
    world().provider.reverse(payment, 200_000);
    for (const notice of world().provider.notices.slice(made)) for (let time = 0; time < 2; time += 1) await deliverNotice(world(), notice);
    expect(await bill(billId)).toMatchObject({ status: 'PARTIALLY_PAID', paidAmount: 300_000n });
    expect((await payments()).map(({ kind, amount }) => [kind, amount])).toEqual([
      ['payment', 500_000n],
      ['reversal', 200_000n],
    ]);
    expect(await tools.ask(billId)).toHaveLength(3);
    await work();
    expect((await theirs(billId, 'order')).amount).toBe(200_000);
    expect(await breaches()).toEqual([]);
  });

  test('that is reported before the payment books both', async () => {
    const billId = await issued();
    const receipt = await pay(billId, 'order', { callbacks: 0 });
    const { till } = await theirs(billId, 'order');
    const payment = world().provider.findPayment(till, receipt);
    if (!payment) throw new Error('the provider has no payment');
    world().provider.reverse(payment, 500_000);
    const notice = world().provider.notices.at(-1);
    if (notice) await deliverNotice(world(), notice);
    expect(await bill(billId)).toMatchObject({ status: 'NOT_PAID', paidAmount: 0n });
    expect(await findPayment(db(), world().accounts[till].id, receipt)).toBeDefined();
    expect(await payments()).toHaveLength(2);
    expect(await breaches()).toEqual([]);
  });
});
