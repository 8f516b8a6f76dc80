import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { createBill } from '@/lib/gateway/bills/create/create-bill';
import { MINUTE_MS } from '@/lib/platform/core/clock';
import type { Scope } from '@/lib/platform/core/scope';
import { changeStatus, pay, payWithin } from '@/testing/data/paying';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { explaining } from '@/testing/schema/explain';
import { rowsRead } from '@/testing/schema/rows-read';
import { findFeedEntries, findFeedState, numberFeedEntries } from './feed-store';
import { type FeedPage, readFeed } from './read-feed';

const runtime = testRuntime();
let merchant: TestMerchant;
let scope: Scope;
beforeEach(async () => {
  merchant = await makeMerchant(runtime());
  scope = merchant.scope('sandbox');
});

async function read(after = 0n, limit = 100, of = scope): Promise<FeedPage> {
  const page = await readFeed(runtime(), of, { after, limit });
  if (!page.ok) throw new Error(page.error.code);
  return page.value;
}

/** A client that stores only the cursor between reads. */
function follower() {
  let cursor = 0n;
  const bodies: string[] = [];
  return {
    bodies,
    async read(limit: number): Promise<FeedPage> {
      const page = await read(cursor, limit);
      bodies.push(...page.entries.map(({ body }) => body.toString()));
      cursor = page.last;
      return page;
    },
    async readAll(limit: number): Promise<void> {
      while ((await this.read(limit)).more);
    },
  };
}

/** Returns the bodies of all events of the merchant in order, by bill id. */
async function eventsByBill(): Promise<Map<string, string[]>> {
  const rows = await runtime().db.query<{ billId: string; body: Buffer }>(
    { text: 'SELECT bill_id AS "billId", body FROM webhook_delivery WHERE merchant_id = $1 ORDER BY bill_id, event_number' },
    [merchant.merchant.id],
  );
  return new Map([...Map.groupBy(rows, ({ billId }) => billId)].map(([id, events]) => [id, events.map(({ body }) => body.toString())]));
}

function byBill(bodies: readonly string[]): Map<string, string[]> {
  return Map.groupBy(bodies.toSorted(byId), idOf);
}

const idOf = (body: string): string => JSON.parse(body).bill.id;
const byId = (a: string, b: string) => (idOf(a) < idOf(b) ? -1 : idOf(a) > idOf(b) ? 1 : 0);

/** Pays in a transaction and leaves it open after the writes. @returns a function that commits it. */
async function payLate(billId: string, amount: bigint): Promise<() => Promise<void>> {
  const written = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const paying = runtime().db.transaction(async (tx) => {
    await payWithin(runtime(), tx, billId, amount);
    written.resolve();
    await held.promise;
  });
  await Promise.race([written.promise, paying]);
  return async () => {
    held.resolve();
    await paying;
  };
}

test('an empty feed has the cursor 0 and no more events', async () => {
  expect(await read()).toEqual({ entries: [], last: 0n, more: false });
});

test('events are numbered from 1, contain the bodies of the webhooks and keep their numbers', async () => {
  const billId = await makeBill(runtime(), merchant);
  await changeStatus(runtime(), billId, 3);
  const page = await read();
  expect(page).toMatchObject({ last: 3n, more: false, entries: [{ number: 1n }, { number: 2n }, { number: 3n }] });
  expect(page.entries.map(({ body }) => body.toString())).toEqual((await eventsByBill()).get(billId));
  await changeStatus(runtime(), billId, 1);
  expect((await read()).entries.slice(0, 3)).toEqual(page.entries);
  expect(await read(3n)).toMatchObject({ last: 4n, entries: [{ number: 4n }] });
  expect(await read(4n)).toEqual({ entries: [], last: 4n, more: false });
});

test('a page has at most the requested number of events and says whether there are more', async () => {
  await changeStatus(runtime(), await makeBill(runtime(), merchant), 5);
  expect(await read(0n, 2)).toMatchObject({ last: 2n, more: true });
  expect(await read(2n, 2)).toMatchObject({ last: 4n, more: true });
  expect(await read(4n, 2)).toMatchObject({ last: 5n, more: false });
  expect(await read(1n, 4)).toMatchObject({ last: 5n, more: false });
  expect(await read(0n, 1)).toMatchObject({ last: 1n, more: true });
});

test("a bill's events are in order even if they were created by processes with different clocks", async () => {
  const billId = await makeBill(runtime(), merchant);
  runtime().advance(MINUTE_MS);
  await changeStatus(runtime(), billId, 1);
  runtime().advance(-MINUTE_MS);
  await changeStatus(runtime(), billId, 2);
  const { entries } = await read();
  expect(entries.map(({ body }) => body.toString())).toEqual((await eventsByBill()).get(billId));
});

test('the feed contains only events of the merchant and the environment', async () => {
  const bill = { amount: 500000n, reference: 'LIVE', mobile: null };
  const options = { scope: merchant.scope('live'), bill, createdBy: 'test', uniqueReferences: false, idempotencyKey: null };
  const created = await createBill(runtime(), options);
  if (!created.ok) throw new Error(created.error.code);
  await changeStatus(runtime(), created.value.bill.id, 2);
  await changeStatus(runtime(), await makeBill(runtime(), await makeMerchant(runtime())), 2);
  const own = await makeBill(runtime(), merchant);
  await changeStatus(runtime(), own, 1);
  expect((await read()).entries.map(({ body }) => idOf(body.toString()))).toEqual([own]);
  expect(await read(0n, 100, merchant.scope('live'))).toMatchObject({ last: 2n, entries: [{ number: 1n }, { number: 2n }] });
});

