import { beforeEach, describe, expect, test } from 'vitest';
import { listNewestAlerts } from '@/lib/backoffice/alerts/list-alerts';
import { showCounter } from '@/lib/backoffice/counter/show-counter';
import { makeResetLink } from '@/lib/backoffice/email-links/reset-by-link';
import { NOTICE_TOPICS } from '@/lib/backoffice/notices/topics';
import { grantAccess, type MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { grantAccount } from '@/lib/identity/accounts/access/grant-account';
import { CASHIER_SESSION_MS, PINS_MAX, pinProblem } from '@/lib/identity/accounts/cashier-rules';
import { encryptDeviceSecret } from '@/lib/identity/accounts/sign-in/device-secret';
import { startSecondFactor } from '@/lib/identity/accounts/sign-in/manage-second-factor';
import { signIn } from '@/lib/identity/accounts/sign-in/sign-in';
import { listDeviceCashiers, signInWithPin } from '@/lib/identity/accounts/sign-in/sign-in-with-pin';
import { acceptInvitation, showInvitation } from '@/lib/identity/accounts/team/accept-invitation';
import { resendInvitation, revokeInvitation } from '@/lib/identity/accounts/team/invite-member';
import { joinAsCashier, showCashierInvitation } from '@/lib/identity/accounts/team/join-as-cashier';
import { inviteCashier, revokeDevice } from '@/lib/identity/accounts/team/manage-cashiers';
import { describeAction } from '@/lib/identity/audit/describe-entry';
import { anonymousActor } from '@/lib/platform/core/actor';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { accessOf, joinAs } from '@/testing/data/access';
import { makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { changeRole, listTeam } from './team/team';

const runtime = testRuntime({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'Bili <bili@example.com>' });
const PIN = '271828';
const FROM = { userAgent: 'Mozilla/5.0 (Linux; Android 14) Chrome/130', address: '192.0.2.9', session: null };
let shop: TestMerchant;
beforeEach(async () => {
  shop = await makeMerchant(runtime());
});

const owner = () => accessOf(runtime(), shop, shop.email);
async function invited(mobile = '0712345678', name = 'Asha Juma', by?: MerchantAccess) {
  const made = await inviteCashier(runtime(), by ?? (await owner()), { name, mobile });
  if (!made.ok) throw new Error(made.error);
  return made.value.link.split('/').at(-1) ?? '';
}
const join = (token: string, { pin = PIN, repeated, devices = [] }: { pin?: string; repeated?: string; devices?: string[] } = {}) =>
  joinAsCashier(runtime(), { ...FROM, token, pin, repeated: repeated ?? pin, devices });
async function joined(mobile?: string, name?: string) {
  const answer = await join(await invited(mobile, name));
  if (!answer.ok) throw new Error(answer.error);
  const { device, ...rest } = answer.value;
  return { ...rest, device: device.id, cookie: encryptDeviceSecret(runtime(), device) };
}
const enter = (device: string, cookie: string, pin = PIN) => signInWithPin(runtime(), { ...FROM, device, devices: [cookie], pin });
const access = (token: string, environment = 'live') => grantAccess(runtime(), { token, merchant: shop.merchant.slug, environment });
const actions = async () =>
  (
    await runtime().db.query<{ action: string }>({ text: 'SELECT action FROM audit_entry WHERE merchant_id = $1 ORDER BY at, id' }, [
      shop.merchant.id,
    ])
  ).map(({ action }) => action);

describe('a PIN', () => {
  test.each(['27182', '2718281', 'abcdef', '', '27182 '])('%j has not six digits', (pin) => {
    expect(pinProblem(pin, '0712345678')).toBe('pin_not_six_digits');
  });
  test.each([
    '000000',
    '121212',
    '123123',
    '112233',
    '111222',
    '123456',
    '654321',
    '890123',
    '123789',
    '147258',
    '123321',
    '345678',
    '071234',
  ])('%s is too easy', (pin) => {
    expect(pinProblem(pin, '0712345678')).toBe('pin_too_easy');
  });
  test.each([PIN, '905173', '480216'])('%s is accepted', (pin) => {
    expect(pinProblem(pin, '0712345678')).toBeNull();
  });
});

describe('an invited cashier', () => {
  test('joins with a PIN, is signed in at once, and starts in live although invited from the sandbox', async () => {
    const token = await invited(' +255 712 345 678 ', '  Asha   Juma ');
    expect(await showCashierInvitation(runtime(), token)).toMatchObject({ state: 'open', name: 'Asha Juma', mobile: '0712345678' });
    for (const [pin, repeated, error] of [
      ['1234', '1234', 'pin_not_six_digits'],
      ['111111', '111111', 'pin_too_easy'],
      [PIN, '271829', 'pins_differ'],
    ] as const)
      expect(await join(token, { pin, repeated })).toEqual({ ok: false, error });
    const answer = await join(token);
    if (!answer.ok) throw new Error(answer.error);
    expect(answer.value).toMatchObject({ slug: shop.merchant.slug, environment: 'live' });
    const granted = await access(answer.value.token);
    expect(granted).toMatchObject({
      ok: true,
      value: {
        role: 'collector',
        billsOf: answer.value.userId,
        user: { name: 'Asha Juma', mobile: '0712345678' },
        factorDue: { merchant: false, environment: false },
        provenAt: new Date(0),
      },
    });
    expect(await join(token)).toEqual({ ok: false, error: 'used' });
    expect(await actions()).toEqual(expect.arrayContaining(['invitation.sent', 'cashier.joined']));
  });

  test('starts in the sandbox if the merchant is not active in live', async () => {
    await runtime().db.prisma.merchantProfile.updateMany({
      where: { merchantId: shop.merchant.id, environment: 'live' },
      data: { status: 'pending' },
    });
    expect(await join(await invited())).toMatchObject({ ok: true, value: { environment: 'sandbox' } });
  });

  test('cannot use a link that was revoked, replaced or has expired', async () => {
    const first = await invited();
    const second = await invited();
    expect(await join(first)).toEqual({ ok: false, error: 'revoked' });
    const team = await listTeam(runtime(), await owner());
    const [invitation] = team?.invitations ?? [];
    expect(team?.invitations).toHaveLength(1);
    const again = await resendInvitation(runtime(), await owner(), invitation?.id ?? '');
    expect(again).toMatchObject({ ok: true, value: { mobile: '0712345678', link: expect.stringContaining('/invitation/') } });
    expect(await join(second)).toEqual({ ok: false, error: 'unknown' });
    expect(await runtime().db.prisma.mail.count({ where: { kind: 'invitation' } })).toBe(0);
    await revokeInvitation(runtime(), await owner(), invitation?.id ?? '');
    const late = await invited('0712345679');
    runtime().advance(8 * DAY_MS);
    expect(await join(late)).toEqual({ ok: false, error: 'expired' });
    expect(await join('guessed')).toEqual({ ok: false, error: 'unknown' });
  });

  test('joins only by PIN: the link is none for an e-mail account, and the other way round', async () => {
    const token = await invited();
    expect(await showInvitation(runtime(), { token, session: null })).toBeNull();
    const person = { name: 'Asha', password: 'maneno manne ya siri' };
    expect(await acceptInvitation(runtime(), { token, session: null, person, address: null })).toEqual({ ok: false, error: 'unknown' });
  });
});

test('only members who may change the team and have proven their identity invite cashiers', async () => {
  const typed = { name: 'Asha', mobile: '0712345678' };
  for (const role of ['viewer', 'collector'] as const)
    expect(await inviteCashier(runtime(), await joinAs(runtime(), shop, role), typed)).toEqual({ ok: false, error: 'not_allowed' });
  const stale = { ...(await owner()), provenAt: new Date(0) };
  expect(await inviteCashier(runtime(), stale, typed)).toEqual({ ok: false, error: 'not_proven' });
  expect(await inviteCashier(runtime(), await owner(), { ...typed, mobile: '0512345678' })).toEqual({ ok: false, error: 'mobile_wrong' });
  expect(await inviteCashier(runtime(), await owner(), { ...typed, name: ' ' })).toEqual({ ok: false, error: 'name_required' });
  expect(await inviteCashier(runtime(), await joinAs(runtime(), shop, 'admin'), typed)).toMatchObject({ ok: true });
});

test('a new link for a cashier is in the audit log, and shown to the managers and to the cashier, but not to its maker', async () => {
  const [maker, manager] = [await joinAs(runtime(), shop, 'admin', 'live'), await joinAs(runtime(), shop, 'owner', 'live')];
  const links = async (member: MerchantAccess) =>
    (await listNewestAlerts(runtime(), member)).alerts.filter(({ kind }) => kind === 'link').map(({ name }) => name);
  const { token, userId } = await joined();
  const counter = async () => {
    const granted = await access(token);
    return granted.ok ? showCounter(runtime(), granted.value) : null;
  };
  expect(await counter()).toMatchObject({ newLink: null });
  expect(await links(manager)).toEqual([]);
  runtime().advance(MINUTE_MS);
  await invited('0712345678', 'Asha Juma', maker);
  const first = (await counter())?.newLink;
  expect(first).toMatchObject({ by: maker.actor.name });
  expect(await links(manager)).toEqual(['Asha Juma']);
  expect(await links(maker)).toEqual([]);
  const made = { merchantId: shop.merchant.id, action: 'cashier.link-created', subject: userId };
  expect(await runtime().db.prisma.auditEntry.count({ where: { ...made, actor: maker.actor.name } })).toBe(1);
  // A link that is sent again is a new link.
  runtime().advance(HOUR_MS);
  const [invitation] = (await listTeam(runtime(), manager))?.invitations ?? [];
  const again = await accessOf(runtime(), shop, shop.email);
  expect(await resendInvitation(runtime(), again, invitation?.id ?? '')).toMatchObject({ ok: true });
  expect((await counter())?.newLink?.at.getTime()).toBeGreaterThanOrEqual(addMs(first?.at ?? new Date(0), HOUR_MS).getTime());
  expect(await runtime().db.prisma.auditEntry.count({ where: made })).toBe(2);
});

describe('a sign-in with a PIN', () => {
  test('needs the device that joined, and the right PIN', async () => {
    const { device, cookie, userId } = await joined();
    const other = await joined('0712345679', 'Neema');
    expect(await listDeviceCashiers(runtime(), [cookie, 'x', other.cookie])).toHaveLength(2);
    expect(await enter(device, cookie, '271829')).toEqual({ ok: false, error: { code: 'wrong', left: PINS_MAX - 1 } });
    expect(await enter(device, other.cookie)).toEqual({ ok: false, error: { code: 'unknown_device' } });
    expect(await enter(device, '')).toEqual({ ok: false, error: { code: 'unknown_device' } });
    const forged = encryptDeviceSecret(runtime(), { id: device, secret: 'A'.repeat(43) });
    expect(await enter(device, forged)).toEqual({ ok: false, error: { code: 'unknown_device' } });
    const entered = await enter(device, cookie);
    expect(entered).toMatchObject({ ok: true, value: { userId, device: { id: device } } });
    // The new cookie contains the same secret.
    if (entered.ok) expect(await enter(device, encryptDeviceSecret(runtime(), entered.value.device))).toMatchObject({ ok: true });
    expect(await enter(device, cookie, '271829')).toEqual({ ok: false, error: { code: 'wrong', left: PINS_MAX - 1 } });
  });

  test('locks the device after five wrong PINs, also at the same time; a new link opens it again', async () => {
    const { device, cookie, userId } = await joined();
    const guesses = await Promise.all(Array.from({ length: 12 }, (_, at) => enter(device, cookie, `48021${at % 10}`)));
    expect(guesses.filter((guess) => !guess.ok && guess.error.code === 'wrong')).toHaveLength(PINS_MAX - 1);
    expect(await enter(device, cookie)).toEqual({ ok: false, error: { code: 'locked' } });
    expect(await actions()).toContain('cashier.device-locked');
    const team = await listTeam(runtime(), await owner());
    expect(team?.devices).toMatchObject([{ id: device, userId, wrongPins: PINS_MAX }]);
    const again = await join(await invited(), { pin: '905173', devices: [cookie] });
    expect(again).toMatchObject({ ok: true, value: { userId } });
    expect((await listTeam(runtime(), await owner()))?.devices).toMatchObject([{ wrongPins: 0 }]);
  });

  test('locks the device after 20 wrong PINs in 30 days, although right ones come between them; its sessions end, managers are told', async () => {
    const manager = await joinAs(runtime(), shop, 'admin', 'live');
    const { device, cookie } = await joined();
    let token = '';
    for (let round = 1; round <= 4; round += 1) {
      for (let at = 1; at <= 4; at += 1) expect(await enter(device, cookie, `48021${at}`)).toMatchObject({ error: { code: 'wrong' } });
      const entered = await enter(device, cookie);
      token = entered.ok ? entered.value.token : '';
      runtime().advance(HOUR_MS);
    }
    expect(await access(token)).toMatchObject({ ok: true });
    for (let at = 1; at <= 3; at += 1) expect(await enter(device, cookie, `48021${at}`)).toMatchObject({ error: { code: 'wrong' } });
    expect(await enter(device, cookie, '480214')).toEqual({ ok: false, error: { code: 'locked' } });
    expect(await access(token)).toEqual({ ok: false, error: 'signed_out' });
    expect(await enter(device, cookie)).toEqual({ ok: false, error: { code: 'locked' } });
    expect((await actions()).filter((action) => action === 'cashier.device-locked')).toHaveLength(1);
    const { alerts } = await listNewestAlerts(runtime(), manager);
    expect(alerts[0]).toMatchObject({ kind: 'lock', name: 'Asha Juma' });
    const notice = await NOTICE_TOPICS.security.find(runtime(), shop.scope('live'));
    const mail = notice?.write(new Set(notice.ids), { merchant: 'Duka', environment: 'live', page: String }, 'en');
    expect(mail?.text).toContain(`${describeAction('cashier.device-locked', 'en')}: 0712345678`);
  });

  test('starts anew with the wrong PINs after 30 days', async () => {
    const { device, cookie } = await joined();
    for (let round = 1; round <= 6; round += 1) {
      for (let at = 1; at <= 4; at += 1) expect(await enter(device, cookie, `48021${at}`)).toMatchObject({ error: { code: 'wrong' } });
      expect(await enter(device, cookie)).toMatchObject({ ok: true });
      runtime().advance(8 * DAY_MS);
    }
  });

  test('ends when the shift is over, when the device is revoked, and when the cashier is removed', async () => {
    const first = await joined();
    const second = await joined('0712345679', 'Neema');
    const third = await joined('0712345670', 'Rehema');
    expect(await revokeDevice(runtime(), await owner(), first.device)).toEqual({ ok: true, value: null });
    expect(await access(first.token)).toEqual({ ok: false, error: 'signed_out' });
    expect(await enter(first.device, first.cookie)).toEqual({ ok: false, error: { code: 'unknown_device' } });
    await changeRole(runtime(), await owner(), { userId: second.userId, role: null });
    expect(await access(second.token)).toEqual({ ok: false, error: 'signed_out' });
    expect(await listDeviceCashiers(runtime(), [second.cookie])).toEqual([]);
    // A cashier who is invited again after being removed gets a new device. The old device stays revoked.
    await join(await invited('0712345679', 'Neema'));
    expect(await enter(second.device, second.cookie)).toEqual({ ok: false, error: { code: 'unknown_device' } });
    runtime().advance(CASHIER_SESSION_MS - HOUR_MS);
    expect(await access(third.token)).toMatchObject({ ok: true });
    runtime().advance(2 * HOUR_MS);
    expect(await access(third.token)).toEqual({ ok: false, error: 'signed_out' });
  });
});

test('a device is revoked only by its own merchant', async () => {
  const { device, token } = await joined();
  const neighbour = await makeMerchant(runtime());
  const stranger = await accessOf(runtime(), neighbour, neighbour.email);
  expect(await revokeDevice(runtime(), stranger, device)).toEqual({ ok: false, error: 'no_such_device' });
  expect(await revokeDevice(runtime(), await joinAs(runtime(), shop, 'viewer'), device)).toEqual({ ok: false, error: 'not_allowed' });
  expect(await access(token)).toMatchObject({ ok: true });
});

test('one number can be a cashier of two merchants, who learn nothing of each other', async () => {
  const here = await joined();
  const neighbour = await makeMerchant(runtime());
  const token = await invited('0712345678', 'Asha', await accessOf(runtime(), neighbour, neighbour.email));
  const there = await join(token);
  expect(there.ok && there.value.userId).not.toBe(here.userId);
  expect(await access(there.ok ? there.value.token : '')).toEqual({ ok: false, error: 'not_found' });
});

test('a cashier has no password, no mailbox, no second factor to set up, and no other role', async () => {
  const { token, userId } = await joined();
  const { email } = await runtime().db.prisma.user.findUniqueOrThrow({ where: { id: userId } });
  expect(email).toBe(`0712345678/${shop.merchant.slug}`);
  expect(await signIn(runtime(), { email, password: '', userAgent: null, address: null })).toEqual({ ok: false, error: { code: 'wrong' } });
  expect(await makeResetLink(runtime(), { email, actor: anonymousActor(null) })).toBeNull();
  const account = await grantAccount(runtime(), token);
  if (!account) throw new Error('signed out');
  expect(await startSecondFactor(runtime(), account)).toBe(false);
  for (const role of ['owner', 'admin', 'viewer'] as const)
    expect(await changeRole(runtime(), await owner(), { userId, role })).toEqual({ ok: false, error: 'cashier_only' });
  const now = runtime().clock();
  expect(account.provenAt < addMs(now, -DAY_MS)).toBe(true);
});
