import { describe, expect, test } from 'vitest';
import { changePassword } from '@/lib/backoffice/email-links/change-password';
import { finishReset, makeResetLink } from '@/lib/backoffice/email-links/reset-by-link';
import { addMs, DAY_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { accountOf, codeAt, secondFactorFor, signInAs } from '@/testing/data/accounts';
import { makeMerchant, TEST_OPERATOR, testRuntime } from '@/testing/runtime';
import { grantAccount } from './access/grant-account';
import { SESSIONS_MAX, startSession } from './access/sessions';
import { type DeviceProof, encryptDeviceCookie, newDeviceId } from './device';
import { listAccountSessions } from './sign-in/manage-account';
import { RECOVERY_CODES } from './sign-in/second-factor-codes';
import { completeSignIn, signIn } from './sign-in/sign-in';
import { type Counter, codeCounters, mailCounters, passwordCounters } from './sign-in/throttle-rules';
import { countAttempt } from './sign-in/throttle-store';

// @module-tag full
const DAY_SECONDS = 24 * 60 * 60;

/** Returns how many passwords or codes per day a counter allows in the long run. */
function attemptsPerDay({ windows }: Pick<Counter, 'windows'>): number {
  return Math.min(...windows.map(({ attempts, seconds }) => (attempts * DAY_SECONDS) / seconds));
}

const runtime = testRuntime();
const DAYS_A_YEAR = 365;

describe('guessing a password', () => {
  test('from changing IP addresses, 40 passwords a day are checked, so 10,000 passwords take most of a year', async () => {
    const email = 'somebody@example.com';
    let through = 0;
    const end = addMs(runtime().clock(), DAY_MS);
    for (let i = 0; runtime().clock() < end; i += 1) {
      const counters = passwordCounters({ email, address: `192.0.2.${i % 250}`, device: null });
      const until = await countAttempt(runtime(), counters);
      if (until === null) through += 1;
      else runtime().advance(until.getTime() - runtime().clock().getTime() + SECOND_MS);
    }
    expect(through).toBeLessThanOrEqual(41);
    const account = passwordCounters({ email, address: null, device: null }).at(-1);
    expect(10_000 / attemptsPerDay(account ?? { windows: [] })).toBeGreaterThanOrEqual(250);
  });

  test('for changing accounts, one IP address may check 300 passwords a day', () => {
    const [address] = passwordCounters({ email: 'a@b.co', address: '192.0.2.1', device: null });
    expect(attemptsPerDay(address ?? { windows: [] })).toBe(300);
  });

  test('many wrong passwords block unknown devices, but not a device of the owner, and do not show which accounts exist', async () => {
    const merchant = await makeMerchant(runtime());
    const { userId, device } = await signInAs(runtime(), merchant);
    const attempt = (email: string, password: string, devices: string[] = []) =>
      signIn(runtime(), { email, password, userAgent: null, address: '198.51.100.7', devices });
    const stranger = (email: string) => attempt(email, 'a wrong password');
    const codes: Record<string, string[]> = { known: [], unknown: [] };
    for (let i = 0; i < 8; i += 1) {
      const [known, unknown] = [await stranger(merchant.email), await stranger('nobody@example.com')];
      codes.known?.push(known.ok ? 'in' : known.error.code);
      codes.unknown?.push(unknown.ok ? 'in' : unknown.error.code);
    }
    expect(codes.known).toEqual(codes.unknown);
    expect(codes.known?.filter((code) => code === 'wrong')).toHaveLength(5);
    // On an unknown device, even the right password must wait.
    expect(await attempt(merchant.email, merchant.password ?? '')).toMatchObject({ error: { code: 'wait', until: expect.any(Date) } });
    const cookie = encryptDeviceCookie(runtime(), userId, device);
    expect((await attempt(merchant.email, merchant.password ?? '', ['nonsense', cookie])).ok).toBe(true);
    // A known device has its own counter, so somebody who has stolen a device cannot enter passwords without limit.
    const own = [];
    for (let i = 0; i < 7; i += 1) own.push(await attempt(merchant.email, 'a wrong password', [cookie]));
    expect(own.map((answer) => (answer.ok ? 'in' : answer.error.code))).toEqual([
      'wrong',
      'wrong',
      'wrong',
      'wrong',
      'wrong',
      'wait',
      'wait',
    ]);
  });

  test('the known device of one account is unknown to another account', async () => {
    const [mine, theirs] = [await makeMerchant(runtime()), await makeMerchant(runtime())];
    const { userId, device } = await signInAs(runtime(), mine);
    const devices = [encryptDeviceCookie(runtime(), userId, device)];
    const attempt = () =>
      signIn(runtime(), { email: theirs.email, password: 'a wrong password', userAgent: null, address: '203.0.113.5', devices });
    for (let i = 0; i < 5; i += 1) await attempt();
    expect(await attempt()).toMatchObject({ error: { code: 'wait' } });
    expect((await signInAs(runtime(), mine, devices)).token).toBeTruthy();
  });

  test('correct passwords are not counted as wrong attempts', async () => {
    const merchant = await makeMerchant(runtime());
    for (let i = 0; i < 8; i += 1) expect((await signInAs(runtime(), merchant)).codeDue).toBe(false);
  });

  test('the right password is accepted 60 times an hour, and the 20 most recently used sessions stay open', async () => {
    const merchant = await makeMerchant(runtime());
    const first = await signInAs(runtime(), merchant);
    runtime().advance(SECOND_MS);
    let last = first.token;
    for (let i = 1; i < 60; i += 1) last = (await signInAs(runtime(), merchant)).token;
    await expect(signInAs(runtime(), merchant)).rejects.toThrow('sign-in: wait');
    await expect(signInAs(runtime(), merchant, [encryptDeviceCookie(runtime(), first.userId, first.device)])).rejects.toThrow(
      'sign-in: wait',
    );
    expect(await listAccountSessions(runtime(), await accountOf(runtime(), last))).toHaveLength(SESSIONS_MAX);
    expect(await grantAccount(runtime(), first.token)).toBeNull();
    runtime().advance(60 * MINUTE_MS);
    expect((await signInAs(runtime(), merchant)).token).toBeTruthy();
  });

  test('sign-ins that wait for a code do not end open sessions', async () => {
    const merchant = await makeMerchant(runtime());
    const { token, userId } = await signInAs(runtime(), merchant);
    await secondFactorFor(runtime(), await accountOf(runtime(), token));
    const options = {
      user: { id: userId, email: merchant.email, name: '' },
      userAgent: null,
      address: null,
      codeDue: true,
      replaces: null,
    };
    const { db } = runtime();
    for (let i = 0; i < SESSIONS_MAX + 2; i += 1) await db.transaction((tx) => startSession(runtime(), options, tx));
    expect(await grantAccount(runtime(), token)).not.toBeNull();
    const due = { text: 'SELECT 1 FROM session WHERE user_id = $1 AND code_due AND revoked_at IS NULL' };
    expect(await db.query(due, [userId])).toHaveLength(SESSIONS_MAX);
  });
});

describe('one network of a hosting provider', () => {
  test.each([
    ['an IPv6 /48', (i: number) => `2001:db8:77:${(i * 41).toString(16)}::1`, 360],
    ['an IPv6 /56', (i: number) => `2001:db8:78:${(i % 256).toString(16)}::1`, 120],
    ['an IPv4 /24', (i: number) => `198.51.100.${i % 250}`, 240],
  ])('%s has its own limit and does not block other networks', async (_name, address, most) => {
    const at = (one: string, email: string) => countAttempt(runtime(), passwordCounters({ email, address: one, device: null }));
    let through = 0;
    for (let i = 0; i < most + 5; i += 1) through += Number((await at(address(i), `invented-${most}-${i}@example.com`)) === null);
    expect(through).toBe(most);
    expect(await at('203.0.113.9', `somebody-${most}@example.com`)).toBeNull();
    expect(await at('2001:db8:99::1', `somebody-${most}@example.com`)).toBeNull();
    const merchant = await makeMerchant(runtime());
    expect((await signInAs(runtime(), merchant)).token).toBeTruthy();
  });

  test.each(['reset', 'sign-up'] as const)('may request at most 60 mails an hour (%s), and does not block other networks', async (what) => {
    const ask = (address: string, email: string) => countAttempt(runtime(), mailCounters({ address, email, what }));
    let through = 0;
    for (let i = 0; i < 70; i += 1)
      through += Number((await ask(`2001:db8:79:${(i * 256).toString(16)}::1`, `invented-${i}@example.com`)) === null);
    expect(through).toBe(60);
    expect(await ask('203.0.113.9', 'asha@example.com')).toBeNull();
  });

  test('cannot block resets of others, even together with many other networks', async () => {
    const keys = mailCounters({ address: '203.0.113.9', email: 'asha@example.com', what: 'reset' }).map(({ key }) => key);
    expect(keys.filter((key) => key.endsWith('/all'))).toEqual([]);
  });
});

describe('guessing a code with a known password', () => {
  const counters = (more: Partial<Parameters<typeof codeCounters>[0]>) =>
    codeCounters({ userId: 'somebody', sessionId: '1', device: null, address: null, kind: 'app', ...more });

  test('20 codes a day and 60 a week are checked: a million codes take centuries, and a chance of 1 % takes a year', async () => {
    let through = 0;
    const end = addMs(runtime().clock(), 7 * DAY_MS);
    for (let session = 0; runtime().clock() < end; session += 1) {
      const until = await countAttempt(runtime(), counters({ sessionId: String(session) }));
      if (until === null) through += 1;
      else runtime().advance(until.getTime() - runtime().clock().getTime() + SECOND_MS);
    }
    expect(through).toBeLessThanOrEqual(61);
    const [, account] = counters({});
    const perYear = attemptsPerDay(account ?? { windows: [] }) * DAYS_A_YEAR;
    expect(1_000_000 / perYear).toBeGreaterThan(300);
    // Three codes are valid at any time: the present one and its neighbours.
    expect((perYear * 3) / 1_000_000).toBeLessThan(0.01);
  });

  test('all devices that have proven only the password share one limit, and so do those that have proven the mailbox', () => {
    const keyOf = (proof: DeviceProof) => counters({ device: newDeviceId(runtime().random, proof) }).at(-1)?.key;
    expect(keyOf('password')).toBe(counters({}).at(-1)?.key);
    expect(counters({ device: 'created before device ids contained a proof' }).at(-1)?.key).toBe(keyOf('password'));
    expect(keyOf('mailbox')).toBe(keyOf('mailbox'));
    expect(new Set([keyOf('password'), keyOf('mailbox'), keyOf('code'), keyOf('code')]).size).toBe(4);
  });

  test('guessing recovery codes is hopeless: 60 attempts per session and week, and 40 sessions per account and day', () => {
    const [session, address] = counters({ kind: 'recovery', address: '192.0.2.1' });
    const account = passwordCounters({ email: 'a@b.co', address: null, device: null }).at(-1);
    const perDay = attemptsPerDay(session ?? { windows: [] }) * attemptsPerDay(account ?? { windows: [] });
    expect(address?.key).toContain('address');
    expect((perDay * DAYS_A_YEAR * RECOVERY_CODES) / 2 ** 60).toBeLessThan(1e-10);
  });
});

describe('when a stranger knows the password and uses up the limit of codes', () => {
  const mail = testRuntime({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'Bili <bili@example.com>' });

  async function limitReached() {
    const merchant = await makeMerchant(mail());
    const first = await signInAs(mail(), merchant);
    const account = await accountOf(mail(), first.token);
    const { secret, codes } = await secondFactorFor(mail(), account);
    mail().advance(MINUTE_MS);
    const enter = async (token: string, code: string, devices: string[] = []) => {
      const answer = await completeSignIn(mail(), { token, code, devices, address: '198.51.100.9' });
      return answer.ok ? 'in' : answer.error.code;
    };
    const stolen = await signInAs(mail(), merchant);
    const answers = [];
    for (let i = 0; i < 6; i += 1) answers.push(await enter(stolen.token, '000000'));
    expect(answers).toEqual(['wrong', 'wrong', 'wrong', 'wrong', 'wrong', 'wait']);
    const kinds = async () =>
      (
        await mail().db.query<{ subject: string }>({ text: 'SELECT subject FROM mail WHERE recipient = $1 ORDER BY id' }, [merchant.email])
      ).map(({ subject }) => subject);
    const code = () => codeAt(secret, mail().clock());
    return { merchant, userId: first.userId, device: first.device, account, codes, code, enter, kinds };
  }

  test('other sessions must wait, and so must a device that has proven only the password, but not one that has proven a code', async () => {
    const { merchant, userId, device, code, enter } = await limitReached();
    expect(await enter((await signInAs(mail(), merchant)).token, code())).toBe('wait');
    expect(await enter((await signInAs(mail(), merchant)).token, code(), [encryptDeviceCookie(mail(), userId, device)])).toBe('wait');
    const own = encryptDeviceCookie(mail(), userId, newDeviceId(mail().random, 'code'));
    expect(await enter((await signInAs(mail(), merchant)).token, code(), [own])).toBe('in');
  });

  test('a recovery code is accepted on any device, and gives the device its own limit', async () => {
    const { merchant, userId, codes, enter, code } = await limitReached();
    const { token } = await signInAs(mail(), merchant);
    const entered = await completeSignIn(mail(), { token, code: codes[0] ?? '', devices: [], address: '192.0.2.7' });
    if (!entered.ok) throw new Error(entered.error.code);
    mail().advance(MINUTE_MS);
    const device = encryptDeviceCookie(mail(), userId, entered.value.device);
    expect(await enter((await signInAs(mail(), merchant)).token, code(), [device])).toBe('in');
  });

  test('a reset by mail gives the device a new limit, which it shares with all such devices', async () => {
    const { merchant, userId, code, enter } = await limitReached();
    const reset = async (password: string) => {
      const link = await makeResetLink(mail(), { email: merchant.email, actor: TEST_OPERATOR });
      const token = link?.split('token=')[1] ?? '';
      const done = await finishReset(mail(), { token, password, address: null });
      if (!done.ok) throw new Error(done.error);
      return encryptDeviceCookie(mail(), userId, done.value.device);
    };
    const first = await reset('maembe na karanga');
    const { token } = await signInAs(mail(), { ...merchant, password: 'maembe na karanga' }, [first]);
    for (let i = 0; i < 4; i += 1) expect(await enter(token, '000000', [first])).toBe('wrong');
    expect(await enter(token, code(), [first])).toBe('in');
    // Further password resets do not raise the limit of codes, even for somebody who has access to the mailbox.
    mail().advance(MINUTE_MS);
    const devices = [await reset('ninapenda samaki'), await reset('kuku na wali leo')];
    let through = 0;
    for (const device of devices) {
      const next = await signInAs(mail(), { ...merchant, password: 'kuku na wali leo' }, [device]);
      for (let i = 0; i < 4; i += 1) through += Number((await enter(next.token, '000000', [device])) === 'wrong');
    }
    expect(through).toBe(5);
  });

  test('the owner is warned once a day, but not after a few typing errors, and setting a new password resets the limit', async () => {
    const { merchant, account, code, enter, kinds } = await limitReached();
    const warned = async () => (await kinds()).filter((subject) => subject.includes('Somebody may know your password')).length;
    expect(await warned()).toBe(1);
    mail().advance(2 * MINUTE_MS);
    const { token } = await signInAs(mail(), merchant);
    for (let i = 0; i < 4; i += 1) await enter(token, '000000');
    expect(await warned()).toBe(1);
    expect(await enter((await signInAs(mail(), merchant)).token, '000000')).toBe('wrong');
    expect(await enter((await signInAs(mail(), merchant)).token, code())).toBe('wait');
    expect((await changePassword(mail(), account, 'ninapenda samaki')).ok).toBe(true);
    expect(await enter((await signInAs(mail(), { ...merchant, password: 'ninapenda samaki' })).token, code())).toBe('in');
  });
});
