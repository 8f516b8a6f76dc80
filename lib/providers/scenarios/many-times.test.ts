import type { QueryResultRow } from 'pg';
import { beforeEach, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { testListener } from '@/testing/fakes/listener';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { controlTime } from './control-time';

const runtime = testRuntime();
const origin = testListener(runtime);
let merchant: TestMerchant;
let authorization: string;

beforeEach(async () => {
  merchant = await makeMerchant(runtime());
  const { id, secret } = await merchant.key('sandbox');
  authorization = `ApiKey ${id}:${secret}`;
});

async function advance(body: object) {
  const init = { method: 'POST', headers: { authorization }, body: new Blob([JSON.stringify(body)]) };
  const response = await fetch(`${origin()}/api/v3/sandbox/time`, init);
  expect(response.status).toBe(200);
  return response.json();
}

const after = (ms: number) => runtime().clock().getTime() + ms;

test('a request moves at most 10,000 bills and webhooks, and the next one continues, so that each moves once', async () => {
  const { prisma } = runtime().db;
  const { merchant: owner } = merchant;
  const scope = { merchantId: owner.id, environment: 'sandbox' } as const;
  const { id: endpointId } = await prisma.webhookEndpoint.findFirstOrThrow({ where: scope });
  const now = runtime().clock();
  const [expiresAt, dueAt] = [new Date(after(DAY_MS)), new Date(after(HOUR_MS))];
  await prisma.$executeRaw`INSERT INTO bill (id, merchant_id, environment, amount, reference, created_at, expires_at)
    SELECT ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, ${owner.id}::uuid, 'sandbox', 100, n::text, ${now}, ${expiresAt} FROM generate_series(1, 10500) n`;
  await prisma.$executeRaw`INSERT INTO webhook_delivery (id, merchant_id, environment, endpoint_id, bill_id, event_number, bill_status, body, state, due_at,
      priority, created_at)
    SELECT gen_random_uuid(), merchant_id, environment, ${endpointId}::uuid, id, 1, 'NOT_PAID', 'x', 'PENDING', ${dueAt}, n % 2, ${now}
    FROM (SELECT *, row_number() OVER () AS n FROM bill WHERE merchant_id = ${owner.id}::uuid LIMIT 2500) b`;
  const first = await advance({ advanceSeconds: 60 });
  expect(first).toMatchObject({ moved: { bills: 10_000, webhooks: 0 }, more: true, cursor: expect.any(String) });
  // Bills that are created between the two requests do not move.
  const late = await makeBill(runtime(), merchant, { info: { expiresAt } });
  const second = await advance({ advanceSeconds: 60, after: first.cursor });
  expect(second).toMatchObject({ moved: { bills: 500, webhooks: 2_500 }, more: false, cursor: null });
  expect((await prisma.bill.findUniqueOrThrow({ where: { id: late } })).expiresAt).toEqual(expiresAt);
  const moved = (date: Date) => new Date(date.getTime() - MINUTE_MS);
  expect(await prisma.bill.count({ where: { ...scope, expiresAt: moved(expiresAt) } })).toBe(10_500);
  expect(await prisma.webhookDelivery.count({ where: { ...scope, dueAt: moved(dueAt) } })).toBe(2_500);
});

test('one batch runs at a time, and merchants take turns', async () => {
  const shops = [merchant, await makeMerchant(runtime())];
  const ids = shops.map((shop) => shop.merchant.id);
  const before = await runtime().db.prisma.auditEntry.count({ where: { action: 'sandbox.time_advanced', merchantId: { in: ids } } });
  let running = 0;
  let most = 0;
  const order: string[] = [];
  const { query } = runtime().db;
  const watched: typeof query = async <Row extends QueryResultRow>(statement: { readonly text: string }, values?: readonly unknown[]) => {
    if (!statement.text.includes('WITH')) return query<Row>(statement, values);
    running += 1;
    most = Math.max(most, running);
    // The first batch waits until all four calls have begun, so that their batches wait for their turns at the same time.
    if (order.length === 0)
      await expect
        .poll(() => runtime().db.prisma.auditEntry.count({ where: { action: 'sandbox.time_advanced', merchantId: { in: ids } } }))
        .toBe(before + 4);
    order.push(shops.findIndex(({ merchant: { id } }) => values?.includes(id)) === 0 ? 'a' : 'b');
    const rows = await query<Row>(statement, values);
    running -= 1;
    return rows;
  };
  const on = { ...runtime(), db: { ...runtime().db, query: watched } };
  const [one, other] = shops.map((shop) => shop.operator('sandbox'));
  if (!one || !other) throw new Error('there are two merchants');
  const change = { advanceSeconds: 60, delayPercent: null };
  const calls = await Promise.all([one, one, one, other].map((access) => controlTime(on, access, change)));
  expect(calls.map((call) => call.ok && call.value.more)).toEqual([false, false, false, false]);
  expect(most).toBe(1);
  // Each of the four calls has three batches. The other merchant's three need not wait for all nine of the first one.
  expect(order).toHaveLength(12);
  expect(order.lastIndexOf('b')).toBeLessThan(order.lastIndexOf('a'));
});

test('webhooks that another transaction changes are left to it, without waiting', async () => {
  const { prisma, sqlTransaction } = runtime().db;
  const scope = { merchantId: merchant.merchant.id, environment: 'sandbox' } as const;
  const { id: endpointId } = await prisma.webhookEndpoint.findFirstOrThrow({ where: scope });
  const dueAt = new Date(after(HOUR_MS));
  const ids: string[] = [];
  for (const billId of [await makeBill(runtime(), merchant), await makeBill(runtime(), merchant)]) {
    const delivery = {
      ...scope,
      id: crypto.randomUUID(),
      endpointId,
      billId,
      eventNumber: 1,
      billStatus: 'NOT_PAID',
      body: new Uint8Array(),
    } as const;
    ids.push((await prisma.webhookDelivery.create({ data: { ...delivery, state: 'PENDING', dueAt, createdAt: runtime().clock() } })).id);
  }
  await sqlTransaction(async (tx) => {
    await tx.query({ text: 'SELECT 1 FROM webhook_delivery WHERE id = $1 FOR UPDATE' }, [ids[0]]);
    expect(await advance({ advanceSeconds: 60 })).toMatchObject({ moved: { webhooks: 1 } });
  });
  const found = await prisma.webhookDelivery.findMany({ where: { id: { in: ids } } });
  expect(new Map(found.map(({ id, dueAt: due }) => [id, due?.getTime()]))).toEqual(
    new Map([
      [ids[0], dueAt.getTime()],
      [ids[1], dueAt.getTime() - MINUTE_MS],
    ]),
  );
});
