import { describe, expect, test } from 'vitest';
import { closeBill, reopenBill } from '@/lib/backoffice/bill-page/close-bill';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { testInstruments, WORDS } from '@/testing/data/instruments';
import { testRuntime } from '@/testing/runtime';
import { INSTRUMENTS_A_DAY, offersInstruments, usableInstruments } from './ask-instruments';
import { readInstrumentBill } from './store';

const runtime = testRuntime();
const tools = testInstruments(runtime);
const { ask, step, work, issued, list, find, createBill, pay, bill, breaches } = tools;
const db = () => tools.world().runtime.db;
const change = (sql: string, values: readonly unknown[] = []) => db().query({ text: sql }, values);

/** The kinds and amounts that a customer of the bill can use now. */
async function usable(billId: string): Promise<{ usable: string[]; pending: boolean }> {
  const found = usableInstruments(
    tools.gateway(),
    await readInstrumentBill(db(), billId),
    await list(billId),
    tools.world().runtime.clock(),
  );
  return { ...found, usable: found.usable.map(({ kind, amount }) => `${kind} ${amount / 100n}`).sort() };
}

/** Asks for the instruments of a bill, of which the first step is that of this kind. */
async function askFor(billId: string, kind: string): Promise<void> {
  await ask(billId);
  await change("UPDATE instrument SET due_at = due_at - interval '1 second' WHERE bill_id = $1 AND kind = $2", [billId, kind]);
}

const reason = 'the goods are gone';
const access = (index = 0) => tools.merchant(index).operator('sandbox');

describe('asking for the instruments of a bill', () => {
  test('gives each way once, which a worker then issues', async () => {
    const billId = await createBill();
    expect(await offersInstruments(tools.gateway(), billId)).toBe(true);
    expect(await ask(billId)).toHaveLength(3);
    expect(await usable(billId)).toEqual({ usable: [], pending: true });
    await work();
    expect(await usable(billId)).toEqual({ usable: ['bill 5000', 'code 5000', 'order 5000'], pending: false });
    expect(await bill(billId)).toMatchObject({ mobile: null, reservedAmount: 0n, status: 'NOT_PAID' });
    expect(await breaches()).toEqual([]);
  });

  test('again, also at the same time, asks for no others', async () => {
    const billId = await createBill();
    await Promise.all([ask(billId), ask(billId), ask(billId)]);
    await ask(billId);
    expect(await list(billId)).toHaveLength(3);
    await work();
    await ask(billId);
    expect(await list(billId)).toHaveLength(3);
    expect(tools.world().provider.instruments.size).toBe(3);
    const events = await change("SELECT data->>'amount' AS amount FROM bill_event WHERE bill_id = $1 AND type = 'instrument.asked'", [
      billId,
    ]);
    expect(events).toEqual([{ amount: '500000' }]);
  });

  test('uses the own account of the merchant before those of the operator, and never that of another merchant', async () => {
    const own = tools.world().accounts.own.id;
    const accountsOf = async (index: number) => {
      const billId = await createBill(index);
      await ask(billId);
      return (await list(billId)).map(({ providerAccountId }) => providerAccountId);
    };
    expect((await accountsOf(0))[0]).toBe(own);
    expect(await accountsOf(1)).not.toContain(own);
  });

  test.each([
    ['disabled', 'disabled_at = now()'],
    ['suspended', "avoid_until = now() + interval '1 day'"],
  ])('does not use an account that is %s', async (_what, set) => {
    await change(`UPDATE provider_account SET ${set} WHERE id = $1`, [tools.world().accounts.own.id]);
    const billId = await createBill();
    await ask(billId);
    expect((await find(billId, 'order')).providerAccountId).toBe(tools.world().accounts.signed.id);
  });

  test('is not possible without an account, and says so', async () => {
    await change("UPDATE provider_account SET disabled_at = now() WHERE provider LIKE 'fake-%'");
    const billId = await createBill();
    expect(await ask(billId)).toBe('not_offered');
    expect(await offersInstruments(tools.gateway(), billId)).toBe(false);
  });

  test('is refused for a bill that nobody can pay', async () => {
    const closed = await createBill();
    await closeBill(tools.gateway(), access(), { billId: closed, reason });
    const expired = await createBill();
    await change('UPDATE bill SET expires_at = $2 WHERE id = $1', [expired, addMs(tools.world().runtime.clock(), -1)]);
    const paid = await issued();
    await pay(paid, 'order');
    await work();
    expect([await ask(closed), await ask(expired), await ask(paid)]).toEqual(['not_payable', 'not_payable', 'not_payable']);
    await reopenBill(tools.gateway(), access(), { billId: closed, reason });
    expect(await ask(closed)).toHaveLength(3);
  });

  test('is refused for a merchant that is not active, whose instruments nobody sees', async () => {
    const [asked, other] = [await issued(1), await createBill(1)];
    await change("UPDATE merchant_profile SET status = 'suspended' WHERE merchant_id = $1", [tools.merchant(1).merchant.id]);
    expect(await ask(other)).toBe('not_payable');
    expect(await usable(asked)).toEqual({ usable: [], pending: false });
    await change("UPDATE merchant_profile SET status = 'active'");
  });

  test('is limited per day', async () => {
    const billId = await createBill();
    while ((await list(billId)).length + 3 <= INSTRUMENTS_A_DAY) {
      await ask(billId);
      await change(
        "UPDATE instrument SET state = 'ENDED', end_reason = 'changed', ended_at = now() WHERE bill_id = $1 AND state = 'ASKED'",
        [billId],
      );
    }
    expect(await ask(billId)).toBe('too_many');
    tools.world().advance(DAY_MS);
    expect(await ask(billId)).toHaveLength(3);
  });
});

