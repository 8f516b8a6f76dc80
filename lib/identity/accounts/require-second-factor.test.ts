import { beforeEach, describe, expect, test } from 'vitest';
import { closeBill } from '@/lib/backoffice/bill-page/close-bill';
import { changeBrandFromForm } from '@/lib/backoffice/merchants/change-brand';
import { changeProfile, changeSettings, showSettings } from '@/lib/backoffice/merchants/change-settings';
import { releaseAttempt } from '@/lib/gateway/attempts/release-attempt';
import { createBillFromForm } from '@/lib/gateway/bills/create/create-bill-from-form';
import { promptAgain } from '@/lib/gateway/prompts/prompt-again';
import { pauseEndpoint } from '@/lib/gateway/webhooks/endpoint/pause-endpoint';
import { revealSecrets } from '@/lib/gateway/webhooks/endpoint/show-secrets';
import { createKeyFromForm } from '@/lib/identity/keys/change-keys';
import { EMPTY_KEY_FORM } from '@/lib/identity/keys/empty-form';
import { readSettings } from '@/lib/platform/config/settings';
import { ENVIRONMENTS, type Environment } from '@/lib/platform/core/scope';
import { accessOf, joinAs, makeMember, makeSession } from '@/testing/data/access';
import { accountOf, secondFactorFor } from '@/testing/data/accounts';
import { makeBill, makeMerchant, type TestMerchant, type TestRuntime, testRuntime } from '@/testing/runtime';
import { factorDue, isFactorDue, type MerchantAccess, may, needsFactor } from './access/grant-access';
import { PERMISSIONS, type Permission } from './permissions';
import { inviteMember, revokeInvitation } from './team/invite-member';
import { changeRole, listTeam } from './team/team';

const live = testRuntime({ REQUIRE_SECOND_FACTOR: '' });
const all = testRuntime({ REQUIRE_SECOND_FACTOR: 'all' });
const off = testRuntime({ REQUIRE_SECOND_FACTOR: 'off' });
let shop: TestMerchant;
beforeEach(async () => {
  shop = await makeMerchant(live());
});

const address = null;
const ENVIRONMENT: readonly Permission[] = ['keys.change', 'webhooks.change', 'bills.change', 'refunds.change', 'payments.record'];
const MERCHANT: readonly Permission[] = ['team.change', 'settings.change'];

/** Returns the permissions that the owner may not use before setting up a second factor. */
async function waiting(runtime: TestRuntime, merchant: TestMerchant, environment: Environment): Promise<Permission[]> {
  const access = await accessOf(runtime, merchant, merchant.email, environment);
  return PERMISSIONS.filter((permission) => isFactorDue(access, permission)).sort();
}
const sorted = (...permissions: readonly (readonly Permission[])[]) => permissions.flat().sort();

/** Tries every kind of sensitive action. Returns the result of each action: `done`, `second_factor_due`, or `else` for any other error. */
async function everyAction(runtime: TestRuntime, access: MerchantAccess): Promise<Record<string, unknown>> {
  const values = { ...EMPTY_KEY_FORM, label: 'x' };
  const billId = await makeBill(runtime, shop, { environment: access.scope.environment });
  const brand = { colour: '', support: '0712345678', address };
  const results = {
    key: await createKeyFromForm(runtime, access, values),
    secret: await revealSecrets(runtime, access),
    name: await changeSettings(runtime, access, { change: { name: 'Mwizi' } }),
    brand: await changeBrandFromForm(runtime, access, brand),
    invite: await inviteMember(runtime, access, { email: 'x@example.com', role: 'viewer' }),
    role: await changeRole(runtime, access, { userId: (await joinAs(runtime, shop, 'viewer')).user.id, role: 'collector' }),
    close: await closeBill(runtime, access, { billId, reason: 'x' }),
    release: await releaseAttempt(runtime, access, { attemptId: billId, reason: 'x' }),
    prompt: await promptAgain(runtime, access, { billId, mobile: '', network: '', amount: null, formId: '' }),
    invitation: await revokeInvitation(runtime, access, billId),
    endpoint: await pauseEndpoint(runtime, access),
  };
  return Object.fromEntries(
    Object.entries(results).map(([name, result]) => [
      name,
      result.ok ? 'done' : JSON.stringify(result.error).includes('second_factor_due') ? 'second_factor_due' : 'else',
    ]),
  );
}

test('the setting is `live` by default', () => {
  const read = readSettings({});
  expect(read.ok && read.value.REQUIRE_SECOND_FACTOR).toBe('live');
});

