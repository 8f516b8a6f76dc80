import { describe, expect, test } from 'vitest';
import { changePassword, resetPassword } from '@/lib/backoffice/email-links/change-password';
import { createMerchant } from '@/lib/backoffice/merchants/create-merchant';
import { grantAccess, may } from '@/lib/identity/accounts/access/grant-access';
import { grantAccount } from '@/lib/identity/accounts/access/grant-account';
import { hashPassword } from '@/lib/identity/accounts/passwords/password';
import { proveIdentity } from '@/lib/identity/accounts/sign-in/prove-identity';
import { signIn, signOut } from '@/lib/identity/accounts/sign-in/sign-in';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { accountOf, signInAs } from '@/testing/data/accounts';
import { makeMerchant, TEST_OPERATOR, testRuntime } from '@/testing/runtime';
import { endSessions } from './access/session-store';
import { describeDevice } from './describe-device';
import { changeName, endAccountSessions, listAccountSessions } from './sign-in/manage-account';
import { writePassword } from './store';
import { hashToken } from './token';

const runtime = testRuntime();

test('sessions are listed with the current one first, and can be ended one by one or all others together', async () => {
  const merchant = await makeMerchant(runtime());
  const tokens = [];
  for (let i = 0; i < 4; i += 1) tokens.push((await signInAs(runtime(), merchant)).token);
  const [mine = '', second = ''] = tokens;
  const account = await accountOf(runtime(), mine);
  const listed = await listAccountSessions(runtime(), account);
  expect(listed.map(({ current }) => current)).toEqual([true, false, false, false]);
  const theirs = await accountOf(runtime(), second);
  expect(await endAccountSessions(runtime(), account, { id: theirs.sessionId })).toBe(1);
  expect(await grantAccount(runtime(), second)).toBeNull();
  expect(await endAccountSessions(runtime(), account, { id: null })).toBe(2);
  expect(await listAccountSessions(runtime(), account)).toHaveLength(1);
  expect(await grantAccount(runtime(), mine)).not.toBeNull();
});

test('a user cannot end the session of another user', async () => {
  const [mine, theirs] = [await makeMerchant(runtime()), await makeMerchant(runtime())];
  const account = await accountOf(runtime(), (await signInAs(runtime(), mine)).token);
  const { token } = await signInAs(runtime(), theirs);
  const { sessionId } = await accountOf(runtime(), token);
  expect(await endAccountSessions(runtime(), account, { id: sessionId })).toBe(0);
  expect(await endAccountSessions(runtime(), account, { id: 'nonsense' })).toBe(0);
  expect(await grantAccount(runtime(), token)).not.toBeNull();
});

test('the time of the last use is stored at most every five minutes', async () => {
  const merchant = await makeMerchant(runtime());
  const { token } = await signInAs(runtime(), merchant);
  const seen = async () => {
    const account = await accountOf(runtime(), token);
    return (await listAccountSessions(runtime(), account))[0]?.lastSeenAt.getTime();
  };
  const first = await seen();
  runtime().advance(4 * MINUTE_MS);
  expect(await seen()).toBe(first);
  runtime().advance(2 * MINUTE_MS);
  expect(await seen()).toBeGreaterThan((first ?? 0) + 5 * MINUTE_MS);
});

test('signing out ends the session, and the audit log contains one entry with the IP address', async () => {
  const merchant = await makeMerchant(runtime());
  const { token, userId } = await signInAs(runtime(), merchant);
  for (let i = 0; i < 2; i += 1) await signOut(runtime(), { token, address: '192.0.2.9' });
  expect(await grantAccount(runtime(), token)).toBeNull();
  const entries = await runtime().db.prisma.auditEntry.findMany({ where: { subject: userId, action: 'sign-out' } });
  expect(entries).toMatchObject([{ actor: `user:${merchant.email}`, address: '192.0.2.9' }]);
});

