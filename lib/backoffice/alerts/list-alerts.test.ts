import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { addMs, DAY_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { newId } from '@/lib/platform/core/ids';
import { joinAs } from '@/testing/data/access';
import { makePastDays } from '@/testing/data/past-days';
import { pay } from '@/testing/data/paying';
import { leaveUnmatched } from '@/testing/data/waiting-money';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { explaining } from '@/testing/schema/explain';
import { type AlertKind, formatPosition, parsePosition, readerOf } from './alert';
import { listAlertRows } from './alert-store';
import { listAlerts, listNewestAlerts, markRead, showBell } from './list-alerts';

const runtime = testRuntime();
let merchant: TestMerchant;
let admin: MerchantAccess;

beforeEach(async () => {
  merchant = await makeMerchant(runtime());
  admin = await joinAs(runtime(), merchant, 'admin');
});

const kindsFor = async (access: MerchantAccess): Promise<AlertKind[]> =>
  (await listNewestAlerts(runtime(), access)).alerts.map(({ kind }) => kind);

/** Runs steps one millisecond apart, so that their order is certain. */
async function inOrder(...steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const step of steps) {
    await step();
    runtime().advance(1);
  }
}

async function makeImport(createdById: string): Promise<void> {
  const now = runtime().clock();
  const scope = merchant.scope('sandbox');
  const file = { fileName: 'bills.csv', encoding: 'utf-8', rowsHash: new Uint8Array(), rowCount: 7, errorCount: 0, warningCount: 0 };
  const run = {
    id: newId(runtime()),
    ...file,
    total: 700n,
    createdBy: 'user:x',
    createdById,
    createdAt: now,
    startedAt: now,
    finishedAt: now,
  };
  await runtime().db.prisma.billImport.create({ data: { ...scope, ...run } });
}

test('lists what happened to the money, the webhooks, imports and the team, newest first', async () => {
  const bill = await makeBill(runtime(), merchant, { amount: 5_000, reference: 'RENT' });
  const other = await makeBill(runtime(), merchant, { amount: 5_000, reference: 'WATER', mobile: '0712345005' });
  await inOrder(
    () => pay(runtime(), bill, 200_000n),
    () => pay(runtime(), bill, 400_000n),
    () => pay(runtime(), bill, -200_000n),
    () => leaveUnmatched(runtime(), merchant, other, 900_000n),
    () =>
      runtime().db.prisma.webhookEndpoint.updateMany({
        where: merchant.scope('sandbox'),
        data: { status: 'disabled', disabledReason: 'failing', statusSince: runtime().clock() },
      }),
    () => makeImport(admin.user.id),
    () => joinAs(runtime(), merchant, 'viewer'),
    () =>
      runtime().db.query({ text: "UPDATE push_attempt SET state = 'UNKNOWN', unknown_since = $2 WHERE bill_id = $1" }, [
        other,
        addMs(runtime().clock(), -15 * MINUTE_MS),
      ]),
  );
  const { alerts } = await listNewestAlerts(runtime(), admin);
  expect(alerts.filter(({ kind, name }) => kind !== 'member' || name === 'A viewer')).toMatchObject([
    { kind: 'unknown', bill: { id: other, reference: 'WATER' }, amount: 500_000n },
    { kind: 'member', name: 'A viewer', bill: null },
    { kind: 'import', name: 'bills.csv', count: 7 },
    { kind: 'endpoint' },
    { kind: 'unmatched', bill: { reference: 'WATER' }, amount: 900_000n },
    { kind: 'reversal', amount: -200_000n, bill: { reference: 'RENT' } },
    { kind: 'payment', amount: 400_000n, overpaid: 0n },
    { kind: 'payment', amount: 200_000n, overpaid: 0n, bill: { id: bill, reference: 'RENT' } },
  ]);
});

test('a payment that overpaid its bill says by how much', async () => {
  const bill = await makeBill(runtime(), merchant, { amount: 5_000 });
  await inOrder(
    () => pay(runtime(), bill, 400_000n),
    () => pay(runtime(), bill, 300_000n),
  );
  const { alerts } = await listNewestAlerts(runtime(), admin);
  expect(alerts.filter(({ kind }) => kind === 'payment')).toMatchObject([{ overpaid: 200_000n }, { overpaid: 0n }]);
});

describe('who sees what', () => {
  test('a collector sees payments of the bills that this person created, and nothing about team and webhooks', async () => {
    const collector = await joinAs(runtime(), merchant, 'collector');
    const [own, foreign] = [await makeBill(runtime(), merchant), await makeBill(runtime(), merchant)];
    await runtime().db.prisma.bill.update({ where: { id: own }, data: { createdById: collector.user.id } });
    await pay(runtime(), own, 100_000n);
    await pay(runtime(), foreign, 100_000n);
    await makeImport(admin.user.id);
    await runtime().db.prisma.webhookEndpoint.updateMany({
      where: merchant.scope('sandbox'),
      data: { status: 'disabled', disabledReason: 'gone' },
    });
    const { alerts } = await listNewestAlerts(runtime(), collector);
    expect(alerts).toMatchObject([{ kind: 'payment', bill: { id: own } }]);
    expect(await kindsFor(admin)).toEqual(expect.arrayContaining(['payment', 'import', 'member', 'endpoint']));
  });

  test('another merchant and the other environment see nothing', async () => {
    await pay(runtime(), await makeBill(runtime(), merchant), 100_000n);
    const stranger = await joinAs(runtime(), await makeMerchant(runtime()), 'owner');
    const live = await joinAs(runtime(), merchant, 'viewer', 'live');
    expect(await kindsFor(stranger)).not.toContain('payment');
    expect(await kindsFor(live)).not.toContain('payment');
    expect(await kindsFor(admin)).toContain('payment');
  });
});

