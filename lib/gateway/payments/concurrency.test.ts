import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { releaseAttempt } from '@/lib/gateway/attempts/release-attempt';
import { allocatePayment, allocateToBill, findTarget } from '@/lib/gateway/ledger/allocate-payment';
import { lockBalance } from '@/lib/gateway/ledger/balance-store';
import { bookReversal } from '@/lib/gateway/ledger/book-reversal';
import { withBills } from '@/lib/gateway/ledger/bookings';
import { movePayment } from '@/lib/gateway/ledger/correct-payment';
import { findPaymentById } from '@/lib/gateway/ledger/payment-store';
import { verifyLedger } from '@/lib/gateway/ledger/verify-ledger';
import { requestPrompt } from '@/lib/gateway/prompts/request-prompt';
import { findRefund } from '@/lib/gateway/refund-states/store';
import { requestReversal } from '@/lib/gateway/refunds/ask-refund';
import { failRefund } from '@/lib/gateway/refunds/decide-refund';
import { MINUTE_MS } from '@/lib/platform/core/clock';
import { type Mobile, parseMobile } from '@/lib/platform/core/mobile';
import { accessTo } from '@/testing/model/actor';
import { readBooks } from '@/testing/model/books';
import { deliverNotice } from '@/testing/model/callback-steps';
import { create, work, workAll } from '@/testing/model/gateway-steps';
import { payUnasked } from '@/testing/model/provider-steps';
import { MOBILES, type Stage, setStage } from '@/testing/model/stage';
import { createWorld, HONEST, type World } from '@/testing/model/world';
import { makeMerchant, TEST_OPERATOR, testRuntime } from '@/testing/runtime';

// The concurrent calls use separate connections to PostgreSQL.
const runtime = testRuntime({ DATABASE_POOL_SIZE: '20' });
const MANY = 50;
let stage: Stage;
let world: World;

beforeAll(async () => {
  stage = await setStage(runtime(), [await makeMerchant(runtime()), await makeMerchant(runtime())]);
});
beforeEach(async () => {
  world = await createWorld(stage);
});

const many = <Value>(run: (index: number) => Promise<Value>) => Promise.all(Array.from({ length: MANY }, (_, index) => run(index)));
const books = () => readBooks(world.runtime.db);
const expectConsistent = async () => expect((await verifyLedger(world.runtime.db)).filter(({ count }) => count > 0)).toEqual([]);

function one<Item>(items: readonly Item[]): Item {
  const [item] = items;
  if (!item) throw new Error('the list is empty');
  return item;
}

function mobile(number: string): Mobile {
  const parsed = parseMobile(number);
  if (parsed === null) throw new Error(`${number} is no mobile number`);
  return parsed;
}

/** The index of 3,400.25 shillings in the model's amounts. */
const LARGE = 3;

/**
 * Creates a bill. With `prompted`, its prompt is sent through the merchant's own account. The provider of this account signs its callbacks.
 * @param options.amount the index of the bill's amount in the model's amounts. The default is 0, for 1,000 shillings.
 */
async function bill({ prompted, amount = 0 }: { prompted: boolean; amount?: number }): Promise<string> {
  await create(world, { amount, mobile: prompted ? 0 : MOBILES.length, merchant: 0 });
  await workAll(world);
  return (await books()).bills.at(-1)?.id ?? '';
}

/** Creates an unmatched payment of 400 shillings without an attempt. Returns its id. */
async function unmatched(): Promise<string> {
  await payUnasked(world, { till: 0, amount: 3, late: 0 });
  return one((await books()).payments).id;
}