test('a cursor that was never assigned is refused, because events up to it would be skipped', async () => {
  await changeStatus(runtime(), await makeBill(runtime(), merchant), 2);
  expect(await readFeed(runtime(), scope, { after: 1n, limit: 1 })).toMatchObject({ ok: false, error: { code: 'after_invalid' } });
  await read();
  expect(await readFeed(runtime(), scope, { after: 2n, limit: 1 })).toMatchObject({ ok: true });
  expect(await readFeed(runtime(), scope, { after: 3n, limit: 1 })).toMatchObject({ ok: false, error: { code: 'after_invalid' } });
});

test('readers neither miss nor wait for an event that is committed late', async () => {
  const [slow, quick] = [await makeBill(runtime(), merchant), await makeBill(runtime(), merchant)];
  const commit = await payLate(slow, 100n);
  await pay(runtime(), quick, 100n);
  const reader = follower();
  await reader.readAll(10);
  expect(reader.bodies.map(idOf)).toEqual([quick]);
  await commit();
  await pay(runtime(), quick, -100n);
  await reader.readAll(10);
  expect(reader.bodies.map(idOf)).toEqual([quick, slow, quick]);
  expect((await read()).entries.map(({ body }) => body.toString())).toEqual(reader.bodies);
});

test('concurrent readers see the same events while new ones are created', async () => {
  const bills = await Promise.all(Array.from({ length: 4 }, () => makeBill(runtime(), merchant)));
  const readers = Array.from({ length: 6 }, follower);
  let writing = true;
  const reading = readers.map(async (reader, index) => {
    while (writing) await reader.read(index + 1);
    await reader.readAll(100);
  });
  await Promise.all(bills.map((billId) => changeStatus(runtime(), billId, 10))).finally(() => {
    writing = false;
  });
  await Promise.all(reading);
  for (const { bodies } of readers) expect(bodies).toEqual(readers[0]?.bodies);
  expect(byBill(readers[0]?.bodies ?? [])).toEqual(await eventsByBill());
});

const step = fc.oneof(
  fc.record({ kind: fc.constantFrom('pay', 'hold'), bill: fc.nat(2) }),
  fc.record({ kind: fc.constant('commit'), bill: fc.nat(2) }),
  fc.record({ kind: fc.constant('read'), limit: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constant('clock'), ms: fc.integer({ min: -2_000, max: 2_000 }) }),
);

test('after any sequence of steps, a client that stores only the cursor has seen each event once, and those of a bill in order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      merchant = await makeMerchant(runtime());
      scope = merchant.scope('sandbox');
      const bills = await Promise.all(Array.from({ length: 3 }, () => makeBill(runtime(), merchant)));
      const paid = new Map<string, boolean>();
      const open = new Map<string, () => Promise<void>>();
      const reader = follower();
      const amount = (billId: string) => {
        paid.set(billId, !paid.get(billId));
        return paid.get(billId) ? 100n : -100n;
      };
      for (const one of steps) {
        if ('limit' in one) await reader.read(one.limit);
        else if ('ms' in one) runtime().advance(one.ms);
        else {
          const billId = bills[one.bill] ?? '';
          await open.get(billId)?.();
          open.delete(billId);
          if (one.kind === 'hold') open.set(billId, await payLate(billId, amount(billId)));
          else if (one.kind === 'pay') await pay(runtime(), billId, amount(billId));
        }
      }
      for (const commit of open.values()) await commit();
      await reader.readAll(2);
      expect(byBill(reader.bodies)).toEqual(await eventsByBill());
    }),
    { numRuns: 40 },
  );
});

test('numbering and reading scan at most a page, however many events have no number', async () => {
  const { db, owner } = runtime();
  const waiting = 200_000;
  await owner.transaction(async (tx) => {
    await tx.query({ text: 'ALTER TABLE event_feed_entry DROP CONSTRAINT event_feed_entry_delivery_id_fkey' });
    await tx.query(
      {
        text: `INSERT INTO event_feed_entry (delivery_id, merchant_id, environment, created_at, event_number)
               SELECT gen_random_uuid(), $1, 'sandbox', now() - n * interval '1 ms', 2 FROM generate_series(1, $2::int) AS n`,
      },
      [merchant.merchant.id, waiting],
    );
  });
  await runtime().owner.query({ text: 'ANALYZE event_feed_entry' });
  await pay(runtime(), await makeBill(runtime(), merchant), 100n);
  // The events that get a number have deliveries.
  await owner.query(
    {
      text: `INSERT INTO webhook_delivery
             SELECT (jsonb_populate_record(d, jsonb_build_object('id', f.delivery_id, 'event_number', 1000 + row_number() OVER ()))).*
             FROM webhook_delivery d, (SELECT delivery_id FROM event_feed_entry WHERE merchant_id = $1 ORDER BY created_at LIMIT 202) f
             WHERE d.id = (SELECT id FROM webhook_delivery WHERE merchant_id = $1 LIMIT 1)`,
    },
    [merchant.merchant.id],
  );
  const explained = explaining(db);
  for (let round = 0; round < 2; round += 1) await numberFeedEntries(explained.db, scope, 101);
  await findFeedState(explained.db, scope);
  expect(await findFeedState(db, scope)).toEqual({ last: 202n, waiting: true });
  expect(explained.scans.filter(({ kind }) => !kind.startsWith('Index'))).toEqual([]);
  expect(Math.max(...explained.scans.map(({ rows }) => rows))).toBeLessThanOrEqual(152);
  const read = await db.transaction((tx) =>
    rowsRead(tx, ['event_feed_entry'], () => findFeedEntries(tx, scope, { after: 50n, limit: 101 })),
  );
  expect(read).toEqual([{ table: 'event_feed_entry', rows: 101 }]);
});
