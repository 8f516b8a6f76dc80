// @module-tag full

import { describe, expect, test } from 'vitest';
import { askInstruments } from '@/lib/gateway/instruments/ask-instruments';
import { type ListedInstrument, listInstruments } from '@/lib/gateway/instruments/store';
import { recordPayment } from '@/lib/gateway/ledger/record-payment';
import { payInstrument } from '@/lib/providers/scenarios/instrument-store';
import { makeBill } from '@/testing/runtime';
import { type Death, INSTRUMENT_CASES, INSTRUMENT_CHANGE_DEATHS, INSTRUMENT_PAYMENT_DEATHS } from './cases';
import { expectAllIsWell } from './invariants';
import { drain, killWorker } from './settle';
import { testWorld } from './world';

// The tests start and kill many processes, which takes time on a busy machine.
// Nobody listens at the callback URL, so payments are found by status queries.
const world = testWorld(0.02);

/** Makes the next steps of all open instruments due, as time would. */
async function makeDue(): Promise<void> {
  await world().runtime.db.query({
    text: "UPDATE instrument SET due_at = now() WHERE due_at > now() AND (state <> 'ENDED' OR closed_at IS NULL)",
  });
}

async function kill(deaths: readonly Death[]): Promise<void> {
  for (const death of deaths) {
    await makeDue();
    await killWorker(world(), death);
  }
}

/** Runs a worker until nothing is due. */
async function work(): Promise<void> {
  await makeDue();
  const worker = await world().start('worker');
  await drain(world(), { callbacks: false });
  await worker.kill('SIGTERM');
}

async function ask(billId: string): Promise<void> {
  const asked = await askInstruments(world().runtime, billId, 'test');
  if (!asked.ok) throw new Error(asked.error);
}

const createBill = () => makeBill(world().runtime, world().merchant, { amount: 5000, mobile: null });

/** Returns the instrument that customers of a bill can pay. */
async function active(billId: string): Promise<ListedInstrument> {
  const [one, ...others] = (await listInstruments(world().runtime.db, billId)).filter(({ state }) => state === 'ACTIVE');
  if (!one || others.length > 0) throw new Error('the bill has not one instrument');
  return one;
}

async function pay({ ourReference }: ListedInstrument, shillings: bigint): Promise<void> {
  const paid = await payInstrument(world().runtime, ourReference, { mobile: null, amount: shillings });
  if (!paid.ok) throw new Error(paid.error);
}

const bill = (id: string) => world().runtime.db.prisma.bill.findUniqueOrThrow({ where: { id } });

describe('a worker killed while it issues an instrument', () => {
  test.each(INSTRUMENT_CASES)('$what', async ({ deaths, ends }) => {
    const billId = await createBill();
    await ask(billId);
    await kill(deaths);
    await work();
    if (ends === 'lost') {
      expect(await listInstruments(world().runtime.db, billId)).toMatchObject([{ state: 'ENDED', endReason: 'lost' }]);
      await ask(billId);
      await work();
    }
    await pay(await active(billId), 5000n);
    await work();
    expect(await bill(billId)).toMatchObject({ status: 'FULLY_PAID', paidAmount: 500_000n });
    expect((await listInstruments(world().runtime.db, billId)).every(({ state, sendCount }) => state === 'ENDED' && sendCount === 1)).toBe(
      true,
    );
    await expectAllIsWell(world());
  });
});

test('workers killed while they book the payment of an instrument book it once', async () => {
  const billId = await createBill();
  await ask(billId);
  await work();
  await pay(await active(billId), 5000n);
  await kill(INSTRUMENT_PAYMENT_DEATHS);
  await work();
  expect(await bill(billId)).toMatchObject({ status: 'FULLY_PAID', paidAmount: 500_000n, mobile: null });
  await expectAllIsWell(world());
});

test('workers killed while they replace an instrument issue one of the new amount', async () => {
  const { runtime, merchant } = world();
  const billId = await createBill();
  await ask(billId);
  await work();
  const cash = { amount: 200_000n, source: 'cash', receivedAt: '', slip: '', note: '', overpay: false, requestKey: billId } as const;
  expect(await recordPayment(runtime, merchant.operator('sandbox'), { billId, ...cash })).toMatchObject({ ok: true });
  await kill(INSTRUMENT_CHANGE_DEATHS.while);
  // The next step of the ended one waits, so that the next worker dies while it issues the other.
  await runtime.db.query({ text: "UPDATE instrument SET due_at = now() + interval '1 hour' WHERE state = 'ENDED'" });
  await killWorker(world(), INSTRUMENT_CHANGE_DEATHS.after);
  await work();
  const instrument = await active(billId);
  expect(instrument).toMatchObject({ amount: 300_000n });
  await pay(instrument, 3000n);
  await work();
  expect(await bill(billId)).toMatchObject({ status: 'FULLY_PAID', paidAmount: 500_000n });
  await expectAllIsWell(world());
});
