import { describe, expect, test } from 'vitest';
import { applyMessage } from '@/lib/gateway/callbacks/apply-message';
import { receiveCallback } from '@/lib/gateway/callbacks/receive-callback';
import { claimMessages } from '@/lib/gateway/messages/message-store';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { testInstruments, WORDS } from '@/testing/data/instruments';
import { encode } from '@/testing/fakes/fake-wire';
import { testRuntime } from '@/testing/runtime';
import { claimInstruments, makeInstrumentDue } from './store';
import { workInstrument } from './work-instrument';

const runtime = testRuntime();
const tools = testInstruments(runtime);
const { ask, step, work, issued, find, theirs, createBill, pay, bill, payments, breaches } = tools;
const world = () => tools.world();
const change = (sql: string, values: readonly unknown[] = []) => world().runtime.db.query({ text: sql }, values);

type Kind = Parameters<typeof find>[1];

/** Creates a bill with only one instrument, which is asked for. */
async function asked(kind: Kind = 'order', index = 0): Promise<string> {
  const billId = await createBill(index);
  await ask(billId);
  await change('DELETE FROM instrument WHERE bill_id = $1 AND kind <> $2', [billId, kind]);
  return billId;
}

async function claimOne() {
  const now = world().runtime.clock();
  const [claimed] = await claimInstruments(world().runtime.db, { now, leaseUntil: addMs(now, MINUTE_MS), limit: 1 });
  if (!claimed) throw new Error('no instrument is due');
  return claimed;
}

const workOn = (claimed: Parameters<typeof workInstrument>[1]) => workInstrument(tools.gateway(), claimed, new AbortController().signal);

describe('a request to issue an instrument', () => {
  test('that is answered makes it active', async () => {
    const billId = await asked();
    await step();
    expect(await find(billId, 'order')).toMatchObject({ state: 'ACTIVE', sendCount: 1, number: (await theirs(billId, 'order')).number });
  });

  test.each(['answer_lost', 'lost', 'unreadable', 'dies_after', 'dies_before'] as const)(
    'whose answer is lost (%s) is never sent again',
    async (fate) => {
      const billId = await asked();
      await step(fate);
      world().advance(MINUTE_MS);
      for (let steps = 0; steps < 6; steps += 1) await step();
      const arrived = world().provider.instruments.size;
      expect(await find(billId, 'order')).toMatchObject(
        arrived === 1 ? { state: 'ACTIVE', sendCount: 1 } : { endReason: 'lost', sendCount: 1 },
      );
      expect(world().provider.complaints).toEqual([]);
    },
  );

  test('whose answer nobody repeats is given up, and what may have been issued is paid all the same', async () => {
    const billId = await asked('code');
    await step('answer_lost');
    await step();
    expect(await find(billId, 'code')).toMatchObject({ state: 'ENDED', endReason: 'lost', qr: null });
    const receipt = await pay(billId, 'code');
    await step();
    expect(await payments()).toMatchObject([{ providerTransactionId: receipt, late: true, allocations: [{ billId }] }]);
    expect(await bill(billId)).toMatchObject({ status: 'FULLY_PAID' });
  });

  test('that the provider has already is not known to have failed', async () => {
    const billId = await asked();
    await step('answered', WORDS.duplicate);
    expect(await find(billId, 'order')).toMatchObject({ state: 'UNKNOWN' });
    await step();
    expect(await find(billId, 'order')).toMatchObject({ state: 'ACTIVE', sendCount: 1 });
  });

  test('that certainly did not arrive is sent again, and then refused', async () => {
    await change("UPDATE provider_account SET disabled_at = now() WHERE label <> 'own'");
    const billId = await asked();
    await step('not_sent');
    expect(await find(billId, 'order')).toMatchObject({ state: 'ASKED' });
    for (let sendings = 0; sendings < 8; sendings += 1) await step('not_sent');
    expect(await find(billId, 'order')).toMatchObject({ endReason: 'refused', failureReason: 'provider_unavailable' });
    expect(world().provider.instruments.size).toBe(0);
  });

  test('is not interpreted as missing while status queries do not find it yet', async () => {
    const billId = await asked();
    await step('answered', WORDS.foundLate);
    await makeInstrumentDue(world().runtime.db, (await find(billId, 'order')).id, world().runtime.clock());
    await work();
    expect(await find(billId, 'order')).toMatchObject({ state: 'ACTIVE' });
  });

  test('is stored, and another worker applies its answer if the first one has died', async () => {
    const billId = await asked();
    await step('dies_stored');
    expect(await find(billId, 'order')).toMatchObject({ state: 'SENDING' });
    world().advance(30_000);
    const [message] = await claimMessages(world().runtime.db, { now: world().runtime.clock(), limit: 10 });
    if (!message) throw new Error('the answer is not stored');
    await applyMessage(tools.gateway(), message);
    await applyMessage(tools.gateway(), message);
    expect(await find(billId, 'order')).toMatchObject({ state: 'ACTIVE', sendCount: 1 });
  });
});

