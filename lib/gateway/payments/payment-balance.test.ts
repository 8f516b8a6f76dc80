import { beforeAll, describe, expect, test } from 'vitest';
import type { Queryable } from '@/lib/platform/db/database';
import { testReconciling, uniqueId } from '@/testing/data/reconciling';
import { makeBill, type TestMerchant, testRuntime } from '@/testing/runtime';

const runtime = testRuntime();
const tools = testReconciling(runtime);

let accountId: string;
let merchant: TestMerchant;
let merchantId: string;
let billId: string;
beforeAll(async () => {
  const till = await tools.makeTill();
  accountId = till.id;
  merchant = till.merchant;
  ({ merchantId } = merchant.scope('sandbox'));
  billId = await makeBill(runtime(), merchant, { amount: 5000 });
});

/** Runs `work` in a transaction that is rolled back. Returns its result. */
async function rolledBack<Value>(work: (tx: Queryable) => Promise<Value>): Promise<Value> {
  const done: Value[] = [];
  const undo = new Error('undo');
  await runtime()
    .db.transaction(async (tx) => {
      done.push(await work(tx));
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
  const [value] = done;
  if (value === undefined) throw new Error('the work returned no value');
  return value;
}

async function enter(tx: Queryable, amount: bigint, reverses: string | null = null): Promise<string> {
  const id = crypto.randomUUID();
  await tx.query(
    {
      text: `INSERT INTO payment (id, environment, merchant_id, provider_account_id, provider_transaction_id, kind, amount, reverses_id, recorded_at)
             VALUES ($1, 'sandbox', $2, $3, $4, CASE WHEN $6::uuid IS NULL THEN 'payment'::payment_kind ELSE 'reversal' END, $5, $6, now())`,
    },
    [id, merchantId, accountId, uniqueId('T'), amount, reverses],
  );
  return id;
}

async function allocate(tx: Queryable, paymentId: string, amount: bigint, bill = billId): Promise<void> {
  await tx.query(
    {
      text: `INSERT INTO payment_allocation (id, merchant_id, environment, payment_id, bill_id, amount, created_by, created_at)
             VALUES ($1, $2, 'sandbox', $3, $4, $5, 'test', now())`,
    },
    [crypto.randomUUID(), merchantId, paymentId, bill, amount],
  );
}

/** Inserts a correction. @param corrects the id of the payment or of one of its reversals. */
async function enterCorrection(tx: Queryable, amount: bigint, payment: string, corrects = payment): Promise<string> {
  const id = crypto.randomUUID();
  await tx.query(
    {
      text: `INSERT INTO payment (id, environment, merchant_id, provider_account_id, provider_transaction_id, kind, amount, recorded_at)
             VALUES ($1::uuid, 'sandbox', $2, $3, $1::text, 'correction', $4, now())`,
    },
    [id, merchantId, accountId, amount],
  );
  await tx.query(
    { text: "INSERT INTO payment_correction (id, payment_id, corrects_id, reason, created_by) VALUES ($1, $2, $3, 'r', 'c')" },
    [id, payment, corrects],
  );
  return id;
}

/** Runs the checks that PostgreSQL otherwise runs at the commit. */
const check = (tx: Queryable) =>
  tx.query({
    text: 'SET CONSTRAINTS allocation_fits_payment, reversal_fits_payment, correction_fits_payment, correction_has_entry, correction_of_entry IMMEDIATE',
  });

describe('the database rejects', () => {
  test.each([
    ['another merchant', "gen_random_uuid(), 'sandbox'"],
    ['another environment', "merchant_id, 'live'"],
  ])('an allocation with %s than its bill', async (_what, owner) => {
    const tried = rolledBack(async (tx) => {
      const payment = await enter(tx, 100n);
      const text = `INSERT INTO payment_allocation (id, merchant_id, environment, payment_id, bill_id, amount, created_by, created_at)
        SELECT gen_random_uuid(), ${owner}, $1, id, 100, 'test', now() FROM bill WHERE id = $2`;
      await tx.query({ text }, [payment, billId]);
      await tx.query({ text: 'SET CONSTRAINTS allocation_counts_on_bill IMMEDIATE' });
    });
    await expect(tried).rejects.toThrow('has another merchant or environment than its bill');
  });

  test.each([
    ['more than open attempts ask for', 'reserved_amount + 100'],
    ['less than open attempts ask for', 'reserved_amount - 100'],
  ])('a bill that reserves %s', async (_what, reserved) => {
    const asked = await makeBill(runtime(), merchant, { amount: 5000, mobile: '0754000001' });
    const change = (amount: string) => runtime().db.query({ text: `UPDATE bill SET reserved_amount = ${amount} WHERE id = $1` }, [asked]);
    await expect(change(reserved)).rejects.toThrow('is not the sum of its open attempts');
  });

  test.each([
    ['reversals that exceed the payment', 'is reversed than was received', 0n, [60n, 60n], 0n],
    ['allocations that exceed the payment', 'is allocated than there is', 101n, [], 0n],
    ['allocations that exceed the remaining amount after reversals', 'is allocated than there is', 100n, [60n], -50n],
    ['a negative allocation of a payment', 'has the wrong sign', -1n, [], 0n],
    ['a positive allocation of a reversal', 'has the wrong sign', 40n, [50n], 1n],
    ['a reversal that takes more from bills than its own amount', 'takes more from bills than it takes back', 100n, [50n], -51n],
  ])('%s', async (_what, complaint, allocated, reversed, taken) => {
    const tried = rolledBack(async (tx) => {
      const payment = await enter(tx, 100n);
      if (allocated !== 0n) await allocate(tx, payment, allocated);
      for (const amount of reversed) {
        const reversal = await enter(tx, amount, payment);
        if (taken !== 0n) await allocate(tx, reversal, taken);
      }
      await check(tx);
    });
    await expect(tried).rejects.toThrow(complaint);
  });

  test.each<[string, string, (tx: Queryable, payment: string, reversal: string) => Promise<unknown>]>([
    [
      'a correction of a payment to less than its reversals',
      'is reversed than was received',
      (tx, payment) => enterCorrection(tx, -61n, payment),
    ],
    [
      'a correction of a payment to less than its allocations',
      'is allocated than there is',
      (tx, payment) => enterCorrection(tx, -50n, payment),
    ],
    [
      'a correction of a reversal to more than the payment',
      'is reversed than was received',
      (tx, payment, back) => enterCorrection(tx, 61n, payment, back),
    ],
    [
      'a correction of a reversal to a negative amount',
      'to less than nothing',
      (tx, payment, back) => enterCorrection(tx, -41n, payment, back),
    ],
    [
      'a correction that allocates more to a bill than it adds',
      'moves other money',
      async (tx, payment) => allocate(tx, await enterCorrection(tx, 5n, payment), 6n),
    ],
    [
      'a correction that adds money and takes from a bill',
      'moves other money',
      async (tx, payment) => allocate(tx, await enterCorrection(tx, 5n, payment), -1n),
    ],
    [
      'a correction that reduces a reversal and takes money from a bill',
      'moves other money',
      async (tx, payment, back) => allocate(tx, await enterCorrection(tx, -5n, payment, back), -1n),
    ],
    [
      'a correction that refers to an entry of another payment',
      'does not correct a payment or its reversal',
      async (tx, payment) => enterCorrection(tx, 5n, payment, await enter(tx, 10n)),
    ],
    [
      'a correction of a correction',
      'does not correct a payment or its reversal',
      async (tx, payment) => enterCorrection(tx, 5n, payment, await enterCorrection(tx, 5n, payment)),
    ],
  ])('%s', async (_what, complaint, work) => {
    const tried = rolledBack(async (tx) => {
      const payment = await enter(tx, 100n);
      await allocate(tx, payment, 50n);
      await work(tx, payment, await enter(tx, 40n, payment));
      await check(tx);
    });
    await expect(tried).rejects.toThrow(complaint);
  });

  test('a correction without a corrected entry, and a payment with a negative amount', async () => {
    const alone = (kind: string, amount: number) =>
      rolledBack(async (tx) => {
        await tx.query(
          {
            text: `INSERT INTO payment (id, environment, provider_account_id, provider_transaction_id, kind, amount, recorded_at)
                   VALUES ($1, 'sandbox', $2, $3, $4, $5, now())`,
          },
          [crypto.randomUUID(), accountId, uniqueId('T'), kind, amount],
        );
        await check(tx);
      });
    await expect(alone('correction', 5)).rejects.toThrow('does not correct a payment or its reversal');
    await expect(alone('correction', 0)).rejects.toThrow('payment_amount_positive');
    await expect(alone('payment', -5)).rejects.toThrow('payment_amount_positive');
  });

  test('no consistent correction', async () => {
    const tried = rolledBack(async (tx) => {
      const payment = await enter(tx, 100n);
      await allocate(tx, payment, 60n);
      const back = await enter(tx, 40n, payment);
      await allocate(tx, await enterCorrection(tx, -10n, payment), -10n);
      await allocate(tx, await enterCorrection(tx, -40n, payment, back), 40n);
      await allocate(tx, await enterCorrection(tx, 7n, payment), 7n);
      return check(tx);
    });
    await expect(tried).resolves.toEqual([]);
  });

  test('no consistent payment with allocations and reversals', async () => {
    const tried = rolledBack(async (tx) => {
      const payment = await enter(tx, 100n);
      await allocate(tx, payment, 90n);
      for (const taken of [-20n, -30n]) await allocate(tx, await enter(tx, 30n, payment), taken);
      return check(tx);
    });
    await expect(tried).resolves.toEqual([]);
  });
});

test('two transactions that allocate one payment cannot both commit', async () => {
  const [one, other] = [await makeBill(runtime(), merchant, { amount: 1 }), await makeBill(runtime(), merchant, { amount: 1 })];
  const { db } = runtime();
  const payment = await db.transaction((tx) => enter(tx, 100n));
  const take = async (tx: Queryable, bill: string) => {
    await allocate(tx, payment, 100n, bill);
    await tx.query({ text: "UPDATE bill SET paid_amount = 100, status = 'FULLY_PAID' WHERE id = $1" }, [bill]);
    await tx.query({ text: 'SET CONSTRAINTS ALL IMMEDIATE' });
  };
  const [checked, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const earlier = db.transaction(async (tx) => {
    await take(tx, one);
    checked.resolve();
    await commit.promise;
  });
  await checked.promise;
  let outcome = 'waits';
  const later = db
    .transaction((tx) => take(tx, other))
    .then(() => 'committed')
    .catch((error: Error) => error.message)
    .then((ended) => (outcome = ended));
  const waiting = { text: "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'" };
  await expect.poll(async () => outcome !== 'waits' || (await db.query(waiting)).length > 0).toBe(true);
  commit.resolve();
  await earlier;
  await later;
  expect(outcome).toContain('is allocated than there is');
});

test('a booking reads only the rows of its own payment', async () => {
  const read = await rolledBack(async (tx) => {
    for (let n = 0; n < 100; n += 1) await allocate(tx, await enter(tx, 100n), 100n);
    // PostgreSQL would otherwise scan such a small table completely, also with cached plans.
    await tx.query({ text: 'SET LOCAL enable_seqscan = off' });
    await tx.query({ text: 'DISCARD PLANS' });
    await check(tx);
    await tx.query({ text: 'SET CONSTRAINTS ALL DEFERRED' });
    const before = await rowsRead(tx);
    const payment = await enter(tx, 100n);
    await allocate(tx, payment, 100n);
    await allocate(tx, await enter(tx, 40n, payment), -40n);
    await check(tx);
    return (await rowsRead(tx)) - before;
  });
  expect(read).toBeLessThan(100);
});

async function rowsRead(tx: Queryable): Promise<number> {
  const [row] = await tx.query<{ n: number }>({
    text: `SELECT sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int AS n FROM pg_stat_xact_user_tables WHERE relname IN ('payment', 'payment_allocation')`,
  });
  return row?.n ?? 0;
}