describe('what is unread', () => {
  test('is stored for each member and environment, never moves back, and not into the future', async () => {
    const second = await joinAs(runtime(), merchant, 'viewer');
    await pay(runtime(), await makeBill(runtime(), merchant), 100_000n);
    runtime().advance(5);
    const readUntil = async (access: MerchantAccess) => (await listNewestAlerts(runtime(), access)).readUntil;
    const before = await readUntil(second);
    const now = runtime().clock();
    expect(await markRead(runtime(), admin, now.toISOString())).toBe(true);
    expect(await readUntil(admin)).toEqual(now);
    expect(await markRead(runtime(), admin, addMs(now, -DAY_MS).toISOString())).toBe(true);
    expect(await readUntil(admin)).toEqual(now);
    expect(await markRead(runtime(), admin, 'soon')).toBe(false);
    await markRead(runtime(), admin, addMs(now, DAY_MS).toISOString());
    expect((await readUntil(admin)).getTime()).toBeLessThanOrEqual(runtime().clock().getTime());
    expect((await readUntil(second)).getTime() - before.getTime()).toBeLessThan(MINUTE_MS);
    expect(await readUntil(await joinAs(runtime(), merchant, 'admin', 'live'))).not.toEqual(now);
  });

  test('goes with the membership', async () => {
    await markRead(runtime(), admin, runtime().clock().toISOString());
    const member = { merchantId: merchant.merchant.id, userId: admin.user.id };
    expect(await runtime().db.prisma.alertMark.count({ where: member })).toBe(1);
    await runtime().db.prisma.membership.delete({ where: { merchantId_userId: member } });
    expect(await runtime().db.prisma.alertMark.count({ where: member })).toBe(0);
    await markRead(runtime(), admin, runtime().clock().toISOString());
    expect(await runtime().db.prisma.alertMark.count({ where: member })).toBe(0);
  });
});

test('what needs attention is listed apart from payments, and counted however many payments are newer', async () => {
  const bill = await makeBill(runtime(), merchant, { amount: 5_000 });
  await inOrder(
    () => pay(runtime(), bill, 100_000n),
    () => pay(runtime(), bill, -100_000n),
    ...Array.from({ length: 3 }, () => () => pay(runtime(), bill, 10_000n)),
  );
  const page = (topic: 'news' | 'attention') => listAlerts(runtime(), admin, { topic, before: null });
  const bell = await showBell(runtime(), admin, 2);
  expect(bell.news.map(({ kind }) => kind)).toEqual(['payment', 'payment']);
  expect(bell.attention).toMatchObject([{ kind: 'reversal', amount: -100_000n }]);
  const [news, attention] = [await page('news'), await page('attention')];
  expect(news.alerts.filter(({ kind }) => kind !== 'member').map(({ kind }) => kind)).toEqual(Array(4).fill('payment'));
  expect(attention.alerts).toMatchObject([{ kind: 'reversal' }]);
  expect(news.attention).toHaveLength(1);
  await markRead(runtime(), admin, runtime().clock().toISOString());
  expect((await showBell(runtime(), admin, 2)).attention).toEqual([]);
});

test('the payments of a day are summed up, and only for members who see all of them', async () => {
  const collector = await joinAs(runtime(), merchant, 'collector');
  await pay(runtime(), await makeBill(runtime(), merchant), 100_000n);
  await pay(runtime(), await makeBill(runtime(), merchant), 50_000n);
  const { days } = await listAlerts(runtime(), admin, { topic: 'news', before: null });
  expect([...(days?.values() ?? [])]).toMatchObject([{ payments: 2, collected: 150_000n }]);
  expect((await listAlerts(runtime(), collector, { topic: 'news', before: null })).days).toBeNull();
});

test('pages follow each other without gaps or repetitions, also within one millisecond', async () => {
  await makePastDays(runtime().db, merchant.scope('sandbox'), { bills: 200, days: 1, now: runtime().clock() });
  const all: string[] = [];
  for (let position = null, page = 0; page < 5; page += 1) {
    const { alerts, older } = await listAlerts(runtime(), admin, { topic: 'news', before: position });
    all.push(...alerts.map(({ id }) => id));
    position = older && parsePosition(formatPosition(older));
    if (position === null) break;
  }
  expect(all.length).toBeGreaterThan(130);
  expect(new Set(all).size).toBe(all.length);
  expect(parsePosition('1_x')).toBeNull();
  expect(parsePosition(null)).toBeNull();
});

describe('with many bills', { tags: ['full'] }, () => {
  let many: TestMerchant;
  beforeAll(async () => {
    many = await makeMerchant(runtime());
    await makePastDays(runtime().db, many.scope('sandbox'), { bills: 20_000, days: 100, now: runtime().clock() });
    await runtime().owner.query({ text: 'ANALYZE' });
  });

  test.each(['owner', 'collector'] as const)('the list of a member with the role %s reads only the rows that it shows', async (role) => {
    const now = runtime().clock();
    const reader = readerOf(role, newId(runtime()));
    const { db, scans } = explaining(runtime().db);
    await listAlertRows(db, many.scope('sandbox'), { reader, topic: null, now, since: addMs(now, -30 * DAY_MS), before: null, limit: 100 });
    const big = scans.filter(({ table }) => ['bill', 'push_attempt', 'payment', 'payment_allocation'].includes(table));
    expect(big.filter(({ kind, rows }) => kind === 'Seq Scan' || rows > 400)).toEqual([]);
    expect(big.length).toBeGreaterThan(3);
  });
});