test('an answer that is applied when the instrument has ended changes nothing', async () => {
  const billId = await asked();
  await step('dies_stored');
  world().advance(MINUTE_MS);
  const ended = async () => (await find(billId, 'order')).state === 'ENDED';
  await change('UPDATE bill SET closed_at = now() WHERE id = $1', [billId]);
  for (let steps = 0; steps < 9 && !(await ended()); steps += 1) await step();
  const before = await find(billId, 'order');
  const [message] = await claimMessages(world().runtime.db, { now: world().runtime.clock(), limit: 10 });
  if (!message) throw new Error('the answer is not stored');
  await applyMessage(tools.gateway(), message);
  expect(await find(billId, 'order')).toEqual(before);
  expect(await change('SELECT 1 FROM provider_message WHERE handled_at IS NULL')).toEqual([]);
});

test('an answer that a worker stores but does not apply books its payment, even after others have worked on', async () => {
  const billId = await asked();
  await step();
  await pay(billId, 'order', { callbacks: 0 });
  await step('dies_stored');
  world().advance(MINUTE_MS);
  await step('lost');
  expect(await payments()).toEqual([]);
  const [message] = await claimMessages(world().runtime.db, { now: world().runtime.clock(), limit: 10 });
  if (!message) throw new Error('the answer is not stored');
  await applyMessage(tools.gateway(), message);
  expect(await payments()).toMatchObject([{ amount: 500_000n, allocations: [{ billId }] }]);
});

describe('a worker', () => {
  test('that was interrupted while it sent the request leaves it unknown', async () => {
    const billId = await asked();
    await claimOne();
    world().advance(2 * MINUTE_MS);
    await workOn(await claimOne());
    expect(await find(billId, 'order')).toMatchObject({ state: 'UNKNOWN', sendCount: 1 });
    expect(world().provider.instruments.size).toBe(0);
  });

  test('that has lost its lease sends nothing', async () => {
    const billId = await asked();
    const late = await claimOne();
    world().advance(2 * MINUTE_MS);
    await workOn(await claimOne());
    await workOn(late);
    expect(await find(billId, 'order')).toMatchObject({ state: 'UNKNOWN' });
    expect(world().provider.instruments.size).toBe(0);
  });

  test('looks again at once if something happened while it worked', async () => {
    const billId = await asked();
    await step();
    world().advance(MINUTE_MS);
    const claimed = await claimOne();
    await makeInstrumentDue(world().runtime.db, claimed.id, world().runtime.clock());
    await workOn(claimed);
    expect((await claimOne()).id).toBe((await find(billId, 'order')).id);
  });

  test('does not look again at once if nothing happened', async () => {
    await asked();
    await step();
    world().advance(MINUTE_MS);
    await workOn(await claimOne());
    await expect(claimOne()).rejects.toThrow('no instrument is due');
  });
});