describe('concurrently', () => {
  test('a repeated callback leads to one payment', async () => {
    await bill({ prompted: true });
    const [prompt] = world.provider.prompts.values();
    world.provider.pay('own', prompt?.reference ?? '', 100_000);
    await many(() => deliverNotice(world, one(world.provider.notices)));
    const { payments, bills, deliveries, callbacks } = await books();
    expect(payments).toHaveLength(1);
    expect(one(bills)).toMatchObject({ status: 'FULLY_PAID', paid_amount: 100_000, reserved_amount: 0 });
    expect(deliveries).toHaveLength(1);
    expect(callbacks).toBe(MANY);
    await expectConsistent();
  });

  test('each repeated reversal is booked once', async () => {
    await bill({ prompted: true });
    const [prompt] = world.provider.prompts.values();
    world.provider.pay('own', prompt?.reference ?? '', 100_000);
    const payment = one(world.provider.transactions);
    for (const amount of [30_000, 30_000]) world.provider.reverse(payment, amount);
    await many((index) => deliverNotice(world, one(world.provider.notices.slice(index % 3))));
    const { payments, bills } = await books();
    expect(payments.map(({ amount }) => amount).toSorted()).toEqual([100_000, 30_000, 30_000]);
    expect(one(bills)).toMatchObject({ status: 'PARTIALLY_PAID', paid_amount: 40_000 });
    await expectConsistent();
  });

  test('many requests for one number lead to one prompt', async () => {
    const billId = await bill({ prompted: false });
    const results = await many(() =>
      requestPrompt(world.runtime, { environment: 'sandbox', billId, mobile: mobile('0744000001'), amount: 100_000n }),
    );
    expect(results.filter(({ kind }) => kind === 'requested')).toHaveLength(1);
    expect((await books()).attempts).toHaveLength(1);
    await expectConsistent();
  });

  test('prompts for part payments of many numbers never exceed the remaining amount of the bill', async () => {
    const billId = await bill({ prompted: false, amount: LARGE });
    const results = await many((index) => {
      const own = mobile(`07440001${String(index).padStart(2, '0')}`);
      return requestPrompt(world.runtime, { environment: 'sandbox', billId, mobile: own, amount: 60_000n });
    });
    // The bill is 3,400.25 shillings, and each part is 600. Four parts leave 1,000.25 shillings. A fifth part would leave 400.25, but Bili
    // allows no part payment that leaves less than 500.
    const kinds = results.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'requested')).toHaveLength(4);
    expect(new Set(kinds)).toEqual(new Set(['requested', 'amount_wrong']));
    expect(one((await books()).bills)).toMatchObject({ reserved_amount: 240_000 });
    await expectConsistent();
  });

  test('two workers send each prompt once', async () => {
    // The bills belong to the second merchant, because the account of the first one has a limit of requests.
    for (let made = 0; made < MANY; made += 1) await create(world, { amount: 0, mobile: 0, merchant: 1 });
    const worker = async () => {
      for (let done = 0; done < MANY; done += 1) await work(world, HONEST);
    };
    await Promise.all([worker(), worker()]);
    expect(world.provider.prompts.size).toBe(MANY);
    expect(world.provider.complaints).toEqual([]);
    expect((await books()).answers).toBe(MANY);
    await expectConsistent();
  });

  test('allocations of unmatched money to two bills never exceed its amount', async () => {
    const bills = [await bill({ prompted: false }), await bill({ prompted: false })];
    const paymentId = await unmatched();
    const allocated = await many((index) =>
      allocatePayment(world.runtime, { paymentId, billId: bills[index % 2] ?? '', amount: 3_000n, reason: 'r', actor: TEST_OPERATOR }),
    );
    expect(allocated.filter(({ ok }) => ok)).toHaveLength(13);
    expect((await books()).allocations.reduce((sum, { amount }) => sum + amount, 0)).toBe(39_000);
    await expectConsistent();
  });

  test('an attempt is released once', async () => {
    await create(world, { amount: 0, mobile: 0, merchant: 0 });
    world.books = await books();
    await work(world, { fate: 2, word: 0 });
    world.advance(16 * MINUTE_MS);
    const attemptId = one((await books()).attempts).id;
    const access = accessTo(one((await books()).bills));
    const released = await many(() => releaseAttempt(world.runtime, access, { attemptId, reason: 'r' }));
    expect(released.filter(({ ok }) => ok)).toHaveLength(1);
    expect(one((await books()).bills)).toMatchObject({ reserved_amount: 0 });
    await expectConsistent();
  });

  test('one reversal of a payment is requested', async () => {
    const paymentId = await unmatched();
    const options = { paymentId, amount: 10_000n, reason: 'r', actor: TEST_OPERATOR };
    const results = await many(() => requestReversal(world.process(HONEST), options));
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    await expectConsistent();
  });

  test('a failed and a booked reversal of one payment do not deadlock', async () => {
    const paymentId = await unmatched();
    const payment = await findPaymentById(world.runtime.db, paymentId);
    if (!payment) throw new Error('the payment was not found');
    const reported = { account: { id: payment.providerAccountId, environment: 'sandbox' }, transactionId: payment.transactionId } as const;
    for (let round = 0; round < 20; round += 1) {
      const requested = await requestReversal(world.process(HONEST), { paymentId, amount: 1_000n, reason: 'r', actor: TEST_OPERATOR });
      if (!requested.ok) throw new Error(requested.error);
      const refund = await findRefund(world.runtime.db, requested.value);
      if (!refund) throw new Error('the refund is not stored');
      const receipt = { reversalTransactionId: `BACK${round}`, amount: 1_000n, source: 'callback' } as const;
      await Promise.all([
        failRefund(world.runtime, refund, payment, { reason: 'rejected', by: 'test' }),
        bookReversal(world.runtime, { ...reported, ...receipt }),
      ]);
    }
    expect((await books()).payments).toHaveLength(21);
    await expectConsistent();
  });

  test('a reversal that meets a new allocation locks its bill before it changes the bill', async () => {
    const billId = await bill({ prompted: false, amount: LARGE });
    const paymentId = await unmatched();
    const { db } = world.runtime;
    const payment = await findPaymentById(db, paymentId);
    if (!payment) throw new Error('the payment was not found');
    const word = { paymentId, billId, reason: 'r', actor: TEST_OPERATOR };
    const account = { id: payment.providerAccountId, environment: 'sandbox' } as const;
    const back = { reversalTransactionId: 'BACK', amount: null, source: 'callback' } as const;
    const waiting = { text: "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'" };
    const blocked = (count: number) => expect.poll(async () => (await db.query(waiting)).length).toBe(count);

    // The first transaction allocates the payment. Meanwhile the reversal waits for the payment, and the other allocation for the bill.
    const others = await withBills(
      world.runtime,
      async () => [billId],
      async (tx, bookings, now) => {
        await lockBalance(tx, payment);
        const reversed = bookReversal(world.runtime, { account, transactionId: payment.transactionId, ...back });
        await blocked(1);
        const moved = movePayment(world.runtime, { ...word, reviewId: null });
        await blocked(2);
        const target = await findTarget(db, word);
        if (!target.ok) throw new Error(target.error);
        const allocation = { ...target.value, amount: 10_000n, reason: 'r', actor: TEST_OPERATOR, action: 'payment.allocated', now };
        await allocateToBill(world.runtime, tx, bookings, allocation);
        return [reversed, moved];
      },
    );
    expect(await Promise.all(others)).toEqual(['booked', { ok: true, value: 30_000n }]);
    await expectConsistent();
  });
});
