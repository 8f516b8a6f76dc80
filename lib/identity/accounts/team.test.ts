import { beforeEach, describe, expect, test } from 'vitest';
import { grantAccess } from '@/lib/identity/accounts/access/grant-access';
import { changeProblem } from '@/lib/identity/accounts/team/team-rules';
import { MINUTE_MS } from '@/lib/platform/core/clock';
import { accessOf, makeMember, makeSession } from '@/testing/data/access';
import { makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { ROLES, type Role } from './permissions';
import { markEmailVerified } from './store';
import { changeRole, listTeam } from './team/team';

const runtime = testRuntime();
let shop: TestMerchant;
beforeEach(async () => {
  shop = await makeMerchant(runtime());
});

const idOf = async (email: string) => (await runtime().db.prisma.user.findUniqueOrThrow({ where: { email } })).id;
const owner = () => accessOf(runtime(), shop, shop.email);
const change = async (by: string, whom: string, role: Role | null) =>
  changeRole(runtime(), await accessOf(runtime(), shop, by), { userId: await idOf(whom), role });
const owners = async () =>
  (await runtime().db.prisma.membership.findMany({ where: { merchantId: shop.merchant.id, role: 'owner' } })).length;

describe('changing the role of a member', () => {
  const allowed = (actor: Role, from: Role, to: Role | null) => changeProblem({ actor, self: false, from, to, owners: 2 });
  test.each(ROLES)('an owner may give a %s any role', (from) => {
    for (const to of [...ROLES, null]) expect(allowed('owner', from, to)).toBeNull();
  });
  test('an admin may not change owners and admins, or give these roles', () => {
    for (const from of ROLES) {
      for (const to of [...ROLES, null]) {
        const high = [from, to].some((role) => role === 'owner' || role === 'admin');
        expect(allowed('admin', from, to)).toBe(high ? 'owners_only' : null);
      }
    }
  });
  test.each(['viewer', 'collector'] as const)('a %s may change nobody, but may leave', (actor) => {
    expect(allowed(actor, 'viewer', null)).toBe('not_allowed');
    expect(changeProblem({ actor, self: true, from: actor, to: null, owners: 1 })).toBeNull();
    expect(changeProblem({ actor, self: true, from: actor, to: 'owner', owners: 1 })).toBe('not_allowed');
  });
  test('an admin may leave, but may not become an owner by themselves', () => {
    expect(changeProblem({ actor: 'admin', self: true, from: 'admin', to: null, owners: 1 })).toBeNull();
    expect(changeProblem({ actor: 'admin', self: true, from: 'admin', to: 'owner', owners: 1 })).toBe('owners_only');
  });
  test('the last owner may not leave or take another role', () => {
    for (const to of ['admin', 'viewer', null] as const)
      expect(changeProblem({ actor: 'owner', self: true, from: 'owner', to, owners: 1 })).toBe('last_owner');
  });
});

test('a changed role applies to the next request of an open session, and a removal ends the access', async () => {
  const email = await makeMember(runtime(), shop, 'admin');
  const token = await makeSession(runtime(), email);
  const now = () => grantAccess(runtime(), { token, merchant: shop.merchant.slug, environment: 'live' });
  expect(await now()).toMatchObject({ ok: true, value: { role: 'admin' } });
  expect(await change(shop.email, email, 'collector')).toEqual({ ok: true, value: email });
  expect(await now()).toMatchObject({ ok: true, value: { role: 'collector', billsOf: await idOf(email) } });
  expect(await change(shop.email, email, null)).toEqual({ ok: true, value: email });
  expect(await now()).toEqual({ ok: false, error: 'not_found' });
  const entries = await runtime().db.query(
    {
      text: "SELECT actor, action, subject, address, data FROM audit_entry WHERE merchant_id = $1 AND action LIKE 'member.%' ORDER BY at, id",
    },
    [shop.merchant.id],
  );
  const entry = { actor: `user:${shop.email}`, subject: await idOf(email), address: '192.0.2.1' };
  expect(entries).toEqual([
    { ...entry, action: 'member.role_changed', data: { member: email, before: { role: 'admin' }, after: { role: 'collector' } } },
    { ...entry, action: 'member.removed', data: { member: email, before: { role: 'collector' }, after: { role: null } } },
  ]);
});

test('at least one owner remains when all owners leave or demote each other at the same time', async () => {
  for (let round = 0; round < 5; round += 1) {
    const others = await Promise.all([1, 2, 3].map(() => makeMember(runtime(), shop, 'owner')));
    const all = (
      await runtime().db.prisma.membership.findMany({ where: { merchantId: shop.merchant.id, role: 'owner' }, include: { user: true } })
    ).map(({ user }) => user.email);
    const accesses = await Promise.all(all.map((email) => accessOf(runtime(), shop, email)));
    const ids = await Promise.all(all.map(idOf));
    const moves = accesses.map((access, at) =>
      changeRole(runtime(), access, {
        userId: ids[round % 2 === 0 ? at : (at + 1) % ids.length] ?? '',
        role: round % 2 === 0 ? null : 'viewer',
      }),
    );
    const results = await Promise.all(moves);
    expect(results.some((result) => !result.ok)).toBe(true);
    expect(await owners()).toBeGreaterThanOrEqual(1);
    expect(others).toHaveLength(3);
  }
});

test('the last owner gets the error `last_owner`', async () => {
  expect(await change(shop.email, shop.email, null)).toEqual({ ok: false, error: 'last_owner' });
  expect(await change(shop.email, shop.email, 'viewer')).toEqual({ ok: false, error: 'last_owner' });
  expect(await owners()).toBe(1);
});

test('a change is refused without a recent proof of identity, and after a demotion in the meantime', async () => {
  const viewer = await makeMember(runtime(), shop, 'viewer');
  const admin = await makeMember(runtime(), shop, 'admin');
  const stale = await owner();
  const demoted = await accessOf(runtime(), shop, admin);
  await change(shop.email, admin, 'viewer');
  const options = { userId: await idOf(viewer), role: null, address: null };
  expect(await changeRole(runtime(), demoted, options)).toEqual({ ok: false, error: 'not_allowed' });
  runtime().advance(16 * MINUTE_MS);
  expect(await changeRole(runtime(), stale, options)).toEqual({ ok: false, error: 'not_proven' });
});

test('the list shows which members have a confirmed e-mail address', async () => {
  const email = await makeMember(runtime(), shop, 'viewer');
  const confirmed = async () => (await listTeam(runtime(), await owner()))?.members.map((one) => [one.email, one.emailConfirmed]);
  expect(await confirmed()).toEqual([
    [shop.email, true],
    [email, false],
  ]);
  await runtime().db.transaction(async (tx) => markEmailVerified(tx, await idOf(email), runtime().clock()));
  expect(await confirmed()).toEqual([
    [shop.email, true],
    [email, true],
  ]);
});

test('members of another merchant do not exist for this one', async () => {
  const other = await makeMerchant(runtime());
  const member = await makeMember(runtime(), other, 'viewer');
  for (const userId of [await idOf(member), 'no-uuid', '00000000-0000-0000-0000-000000000000'])
    expect(await changeRole(runtime(), await owner(), { userId, role: null })).toEqual({
      ok: false,
      error: 'no_such_member',
    });
  expect((await listTeam(runtime(), await owner()))?.members).toMatchObject([{ email: shop.email, role: 'owner' }]);
  const collector = await makeMember(runtime(), shop, 'collector');
  expect(await listTeam(runtime(), await accessOf(runtime(), shop, collector))).toBeNull();
});