describe('an ended instrument', () => {
  test('is cancelled until the provider answers, and its payments are queried meanwhile', async () => {
    const billId = await asked('bill');
    await step();
    await change('UPDATE bill SET closed_at = now() WHERE id = $1', [billId]);
    await step();
    expect(await find(billId, 'bill')).toMatchObject({ state: 'ENDED', endReason: 'closed', closedAt: null });
    await step('lost');
    await pay(billId, 'bill', { senti: 100_000, callbacks: 0 });
    await step();
    expect(await bill(billId)).toMatchObject({ paidAmount: 100_000n });
    await step();
    await step();
    expect(await find(billId, 'bill')).toMatchObject({ closedAt: expect.any(Date) });
    await expect(claimOne()).rejects.toThrow('no instrument is due');
    expect((await theirs(billId, 'bill')).isOpen).toBe(false);
  });

  test('that the provider does not cancel, because it was paid, is queried once more', async () => {
    const billId = await asked();
    await step();
    await pay(billId, 'order', { callbacks: 0 });
    await change('UPDATE bill SET closed_at = now() WHERE id = $1', [billId]);
    await work();
    world().advance(MINUTE_MS);
    await work();
    expect(await find(billId, 'order')).toMatchObject({ endReason: 'closed', cancelRefused: true, closedAt: expect.any(Date) });
    expect(await payments()).toMatchObject([{ late: true, amount: 500_000n }]);
    expect(await bill(billId)).toMatchObject({ status: 'FULLY_PAID' });
  });

  test('that cannot be cancelled is queried for three days', async () => {
    const billId = await asked('code');
    await step();
    await change('UPDATE bill SET closed_at = now() WHERE id = $1', [billId]);
    await step();
    for (let hours = 0; hours < 71; hours += 1) {
      world().advance(HOUR_MS);
      await work();
    }
    expect((await theirs(billId, 'code')).isOpen).toBe(true);
    await pay(billId, 'code', { callbacks: 0 });
    world().advance(HOUR_MS + MINUTE_MS);
    await work();
    expect(await bill(billId)).toMatchObject({ status: 'FULLY_PAID', closedAt: expect.any(Date) });
    world().advance(DAY_MS);
    await work();
    await expect(claimOne()).rejects.toThrow('no instrument is due');
  });

  test('is queried again if an unsigned callback says that it was paid', async () => {
    const billId = await asked('code');
    await step();
    await change('UPDATE bill SET closed_at = now() WHERE id = $1', [billId]);
    (await theirs(billId, 'code')).isOpen = false;
    await work();
    await expect(claimOne()).rejects.toThrow('no instrument is due');
    await pay(billId, 'code');
    expect(await payments()).toEqual([]);
    await work();
    expect(await payments()).toMatchObject([{ amount: 500_000n, late: true }]);
  });
});

test('a callback that proves nothing books nothing, and its message belongs to the instrument', async () => {
  const billId = await issued();
  const { id, ourReference } = await find(billId, 'order');
  const { provider, callbackUrl } = world().accounts.own;
  const body = encode({ reference: ourReference, report: { kind: 'paid', receipt: 'FORGED', amount: 500_000 } });
  const token = callbackUrl.split('/').at(-1) ?? '';
  expect(await receiveCallback(tools.gateway(), { provider, token, callback: { headers: {}, body } })).toMatchObject({ ok: true });
  await work();
  expect(await payments()).toEqual([]);
  expect(await bill(billId)).toMatchObject({ status: 'NOT_PAID' });
  expect(
    await change("SELECT handled_at IS NOT NULL AS handled FROM provider_message WHERE kind = 'callback' AND instrument_id = $1", [id]),
  ).toEqual([{ handled: true }]);
  expect(await breaches()).toEqual([]);
});
