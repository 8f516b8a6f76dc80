import { beforeEach, expect, test } from 'vitest';
import { closeExpired } from '@/lib/backoffice/bill-page/close-bill';
import { lockBills } from '@/lib/gateway/bills/change-bill';
import { nextHealth } from '@/lib/gateway/webhooks/endpoint/endpoint-rules';
import { nextAttemptTime } from '@/lib/gateway/webhooks/rules';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { type Simulator, startSimulator } from '@/lib/providers/sandbox/simulator';
import { testListener } from '@/testing/fakes/listener';
import { makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';

const runtime = testRuntime();
const origin = testListener(runtime);
let merchant: TestMerchant;
let authorization: string;
let simulator: Simulator;

beforeEach(async () => {
  merchant = await makeMerchant(runtime());
  const { id, secret } = await merchant.key('sandbox');
  authorization = `ApiKey ${id}:${secret}`;
  simulator = await startSimulator({ ...runtime(), callbackKey: runtime().secrets.key('sandbox-provider') });
  return () => simulator.stop();
});

async function post(path: string, body: object, as = authorization) {
  const init = { method: 'POST', headers: { authorization: as }, body: new Blob([JSON.stringify(body)]) };
  const response = await fetch(`${origin()}/api/v3/${path}`, init);
  return { status: response.status, code: response.headers.get('bili-error'), json: await response.json() };
}

async function create(more: object): Promise<string> {
  const { status, json } = await post('bills/create', { amount: 5000, reference: 'TIME', ...more });
  expect(status).toBe(200);
  return json.id;
}

const find = (id: string) => runtime().db.prisma.bill.findUniqueOrThrow({ where: { id } });
const after = (ms: number) => runtime().clock().getTime() + ms;

test('an open bill expires as if the time had passed, and its due date moves by whole days', async () => {
  const bill = await create({ expiresAt: after(DAY_MS), dueAt: after(5 * DAY_MS) });
  const before = await find(bill);
  expect((await post('sandbox/time', { advanceSeconds: (DAY_MS - HOUR_MS) / SECOND_MS })).json).toEqual({
    delayPercent: 100,
    moved: { bills: 1, paymentRequests: 0, webhooks: 0 },
    more: false,
    cursor: null,
  });
  expect((await find(bill)).dueAt).toEqual(before.dueAt);
  await closeExpired(runtime());
  expect((await find(bill)).closedAt).toBeNull();
  await post('sandbox/time', { advanceSeconds: (2 * DAY_MS) / SECOND_MS });
  expect((await find(bill)).dueAt?.getTime()).toBe((before.dueAt?.getTime() ?? 0) - 2 * DAY_MS);
  await closeExpired(runtime());
  expect((await find(bill)).closedAt).not.toBeNull();
});

test('times stop moving at the earliest time that a bill can have', async () => {
  const bill = await create({ dueAt: after(DAY_MS) });
  const moved: number[] = [];
  for (let call = 0; call < 27; call += 1)
    moved.push((await post('sandbox/time', { advanceSeconds: (400 * DAY_MS) / SECOND_MS })).json.moved.bills);
  expect([moved[0], moved.at(-1)]).toEqual([1, 0]);
  expect((await find(bill)).dueAt?.getUTCFullYear()).toBeGreaterThanOrEqual(1998);
});

test('a transaction that locks the same bills in the order of their ids does not deadlock', async () => {
  const [low, high] = [await create({ expiresAt: after(2 * DAY_MS) }), await create({ expiresAt: after(DAY_MS) })];
  // The update changes an indexed value, so PostgreSQL stores a new version of this row after the row of the other bill. A scan of the
  // table then finds the other bill first.
  await runtime().db.prisma.bill.update({ where: { id: low }, data: { expiresAt: new Date(after(3 * DAY_MS)) } });
  const waits = () =>
    runtime().db.prisma.$queryRaw<
      unknown[]
    >`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%make_interval%'`;
  let moving: Promise<{ readonly status: number }> | undefined;
  await runtime().db.sqlTransaction(async (tx) => {
    await lockBills(tx, [low]);
    moving = post('sandbox/time', { advanceSeconds: 60 });
    await expect.poll(async () => (await waits()).length).toBeGreaterThan(0);
    await lockBills(tx, [high]);
  });
  expect((await moving)?.status).toBe(200);
});

test('bills of live and of other merchants, and closed ones, stay as they are', async () => {
  const own = await create({ expiresAt: after(DAY_MS) });
  await post(`bills/${own}/close`, {});
  const other = await makeMerchant(runtime());
  const { id, secret } = await other.key('sandbox');
  const { json: theirs } = await post('bills/create', { amount: 1, reference: 'X', expiresAt: after(DAY_MS) }, `ApiKey ${id}:${secret}`);
  const before = [await find(own), await find(theirs.id)];
  expect((await post('sandbox/time', { advanceSeconds: 60 })).json.moved.bills).toBe(0);
  expect([await find(own), await find(theirs.id)]).toEqual(before);
});

test('simulated phones act sooner', async () => {
  const billId = await create({ mobile: '0712345005' });
  const { ourReference: reference } = await runtime().db.prisma.pushAttempt.findFirstOrThrow({ where: { billId } });
  const prompt = {
    reference,
    mobile: '255712345005',
    amount: 5000,
    callbackUrl: 'http://127.0.0.1:9/',
    merchantId: merchant.merchant.id,
    billId,
  };
  await fetch(`${simulator.url}/v1/prompts`, { method: 'POST', body: JSON.stringify(prompt) });
  const status = async () => (await (await fetch(`${simulator.url}/v1/prompts/${reference}`)).json()).status;
  expect(await status()).toBe('PENDING');
  expect((await post('sandbox/time', { advanceSeconds: 60 })).json.moved).toEqual({ bills: 0, paymentRequests: 1, webhooks: 0 });
  expect(await status()).toBe('EXPIRED');
});

test('the delays of a merchant make its phones faster, and no other ones', async () => {
  expect((await post('sandbox/time', { delayPercent: 1 })).json).toMatchObject({ delayPercent: 1 });
  const other = await makeMerchant(runtime());
  for (const [at, [merchantId, status]] of (
    [
      [merchant.merchant.id, 'PAID'],
      [other.merchant.id, 'PENDING'],
    ] as const
  ).entries()) {
    const reference = `${at}`.padStart(20, 'D');
    const prompt = { reference, mobile: '255712345678', amount: 5000, callbackUrl: 'http://127.0.0.1:9/', merchantId };
    await fetch(`${simulator.url}/v1/prompts`, { method: 'POST', body: JSON.stringify(prompt) });
    runtime().advance(100);
    expect((await (await fetch(`${simulator.url}/v1/prompts/${reference}`)).json()).status).toBe(status);
  }
  expect((await post('sandbox/time', {})).json).toMatchObject({ delayPercent: 1 });
  expect((await post('sandbox/time', { delayPercent: 100 })).json).toMatchObject({ delayPercent: 100 });
});

test('waiting webhooks are due sooner, and a failing endpoint has failed for longer', async () => {
  const { db } = runtime();
  const { merchant: owner } = merchant;
  const scope = { merchantId: owner.id, environment: 'sandbox' } as const;
  const endpoint = await db.prisma.webhookEndpoint.findFirstOrThrow({ where: scope });
  const now = runtime().clock();
  const later = new Date(now.getTime() + 10 * MINUTE_MS);
  await db.prisma.webhookEndpoint.update({ where: { id: endpoint.id }, data: { failureCount: 1, failingSince: now, restUntil: later } });
  await post('sandbox/time', { advanceSeconds: 600 });
  const moved = await db.prisma.webhookEndpoint.findFirstOrThrow({ where: scope });
  expect(moved.restUntil).toEqual(now);
  expect(moved.failingSince).toEqual(new Date(now.getTime() - 10 * MINUTE_MS));
});

test('shorter delays shorten the pause before the next attempt of a webhook, but not Retry-After', () => {
  const now = new Date(0);
  const failed = { failures: 1, now, chance: 0, othersAccepted: true, delayMaxMs: 15 * SECOND_MS };
  const usual = nextAttemptTime({ ...failed, retryAfter: null })?.getTime() ?? 0;
  expect(nextAttemptTime({ ...failed, retryAfter: null, factor: 0.1 })?.getTime()).toBe(usual / 10);
  expect(nextAttemptTime({ ...failed, retryAfter: new Date(MINUTE_MS), factor: 0.1 })?.getTime()).toBe(MINUTE_MS);
});

test('shorter delays shorten the pause of an endpoint that fails', () => {
  const failing = {
    ...{ parallelism: 4, failureCount: 4, failingSince: new Date(0), lastSuccessAt: null, lastFailureAt: null, slowedAt: null },
    ...{ restUntil: null, breakerStep: 0, warningsGiven: 0, catchUpFrom: null },
  };
  const at = new Date(1_000);
  const outcome = { startedAt: at, endedAt: at, delivered: false, overloaded: true, retryAfter: null, inSandbox: true };
  const rest = (pauseFactor: number) => (nextHealth(failing, { ...outcome, pauseFactor }).restUntil?.getTime() ?? 0) - at.getTime();
  expect(rest(1)).toBeGreaterThan(0);
  expect(rest(0.1)).toBe(rest(1) / 10);
});

test.each([
  [{ advanceSeconds: 0 }, 'advance_invalid'],
  [{ advanceSeconds: 1.5 }, 'advance_invalid'],
  [{ advanceSeconds: 34_560_001 }, 'advance_invalid'],
  [{ advanceSeconds: '60' }, 'advance_invalid'],
  [{ delayPercent: 0 }, 'delay_invalid'],
  [{ delayPercent: 200 }, 'delay_invalid'],
  [{ delayPercent: 'fast' }, 'delay_invalid'],
  [{ advanceSeconds: 60, after: 'x' }, 'after_invalid'],
  [{ advanceSeconds: 60, after: 17 }, 'after_invalid'],
  [{ advanceSeconds: 60, after: '3.0.00000000-0000-0000-0000-000000000000' }, 'after_invalid'],
])('%j is refused', async (body, code) => {
  expect(await post('sandbox/time', body)).toMatchObject({ status: 400, code });
});
