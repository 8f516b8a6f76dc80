import { beforeEach, expect, test } from 'vitest';
import { closeExpired } from '@/lib/backoffice/bill-page/close-bill';
import { keyAccess } from '@/lib/identity/accounts/access/grant-access';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { newId } from '@/lib/platform/core/ids';
import { joinAs, letIn } from '@/testing/data/access';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { advanceToNext, controlTime, showTime, UPCOMING_KINDS } from './control-time';

const runtime = testRuntime();
let shop: TestMerchant;
let made = 0;

beforeEach(async () => {
  shop = await makeMerchant(runtime());
});

const after = (ms: number) => new Date(runtime().clock().getTime() + ms);
const NOTHING = { phones: null, webhooks: null, expiry: null, dueDates: null };

async function makeOpenBill(times: { readonly expiresAt?: Date; readonly dueAt?: Date }): Promise<string> {
  const id = await makeBill(runtime(), shop);
  await runtime().db.prisma.bill.update({ where: { id }, data: times });
  return id;
}

/** Adds an endpoint's delivery that waits for its next attempt. */
async function makeWaitingDelivery(dueAt: Date): Promise<void> {
  const { db } = runtime();
  const billId = await makeBill(runtime(), shop);
  const endpoint = await db.prisma.webhookEndpoint.findFirstOrThrow({ where: shop.scope('sandbox') });
  const failing = { url: 'http://127.0.0.1:9/', status: 'active', failingSince: runtime().clock(), failureCount: 1 } as const;
  await db.prisma.webhookEndpoint.update({ where: { id: endpoint.id }, data: failing });
  await db.prisma.webhookDelivery.create({
    data: {
      ...shop.scope('sandbox'),
      ...{ id: newId(runtime()), endpointId: endpoint.id, billId, eventNumber: 2, billStatus: 'NOT_PAID', body: Buffer.from('{}') },
      ...{ state: 'PENDING', priority: 1, attemptCount: 1, failureCount: 1, dueAt, createdAt: runtime().clock() },
    },
  });
}

/** Adds a payment request whose simulated phone has not answered. */
async function makePrompt(dueAt: Date): Promise<void> {
  const { db, clock } = runtime();
  const billId = await makeBill(runtime(), shop);
  const reference = `${++made}`.padStart(20, 'P');
  const attempt = { id: newId(runtime()), billId, source: 'api', mobile: '0712345005', network: 'yas', amount: 100n } as const;
  const data = { ...shop.scope('sandbox'), ...attempt, ourReference: reference, state: 'AWAITING_CUSTOMER', createdAt: clock() } as const;
  await db.prisma.pushAttempt.create({ data });
  const prompt = { reference, mobile: '255712345005', amount: 100n, callbackUrl: 'http://127.0.0.1:9/', receipt: reference };
  await db.prisma.sandboxPrompt.create({ data: { ...prompt, createdAt: clock() } });
  await db.prisma.sandboxStep.create({ data: { reference, number: 0, status: 'EXPIRED', announced: true, dueAt } });
}

const entries = () =>
  runtime().db.prisma.auditEntry.findMany({
    where: { merchantId: shop.merchant.id, action: { startsWith: 'sandbox.' } },
    orderBy: { id: 'asc' },
    select: { action: true, environment: true, actor: true, data: true },
  });

test('shows when the next event of each kind happens, and the delays', async () => {
  const access = await letIn(runtime(), shop);
  expect(await showTime(runtime(), access)).toEqual({ ok: true, value: { delayPercent: 100, upcoming: NOTHING } });
  await makeOpenBill({ expiresAt: after(3 * HOUR_MS) });
  await makeOpenBill({ expiresAt: after(2 * HOUR_MS), dueAt: after(1.5 * DAY_MS) });
  await makeOpenBill({ expiresAt: after(-HOUR_MS) });
  await makeWaitingDelivery(after(10 * MINUTE_MS));
  await makePrompt(after(MINUTE_MS));
  const shown = await showTime(runtime(), access);
  const upcoming = shown.ok ? shown.value.upcoming : NOTHING;
  // The clock of the test runs on by less than 30 seconds, so rounding to minutes gives the expected times.
  const rounded = Object.fromEntries(UPCOMING_KINDS.map((kind) => [kind, Math.round((upcoming[kind] ?? 0) / 60)]));
  expect(rounded).toEqual({ phones: 1, webhooks: 10, expiry: 120, dueDates: 2 * 24 * 60 });
});