test('a token without a session row gives no access', async () => {
  const merchant = await makeMerchant(runtime());
  const { token } = await signInAs(runtime(), merchant);
  await runtime().db.query({ text: 'DELETE FROM session WHERE token_hash = $1' }, [hashToken(token)]);
  expect(await grantAccount(runtime(), token)).toBeNull();
  expect(await grantAccess(runtime(), { token, merchant: merchant.merchant.slug, environment: 'live' })).toMatchObject({
    error: 'signed_out',
  });
});

test('a changed role applies to the next request', async () => {
  const merchant = await makeMerchant(runtime());
  const { token, userId } = await signInAs(runtime(), merchant);
  const access = () => grantAccess(runtime(), { token, merchant: merchant.merchant.slug, environment: 'live' });
  const before = await access();
  expect(before.ok && may(before.value, 'keys.change')).toBe(true);
  await runtime().db.query({ text: "UPDATE membership SET role = 'collector' WHERE user_id = $1" }, [userId]);
  const after = await access();
  expect(after.ok && may(after.value, 'keys.change')).toBe(false);
  await runtime().db.query({ text: 'DELETE FROM membership WHERE user_id = $1' }, [userId]);
  expect(await access()).toMatchObject({ error: 'not_found' });
});

test('a new password needs a recent proof of identity, must follow the rules and ends all other sessions', async () => {
  const merchant = await makeMerchant(runtime());
  const other = await signInAs(runtime(), merchant);
  const { token } = await signInAs(runtime(), merchant);
  const password = 'maembe na karanga';
  const account = await accountOf(runtime(), token);
  expect(await changePassword(runtime(), account, 'short')).toMatchObject({ error: 'too_short' });
  expect(await changePassword(runtime(), account, merchant.email)).toMatchObject({ error: 'too_personal' });
  expect(await changePassword(runtime(), account, password)).toEqual({ ok: true, value: 1 });
  expect(await grantAccount(runtime(), other.token)).toBeNull();
  expect(await grantAccount(runtime(), token)).not.toBeNull();
  await expect(signInAs(runtime(), merchant)).rejects.toThrow('wrong');
  expect((await signInAs(runtime(), { ...merchant, password })).token).toBeTruthy();
  runtime().advance(16 * MINUTE_MS);
  expect(await changePassword(runtime(), account, password)).toMatchObject({ error: 'not_proven' });
});

test('a name is stored on one line and cannot be empty', async () => {
  const merchant = await makeMerchant(runtime());
  const { token } = await signInAs(runtime(), merchant);
  const rename = async (name: string) => changeName(runtime(), await accountOf(runtime(), token), name);
  expect(await rename(' \n')).toMatchObject({ error: 'name_required' });
  expect(await rename('x'.repeat(101))).toMatchObject({ error: 'name_too_long' });
  expect(await rename('Asha evil.example')).toMatchObject({ error: 'name_address' });
  expect((await rename('  Asha\n Mushi ')).ok).toBe(true);
  expect((await accountOf(runtime(), token)).user.name).toBe('Asha Mushi');
});

