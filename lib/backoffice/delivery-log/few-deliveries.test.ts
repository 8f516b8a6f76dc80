import { beforeAll, expect, test } from 'vitest';
import { makeOwing } from '@/testing/data/due-deliveries';
import { type TestMerchant, testRuntime } from '@/testing/runtime';
import { rowsRead } from '@/testing/schema/rows-read';
import { type DeliveryFilter, listDeliveryRows } from './delivery-store';

const runtime = testRuntime();
const DELIVERIES = 3_000;
const EACH = 10;
let shop: TestMerchant;

/** Each changes a few of the oldest deliveries, which are read last in the order of the list. */
const FEW: readonly (readonly [change: string, filter: DeliveryFilter])[] = [
  ["state = 'PENDING', due_at = now(), settled_at = NULL", { states: ['PENDING'] }],
  ["state = 'SENDING', due_at = now(), lease_until = now(), settled_at = NULL", { states: ['SENDING'] }],
  ["state = 'EXHAUSTED', delivered_at = NULL, failure_count = 12", { states: ['EXHAUSTED'] }],
  ["state = 'UNSENT', delivered_at = NULL, settled_at = NULL", { states: ['UNSENT'] }],
  ["state = 'BLOCKED', delivered_at = NULL, settled_at = NULL", { states: ['BLOCKED'] }],
  ["bill_status = 'NOT_PAID'", { billStatuses: ['NOT_PAID'] }],
  ["trigger = 'manual', triggered_by = 'user:test'", { triggers: ['manual'] }],
  ["trigger = 'bulk', triggered_by = 'user:test'", { triggers: ['bulk'] }],
];

beforeAll(async () => {
  shop = await makeOwing(runtime(), { count: 1 });
  await runtime().owner.query({ text: 'ANALYZE webhook_delivery' });
  shop = await makeOwing(runtime(), { count: DELIVERIES });
  const delivered = "state = 'DELIVERED', due_at = NULL, delivered_at = now(), settled_at = now()";
  await runtime().db.query({ text: `UPDATE webhook_delivery SET ${delivered} WHERE merchant_id = $1` }, [shop.merchant.id]);
  for (const [index, [change]] of FEW.entries())
    await runtime().db.query(
      {
        text: `UPDATE webhook_delivery SET ${change} WHERE id IN (SELECT id FROM webhook_delivery WHERE merchant_id = $1 ORDER BY id OFFSET $2 LIMIT $3)`,
      },
      [shop.merchant.id, index * EACH, EACH],
    );
});

/** Returns the ids of the deliveries that a list finds, and how many deliveries it reads. */
async function readList(filter: DeliveryFilter, openMax?: number) {
  return runtime().db.transaction(async (tx) => {
    let ids: string[] = [];
    const [read] = await rowsRead(tx, ['webhook_delivery'], async () => {
      const rows = await listDeliveryRows(tx, shop.scope('sandbox'), { ...filter, before: null, limit: 26 }, openMax);
      ids = rows.map(({ id }) => id);
    });
    return { ids, read: read?.rows };
  });
}

test.each(['old', 'new'])('a filter that few deliveries meet reads no others, with %s statistics', async (statistics) => {
  if (statistics === 'new') await runtime().owner.query({ text: 'ANALYZE webhook_delivery' });
  for (const [, filter] of FEW) {
    const { ids, read } = await readList(filter);
    expect(ids, JSON.stringify(filter)).toHaveLength(EACH);
    expect(read, JSON.stringify(filter)).toBeLessThanOrEqual(10 * EACH);
  }
});

test('the deliveries that wait, in three states, are found without reading others', async () => {
  const { ids, read } = await readList({ states: ['BLOCKED', 'PENDING', 'SENDING'] });
  expect(ids).toHaveLength(26);
  expect(read).toBeLessThanOrEqual(10 * 3 * EACH);
});

test('more open deliveries than are collected are found in order', async () => {
  for (const states of [['PENDING'], ['SENDING'], ['PENDING', 'SENDING'], ['BLOCKED', 'PENDING', 'SENDING']] as const) {
    const { ids } = await readList({ states });
    expect(ids).toEqual(ids.toSorted().reverse());
    expect((await readList({ states }, EACH - 1)).ids).toEqual(ids);
  }
});

test('a page of a filter that most deliveries meet reads only as many', async () => {
  for (const filter of [{}, { states: ['DELIVERED'] }, { billStatuses: ['FULLY_PAID'] }] as const) {
    const { ids, read } = await readList(filter);
    expect(ids).toHaveLength(26);
    expect(read, JSON.stringify(filter)).toBeLessThanOrEqual(3 * 26);
  }
});