test('brings everything forward until the next event of a kind, and no further', async () => {
  const access = await letIn(runtime(), shop);
  const soon = await makeOpenBill({ expiresAt: after(2 * HOUR_MS) });
  const later = await makeOpenBill({ expiresAt: after(3 * HOUR_MS) });
  await makeWaitingDelivery(after(10 * MINUTE_MS));
  await makePrompt(after(MINUTE_MS));
  expect(await advanceToNext(runtime(), access, 'phones')).toMatchObject({
    value: { moved: { bills: 2, paymentRequests: 1, webhooks: 1 } },
  });
  expect(await advanceToNext(runtime(), access, 'webhooks')).toMatchObject({ value: { moved: { paymentRequests: 0, webhooks: 1 } } });
  expect(await advanceToNext(runtime(), access, 'expiry')).toMatchObject({ value: { moved: { bills: 2 } } });
  await closeExpired(runtime());
  const closed = async (id: string) => (await runtime().db.prisma.bill.findUniqueOrThrow({ where: { id } })).closedAt !== null;
  expect([await closed(soon), await closed(later)]).toEqual([true, false]);
  expect(await advanceToNext(runtime(), access, 'phones')).toEqual({ ok: false, error: 'nothing_waits' });
  expect(await advanceToNext(runtime(), access, 'webhooks')).toEqual({ ok: false, error: 'nothing_waits' });
});

test('a due date is brought forward by whole days until it is over', async () => {
  const access = await letIn(runtime(), shop);
  const dueAt = after(2.5 * DAY_MS);
  const id = await makeOpenBill({ dueAt });
  expect(await advanceToNext(runtime(), access, 'dueDates')).toMatchObject({ value: { seconds: 3 * 86_400 } });
  expect((await runtime().db.prisma.bill.findUniqueOrThrow({ where: { id } })).dueAt).toEqual(new Date(dueAt.getTime() - 3 * DAY_MS));
});

test('only events of the own sandbox count', async () => {
  const other = shop;
  await makeOpenBill({ expiresAt: after(HOUR_MS), dueAt: after(DAY_MS) });
  await makeWaitingDelivery(after(MINUTE_MS));
  await makePrompt(after(MINUTE_MS));
  shop = await makeMerchant(runtime());
  const live = await makeBill(runtime(), shop, { environment: 'live' });
  await runtime().db.prisma.bill.update({ where: { id: live }, data: { expiresAt: after(HOUR_MS) } });
  expect(await showTime(runtime(), await letIn(runtime(), shop))).toMatchObject({ value: { upcoming: NOTHING } });
  expect(await showTime(runtime(), await letIn(runtime(), other))).not.toMatchObject({ value: { upcoming: NOTHING } });
});

test('members and keys leave an entry in the audit log, with the delays before and after', async () => {
  const access = await letIn(runtime(), shop);
  const key = keyAccess({ id: 'pk_1', scopes: ['create'] }, shop.scope('sandbox'));
  await controlTime(runtime(), access, { advanceSeconds: null, delayPercent: 10 });
  await controlTime(runtime(), access, { advanceSeconds: null, delayPercent: 10 });
  await controlTime(runtime(), key, { advanceSeconds: 60, delayPercent: null });
  const common = { environment: 'sandbox' };
  expect(await entries()).toEqual([
    {
      ...common,
      actor: `user:${shop.email}`,
      action: 'sandbox.delay_changed',
      data: { before: { delayPercent: 100 }, after: { delayPercent: 10 } },
    },
    { ...common, actor: 'key:pk_1', action: 'sandbox.time_advanced', data: { advanceSeconds: 60 } },
  ]);
});

test('viewers, collectors and keys that only read change nothing, and live has no time to control', async () => {
  await makeOpenBill({ expiresAt: after(HOUR_MS) });
  const change = { advanceSeconds: 60, delayPercent: 10 };
  for (const role of ['viewer', 'collector'] as const) {
    const access = await joinAs(runtime(), shop, role);
    expect(await showTime(runtime(), access)).toEqual({ ok: false, error: 'not_allowed' });
    expect(await advanceToNext(runtime(), access, 'expiry')).toEqual({ ok: false, error: 'not_allowed' });
    expect(await controlTime(runtime(), access, change)).toEqual({ ok: false, error: 'not_allowed' });
  }
  const reader = keyAccess({ id: 'pk_1', scopes: ['read'] }, shop.scope('sandbox'));
  expect(await controlTime(runtime(), reader, change)).toEqual({ ok: false, error: 'not_allowed' });
  const live = await letIn(runtime(), shop, { environment: 'live' });
  expect(await showTime(runtime(), live)).toEqual({ ok: false, error: 'live' });
  expect(await advanceToNext(runtime(), live, 'expiry')).toEqual({ ok: false, error: 'live' });
  expect(await controlTime(runtime(), live, change)).toEqual({ ok: false, error: 'live' });
  expect(await entries()).toEqual([]);
});