test.each([
  [
    'Mozilla/5.0 (Linux; Android 14; SM-A155F) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Mobile Safari/537.36',
    'Chrome',
    'Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Mobile/15E148 Safari/604.1',
    'Safari',
    'iPhone',
  ],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/126.0 Safari/537.36 Edg/126.0', 'Edge', 'Windows'],
  ['Opera/9.80 (Android; Opera Mini/36.2/119) Presto/2.12 Version/12.16', 'Opera Mini', 'Android'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0', 'Firefox', 'Linux'],
  ['curl/8.5.0', null, null],
  [null, null, null],
])('%s is %s on %s', (userAgent, browser, system) => {
  expect(describeDevice(userAgent)).toEqual({ browser, system });
});

test('a sign-in with a password that is changed at the same time starts no session', async () => {
  const merchant = await makeMerchant(runtime());
  const { db, clock } = runtime();
  const { userId } = await signInAs(runtime(), merchant);
  let late: Promise<unknown> = Promise.resolve();
  await db.transaction(async (tx) => {
    await writePassword(tx, userId, await hashPassword('ninapenda samaki'));
    await endSessions(tx, userId, null, clock());
    late = signInAs(runtime(), merchant).catch((error: unknown) => error);
    const waits = () =>
      db.query({ text: "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'" });
    await expect.poll(async () => (await waits()).length).toBeGreaterThan(0);
  });
  expect(await late).toMatchObject({ message: 'sign-in: wrong' });
  expect(await db.query({ text: 'SELECT 1 FROM session WHERE user_id = $1 AND revoked_at IS NULL' }, [userId])).toEqual([]);
});

test('signing in ends the previous session of the browser, even one of another user', async () => {
  const [merchant, other] = [await makeMerchant(runtime()), await makeMerchant(runtime())];
  const first = await signInAs(runtime(), other);
  const elsewhere = await signInAs(runtime(), merchant);
  const { email, password } = merchant;
  const options = { email, password: password ?? '', userAgent: null, address: '192.0.2.3', session: first.token };
  expect(await signIn(runtime(), { ...options, password: 'a wrong password' })).toMatchObject({ ok: false });
  expect(await grantAccount(runtime(), first.token)).not.toBeNull();
  expect(await signIn(runtime(), options)).toMatchObject({ ok: true });
  expect(await grantAccount(runtime(), first.token)).toBeNull();
  expect(await grantAccount(runtime(), elsewhere.token)).not.toBeNull();
  const entries = await runtime().db.prisma.auditEntry.findMany({ where: { subject: first.userId, action: 'sign-out' } });
  expect(entries).toMatchObject([{ actor: `user:${other.email}`, address: '192.0.2.3' }]);
});

test('a proof of identity replaces the token of the session, once', async () => {
  const merchant = await makeMerchant(runtime());
  const { token } = await signInAs(runtime(), merchant);
  const { sessionId } = await accountOf(runtime(), token);
  const prove = (password: string) => proveIdentity(runtime(), { token, password, code: '', address: null });
  expect(await prove('a wrong password')).toMatchObject({ error: { code: 'wrong' } });
  expect(await grantAccount(runtime(), token)).not.toBeNull();
  const proven = await Promise.all([prove(merchant.password ?? ''), prove(merchant.password ?? '')]);
  const [next, ...others] = proven.flatMap((one) => (one.ok ? [one.value] : []));
  expect(others).toEqual([]);
  expect(await grantAccount(runtime(), token)).toBeNull();
  expect(await accountOf(runtime(), next ?? '')).toMatchObject({ sessionId });
});

test('a session ends after seven days, although it is used', async () => {
  const merchant = await makeMerchant(runtime());
  const { token } = await signInAs(runtime(), merchant);
  for (let hours = 0; hours < 160; hours += 20) {
    expect(await grantAccount(runtime(), token)).not.toBeNull();
    runtime().advance(20 * HOUR_MS);
  }
  expect(await grantAccount(runtime(), token)).not.toBeNull();
  runtime().advance(8 * HOUR_MS);
  expect(await grantAccount(runtime(), token)).toBeNull();
});

test('a refused sign-in is in the audit log, with the address', async () => {
  const merchant = await makeMerchant(runtime());
  const { userId } = await signInAs(runtime(), merchant);
  const wrong = { email: merchant.email, password: 'a wrong password', userAgent: null, address: '192.0.2.7' };
  expect(await signIn(runtime(), wrong)).toMatchObject({ ok: false });
  const entries = await runtime().db.prisma.auditEntry.findMany({ where: { subject: userId, action: 'sign-in.refused' } });
  expect(entries).toMatchObject([{ actor: 'anonymous', address: '192.0.2.7' }]);
});

describe('an idle session', () => {
  const short = testRuntime({ SESSION_IDLE_MINUTES: '15' });

  test('ends after a day by default, and is not listed any more', async () => {
    const merchant = await makeMerchant(runtime());
    const { token } = await signInAs(runtime(), merchant);
    runtime().advance(23 * HOUR_MS);
    expect(await grantAccount(runtime(), token)).not.toBeNull();
    runtime().advance(23 * HOUR_MS);
    expect(await grantAccount(runtime(), token)).not.toBeNull();
    runtime().advance(24 * HOUR_MS + MINUTE_MS);
    expect(await grantAccount(runtime(), token)).toBeNull();
    const again = await signInAs(runtime(), merchant);
    expect(await listAccountSessions(runtime(), await accountOf(runtime(), again.token))).toHaveLength(1);
  });

  test('ends after the configured time, but not while it is used', async () => {
    const merchant = await makeMerchant(short());
    const { token } = await signInAs(short(), merchant);
    for (let i = 0; i < 5; i += 1) {
      short().advance(13 * MINUTE_MS);
      expect(await grantAccount(short(), token)).not.toBeNull();
    }
    short().advance(16 * MINUTE_MS);
    expect(await grantAccount(short(), token)).toBeNull();
  });

  test('ends even if a page refreshes itself', async () => {
    const merchant = await makeMerchant(short());
    const { token } = await signInAs(short(), merchant);
    const { slug } = merchant.merchant;
    const refresh = () => grantAccess(short(), { token, merchant: slug, environment: 'sandbox', background: true });
    const answers = [];
    for (let i = 0; i < 4; i += 1) {
      short().advance(4 * MINUTE_MS);
      answers.push((await refresh()).ok);
    }
    expect(answers).toEqual([true, true, true, false]);
  });
});

describe('a password that a command printed', () => {
  const enter = (email: string, password: string) => signIn(runtime(), { email, password, userAgent: null, address: null });
  const printed = {
    'for a new merchant': async (email: string) => {
      const created = await createMerchant(runtime(), { name: 'Duka', email, live: 'active', actor: TEST_OPERATOR });
      return created.ok ? (created.value.password ?? '') : '';
    },
    'for a person who lost the password': async (email: string) => {
      await createMerchant(runtime(), { name: 'Duka', email, live: 'active', actor: TEST_OPERATOR });
      runtime().advance(30 * DAY_MS);
      return (await resetPassword(runtime(), { email, actor: TEST_OPERATOR }))?.password ?? '';
    },
  };

  test.each(Object.entries(printed))('%s stops working after three days, unless the person has chosen another one', async (name, print) => {
    const [email, password] = [`${name.length}@example.com`, await print(`${name.length}@example.com`)];
    const signedIn = await enter(email, password);
    if (!signedIn.ok) throw new Error(signedIn.error.code);
    const { token } = signedIn.value;
    runtime().advance(3 * DAY_MS);
    expect(await enter(email, password)).toEqual({ ok: false, error: { code: 'expired' } });
    expect(await enter(email, `${password}x`)).toEqual({ ok: false, error: { code: 'wrong' } });
    const again = await resetPassword(runtime(), { email, actor: TEST_OPERATOR });
    const next = await enter(email, again?.password ?? '');
    if (!next.ok) throw new Error(next.error.code);
    const account = await accountOf(runtime(), next.value.token);
    expect(await changePassword(runtime(), account, 'tembo wawili mtoni')).toEqual({ ok: true, value: 0 });
    runtime().advance(3 * DAY_MS);
    expect(await enter(email, 'tembo wawili mtoni')).toMatchObject({ ok: true });
    expect(await grantAccount(runtime(), token)).toBeNull();
  });

  test('does not confirm a change either once it has expired', async () => {
    const email = 'late@example.com';
    const password = await printed['for a new merchant'](email);
    runtime().advance(3 * DAY_MS - MINUTE_MS);
    const signedIn = await enter(email, password);
    if (!signedIn.ok) throw new Error(signedIn.error.code);
    runtime().advance(MINUTE_MS);
    const { token } = signedIn.value;
    expect(await proveIdentity(runtime(), { token, password, code: '', address: null })).toEqual({ ok: false, error: { code: 'wrong' } });
  });
});
