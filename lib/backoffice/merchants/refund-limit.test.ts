import { beforeEach, expect, test } from 'vitest';
import { readRefundLimit } from '@/lib/gateway/refund-states/store';
import type { MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { userActor } from '@/lib/platform/core/actor';
import { addMs, HOUR_MS } from '@/lib/platform/core/clock';
import { joinAs, letIn } from '@/testing/data/access';
import { makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { askRefundLimit, decideRefundLimit, showRefundLimit } from './refund-limit';

const runtime = testRuntime();
let merchant: TestMerchant;
let owner: MerchantAccess;

beforeEach(async () => {
  merchant = await makeMerchant(runtime());
  owner = await letIn(runtime(), merchant);
});

const ask = (access: MerchantAccess, typed: string) => askRefundLimit(runtime(), access, typed);
const decide = async (access: MerchantAccess, confirmed: boolean, askedAt?: string) =>
  decideRefundLimit(runtime(), access, { confirmed, askedAt: askedAt ?? (await changeOf())?.askedAt.toISOString() ?? '' });
const changeOf = async () => (await showRefundLimit(runtime(), owner))?.change;
const limitOf = () => readRefundLimit(runtime().db, owner.scope);
const actions = async () =>
  (
    await runtime().db.prisma.auditEntry.findMany({
      where: { subject: owner.scope.merchantId, action: { startsWith: 'refund.limit' } },
      select: { action: true, actor: true, data: true },
      orderBy: { id: 'asc' },
    })
  ).map(({ action, actor, data }) => [action, actor, data]);

test('a limit applies when a second person has confirmed it, and the audit log has both', async () => {
  const admin = await joinAs(runtime(), merchant, 'admin');
  expect(await ask(owner, ' 100,000 ')).toEqual({ ok: true, value: null });
  expect(await limitOf()).toBeNull();
  expect(await changeOf()).toMatchObject({ limit: 10_000_000n, own: true });
  expect(await decide(owner, true)).toMatchObject({ error: 'own_change' });
  const renamed = { ...owner, actor: userActor({ email: 'another@example.com' }, null) };
  expect(await decide(renamed, true)).toMatchObject({ error: 'own_change' });
  expect(await ask(admin, '1')).toMatchObject({ error: 'change_open' });
  expect(await decide(admin, true)).toEqual({ ok: true, value: null });
  expect(await limitOf()).toBe(10_000_000n);
  expect(await decide(admin, true)).toMatchObject({ error: 'change_gone' });
  expect(await ask(admin, '100000')).toMatchObject({ error: 'unchanged' });
  const values = { before: { amount: null }, after: { amount: '10000000' } };
  expect(await actions()).toEqual([
    ['refund.limit_asked', owner.actor.name, values],
    ['refund.limit_changed', admin.actor.name, values],
  ]);
  expect(await ask(admin, '')).toMatchObject({ ok: true });
  expect(await decide(owner, true)).toMatchObject({ ok: true });
  expect(await limitOf()).toBeNull();
});

test('a change may be withdrawn and refused, and nobody confirms another change than the one they saw', async () => {
  const admin = await joinAs(runtime(), merchant, 'admin');
  await ask(owner, '5000');
  const seen = (await changeOf())?.askedAt.toISOString();
  expect(await decide(owner, false)).toMatchObject({ ok: true });
  runtime().advance(1_000);
  await ask(owner, '999,999,999');
  expect(await decide(admin, true, seen)).toMatchObject({ error: 'change_gone' });
  expect(await decide(admin, false)).toMatchObject({ ok: true });
  expect(await changeOf()).toBeNull();
  expect(await limitOf()).toBeNull();
  expect((await actions()).map(([action]) => action)).toEqual([
    'refund.limit_asked',
    'refund.limit_dropped',
    'refund.limit_asked',
    'refund.limit_dropped',
  ]);
});

test('one person alone cannot set a limit, and a limit does not lock out the last person', async () => {
  expect(await ask(owner, '5000')).toMatchObject({ error: 'alone' });
  expect(await showRefundLimit(runtime(), owner)).toMatchObject({ alone: true, change: null });
  const admin = await joinAs(runtime(), merchant, 'admin');
  await ask(admin, '5000');
  await decide(owner, true);
  expect(await limitOf()).toBe(500_000n);
  await ask(admin, '9000');
  await runtime().db.prisma.membership.deleteMany({ where: { userId: admin.user.id } });
  expect(await limitOf()).toBeNull();
  expect(await decide(owner, true)).toMatchObject({ error: 'alone' });
  expect(await showRefundLimit(runtime(), owner)).toMatchObject({ alone: true, limit: 500_000n });
});

test('only managers with a recent proof change the limit, and only whole shillings are a limit', async () => {
  const viewer = await joinAs(runtime(), merchant, 'viewer');
  const admin = await joinAs(runtime(), merchant, 'admin');
  const late = { ...admin, provenAt: addMs(runtime().clock(), -HOUR_MS) };
  expect(await ask(viewer, '5000')).toMatchObject({ error: 'not_allowed' });
  expect(await ask(late, '5000')).toMatchObject({ error: 'not_proven' });
  for (const typed of ['0', '2.000', '12.5', 'many', '-1']) expect(await ask(admin, typed)).toMatchObject({ error: 'limit_wrong' });
  await ask(owner, '5000');
  expect(await decide(viewer, true)).toMatchObject({ error: 'not_allowed' });
  expect(await decide(late, true)).toMatchObject({ error: 'not_proven' });
  expect(await limitOf()).toBeNull();
});