describe('a refused instrument', () => {
  test('is asked for at the next account at once, and at the first one after an hour', async () => {
    const billId = await createBill();
    await askFor(billId, 'order');
    await step('answered', WORDS.refused);
    await work();
    const orders = async () =>
      (await list(billId)).filter(({ kind }) => kind === 'order').map((one) => [one.providerAccountId, one.endReason]);
    const { own, signed } = tools.world().accounts;
    expect(await orders()).toEqual([
      [own.id, 'refused'],
      [signed.id, null],
    ]);
    await change("UPDATE instrument SET state = 'ENDED', end_reason = 'expired', ended_at = now() WHERE end_reason IS NULL");
    tools.world().advance(HOUR_MS + MINUTE_MS);
    await ask(billId);
    expect((await orders()).find(([, end]) => end === null)).toEqual([own.id, null]);
  });
});

describe('after a part of a bill is paid', () => {
  test('an exact instrument is replaced, and one of any amount changes', async () => {
    const billId = await issued();
    const before = await list(billId);
    await pay(billId, 'bill', { senti: 200_000 });
    // Until a worker has replaced them, nobody is asked to pay the old amount.
    expect(await usable(billId)).toMatchObject({ usable: ['bill 5000'] });
    await work();
    expect(await usable(billId)).toEqual({ usable: ['bill 3000', 'code 3000', 'order 3000'], pending: false });
    const replaced = (await list(billId)).filter(({ endReason }) => endReason === 'changed').map(({ id }) => id);
    expect(replaced).toEqual(before.filter(({ kind }) => kind !== 'bill').map(({ id }) => id));
    expect((await tools.theirs(billId, 'bill')).amount).toBe(300_000);
    expect(tools.world().provider.complaints).toEqual([]);
  });

  test('one of any amount is kept if the provider refuses the change or has none', async () => {
    const billId = await issued();
    const kept = await find(billId, 'bill');
    await pay(billId, 'bill', { senti: 200_000 });
    await change('UPDATE instrument SET due_at = NULL WHERE id <> $1', [kept.id]);
    await step('answered', 2);
    expect(await find(billId, 'bill')).toMatchObject({ id: kept.id, state: 'ACTIVE', amount: 300_000n, number: kept.number });
    expect(await usable(billId)).toMatchObject({ usable: ['bill 3000'] });
    await ask(billId);
    expect((await list(billId)).filter(({ kind }) => kind === 'bill')).toHaveLength(1);
  });

  test('one that was not sent yet is replaced too', async () => {
    const billId = await createBill();
    await ask(billId);
    await change('UPDATE bill SET amount = 400000 WHERE id = $1', [billId]);
    await work();
    expect(await usable(billId)).toMatchObject({ usable: ['bill 4000', 'code 4000', 'order 4000'] });
    expect(tools.world().provider.instruments.size).toBe(3);
  });

  test('one of which nobody knows whether it was issued does not keep the customer waiting', async () => {
    const billId = await createBill();
    await askFor(billId, 'order');
    await step('lost');
    await change('UPDATE bill SET amount = 400000 WHERE id = $1', [billId]);
    await ask(billId);
    const orders = (await list(billId)).filter(({ kind }) => kind === 'order');
    expect(orders.map(({ state, amount }) => [state, amount]).toSorted()).toEqual([
      ['ASKED', 400_000n],
      ['UNKNOWN', 500_000n],
    ]);
  });
});

describe('the instruments of a bill end', () => {
  const ends = async (billId: string) =>
    new Set((await list(billId)).map(({ endReason, closedAt }) => `${endReason} ${closedAt !== null}`));

  test('when it is paid, closed or has expired; what the provider can cancel is cancelled', async () => {
    const [paid, closed, expired] = [await issued(), await issued(), await issued()];
    await tools.pay(paid, 'order');
    await closeBill(tools.gateway(), access(), { billId: closed, reason });
    await change('UPDATE bill SET expires_at = $2 WHERE id = $1', [expired, tools.world().runtime.clock()]);
    await change('UPDATE instrument SET due_at = $1 WHERE bill_id = $2', [tools.world().runtime.clock(), expired]);
    await work();
    expect([await ends(paid), await ends(closed), await ends(expired)]).toEqual([
      new Set(['paid true', 'paid false']),
      new Set(['closed true', 'closed false']),
      new Set(['closed true', 'closed false']),
    ]);
    const open = [...tools.world().provider.instruments.values()].filter(({ isOpen }) => isOpen);
    expect(new Set(open.map(({ till }) => till))).toEqual(new Set(['unsigned']));
  });

  test('when the provider says so, and then others are asked for', async () => {
    const billId = await createBill();
    await askFor(billId, 'order');
    await step('answered', WORDS.forAnHour);
    await work();
    tools.world().advance(2 * HOUR_MS);
    expect(await usable(billId)).toMatchObject({ usable: ['bill 5000', 'code 5000'] });
    await work();
    expect(await find(billId, 'order')).toMatchObject({ state: 'ENDED', endReason: 'expired' });
    expect(await ask(billId)).toHaveLength(3);
  });

  test('at once if a bill is closed before they were sent', async () => {
    const billId = await createBill();
    await ask(billId);
    await closeBill(tools.gateway(), access(), { billId, reason });
    await work();
    expect(await ends(billId)).toEqual(new Set(['closed true']));
    expect(tools.world().provider.instruments.size).toBe(0);
  });
});