test('in live, sensitive actions are refused without a second factor; reading and creating bills is allowed', async () => {
  const token = await makeSession(live(), shop.email);
  const access = await accessOf(live(), shop, shop.email, 'live');
  const refused = await everyAction(live(), access);
  expect(new Set(Object.values(refused))).toEqual(new Set(['second_factor_due']));
  expect(await listTeam(live(), access)).not.toBeNull();
  expect(await showSettings(live(), access)).toMatchObject({ name: 'Duka' });
  const bill = { typed: { amount: '5000', reference: 'R', mobile: '' }, formId: crypto.randomUUID(), address };
  expect(await createBillFromForm(live(), access, bill)).toMatchObject({ ok: true });

  await secondFactorFor(live(), await accountOf(live(), token));
  const done = await everyAction(live(), await accessOf(live(), shop, shop.email, 'live'));
  expect(Object.values(done)).not.toContain('second_factor_due');
});

describe('a second factor is required', () => {
  test('in the sandbox of a live merchant only for team and settings, which both environments share', async () => {
    expect(await waiting(live(), shop, 'live')).toEqual(sorted(ENVIRONMENT, MERCHANT));
    expect(await waiting(live(), shop, 'sandbox')).toEqual(sorted(MERCHANT));
  });

  test.each([['suspended'], ['closed']] as const)('as before when live is %s, but for nothing while live is pending', async (status) => {
    const set = (to: 'pending' | typeof status) => changeProfile(live(), shop.operator('live'), { status: to });
    await set(status);
    expect(await waiting(live(), shop, 'live')).toEqual(sorted(ENVIRONMENT, MERCHANT));
    await set('pending');
    for (const environment of ENVIRONMENTS) expect(await waiting(live(), shop, environment)).toEqual([]);
  });

  test('for everything with the setting `all`, and for nothing with `off`', async () => {
    const [strict, free] = [await makeMerchant(all()), await makeMerchant(off())];
    for (const environment of ENVIRONMENTS) {
      expect(await waiting(all(), strict, environment)).toEqual(sorted(ENVIRONMENT, MERCHANT));
      expect(await waiting(off(), free, environment)).toEqual([]);
    }
  });

  test('for everything if the merchant requires it, from the next request on', async () => {
    const merchant = await makeMerchant(off());
    const owner = await accessOf(off(), merchant, merchant.email);
    expect(await changeSettings(off(), owner, { change: { requireSecondFactor: true } })).toMatchObject({ ok: true });
    for (const environment of ENVIRONMENTS) expect(await waiting(off(), merchant, environment)).toEqual(sorted(ENVIRONMENT, MERCHANT));
    const now = await accessOf(off(), merchant, merchant.email);
    expect(await changeSettings(off(), now, { change: { requireSecondFactor: false } })).toMatchObject({
      error: 'second_factor_due',
    });
    const entries = await off().db.prisma.auditEntry.findMany({ where: { merchantId: merchant.merchant.id, action: 'settings.changed' } });
    expect(entries.map(({ data }) => data)).toEqual([{ before: { requireSecondFactor: false }, after: { requireSecondFactor: true } }]);
  });

  test('for nothing if the role may not change anything', async () => {
    for (const role of ['viewer', 'collector'] as const) {
      const access = await joinAs(live(), shop, role, 'live');
      expect(PERMISSIONS.filter((permission) => isFactorDue(access, permission))).toEqual([]);
      expect(may(access, 'bills.view')).toBe(true);
    }
  });
});

test('a role without the permission is refused for that reason, even if a second factor is missing, too', async () => {
  const viewer = await joinAs(live(), shop, 'viewer', 'live');
  expect(await pauseEndpoint(live(), viewer)).toEqual({ ok: false, error: 'not_allowed' });
});

test('a member without a second factor may leave a team', async () => {
  const access = await accessOf(live(), shop, await makeMember(live(), shop, 'admin'), 'live');
  expect(await changeRole(live(), access, { userId: access.user.id, role: null })).toMatchObject({ ok: true });
});

test('only permissions to change something need a second factor', () => {
  const due = factorDue({ policy: 'all', requiredByMerchant: true, live: true, environment: 'live', has: false });
  expect(PERMISSIONS.filter((permission) => needsFactor(due, permission)).sort()).toEqual(sorted(ENVIRONMENT, MERCHANT));
  const has = factorDue({ policy: 'all', requiredByMerchant: true, live: true, environment: 'live', has: true });
  expect(PERMISSIONS.filter((permission) => needsFactor(has, permission))).toEqual([]);
});
