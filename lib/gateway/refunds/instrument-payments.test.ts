import { describe, expect, test } from 'vitest';
import { bookInstrumentPayment } from '@/lib/gateway/instruments/book-payment';
import { findPayment } from '@/lib/gateway/ledger/payment-store';
import { findRefund } from '@/lib/gateway/refund-states/store';
import { letIn } from '@/testing/data/access';
import { testInstruments } from '@/testing/data/instruments';
import { readBooks } from '@/testing/model/books';
import { workRefunds } from '@/testing/model/gateway-steps';
import { HONEST } from '@/testing/model/world';
import { testRuntime } from '@/testing/runtime';
import { askRefund, planRefund } from './ask-refund';
import { describeRefund } from './work-refund';

const runtime = testRuntime();
const tools = testInstruments(runtime);
const world = () => tools.world();

/** Lets a customer pay an instrument of a bill, with this number. */
async function paid(kind: 'order' | 'bill', payer: string | null) {
  const billId = await tools.issued();
  const instrument = await tools.find(billId, kind);
  const { providerAccountId } = instrument;
  const outcome = { kind: 'paid', transactionId: 'T1', amount: 500_000n } as const;
  world().provider.payInstrument(await tools.theirs(billId, kind), 500_000);
  await bookInstrumentPayment(tools.gateway(), {
    instrument,
    providerAccountId,
    outcome: { ...outcome, transactionId: 'P1' },
    payer,
    source: 'status',
  });
  const payment = await findPayment(world().runtime.db, providerAccountId, 'P1');
  if (!payment) throw new Error('the payment is not booked');
  return { billId, instrument, payment };
}

async function ask(paymentId: string) {
  const access = await letIn(world().runtime, tools.merchant());
  const options = { paymentId, of: 'payment', amount: null, byHand: false } as const;
  const planned = await planRefund(tools.gateway(), access, options);
  const asked = await askRefund(tools.gateway(), access, { ...options, reason: 'wrong size' });
  if (!asked.ok || !planned.ok) throw new Error('the refund was refused');
  const refund = await findRefund(world().runtime.db, asked.value);
  if (!refund) throw new Error('the refund is not stored');
  expect(planned.value.way).toBe(refund.way);
  return refund;
}

async function work(): Promise<void> {
  world().books = await readBooks(world().runtime.db);
  await workRefunds(world(), HONEST);
}

describe('a refund of a payment of an instrument', () => {
  test('is a reversal, if the provider has them, also if nobody knows who paid', async () => {
    const { billId, instrument, payment } = await paid('order', null);
    const refund = await ask(payment.id);
    expect(refund).toMatchObject({ way: 'reversal', state: 'QUEUED' });
    const sent = await describeRefund(world().runtime.db, refund, payment);
    expect(sent).toMatchObject({ transactionId: 'P1', promptReference: instrument.ourReference, mobile: null, network: null });
    await work();
    expect(await findRefund(world().runtime.db, refund.id)).toMatchObject({ state: 'DONE' });
    expect(await tools.bill(billId)).toMatchObject({ status: 'NOT_PAID', paidAmount: 0n });
    expect(await tools.breaches()).toEqual([]);
  });

  test('is a payout to the number that paid, with the network of its prefix', async () => {
    const { billId, instrument, payment } = await paid('bill', '0624000009');
    const refund = await ask(payment.id);
    expect(refund).toMatchObject({ way: 'payout', state: 'QUEUED' });
    const sent = await describeRefund(world().runtime.db, refund, payment);
    expect(sent).toMatchObject({ promptReference: instrument.ourReference, mobile: '0624000009', network: 'halotel' });
    await work();
    expect(await findRefund(world().runtime.db, refund.id)).toMatchObject({ state: 'DONE' });
    expect(await tools.bill(billId)).toMatchObject({ status: 'NOT_PAID' });
    expect(await tools.breaches()).toEqual([]);
  });

  test.each([
    ['nobody knows who paid', null],
    ['the network has no payouts', '0744000009'],
    ['the prefix belongs to no network', '0600000009'],
  ])('goes back by hand if a reversal is not possible and %s', async (_what, payer) => {
    const { payment } = await paid('bill', payer);
    expect(await ask(payment.id)).toMatchObject({ way: 'hand', state: 'APPROVED' });
  });
});
