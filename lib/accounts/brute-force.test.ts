import { describe, expect, test } from 'vitest';
import { addMs, DAY_MS, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import { accountOf, codeAt, secondFactorFor, signInAs } from '@/lib/testing/accounts';
import { makeMerchant, testRuntime } from '@/lib/testing/runtime';
import { completeSignIn } from './complete-sign-in';
import { sealDevice } from './device';
import { signIn } from './sign-in';
import { codeCounters, passwordCounters, triesPerDay } from './throttle-rules';
import { countTry } from './throttle-store';

const runtime = testRuntime();
const DAYS_A_YEAR = 365;

describe('guessing a password', () => {
  test('from ever other addresses, a day lets 40 through, and 10,000 passwords take most of a year', async () => {
    const email = 'somebody@example.com';
    let through = 0;
    const end = addMs(runtime().clock(), DAY_MS);
    for (let i = 0; runtime().clock() < end; i += 1) {
      const counters = passwordCounters({ email, address: `192.0.2.${i % 250}`, device: null });
      const until = await countTry(runtime(), counters);
      if (until === null) through += 1;
      else runtime().advance(until.getTime() - runtime().clock().getTime() + SECOND_MS);
    }
    expect(through).toBeLessThanOrEqual(41);
    const [, account] = passwordCounters({ email, address: null, device: null });
    expect(10_000 / triesPerDay(account ?? { windows: [] })).toBeGreaterThanOrEqual(250);
  });

  test('over ever other accounts, one address gets 300 a day', () => {
    const [address] = passwordCounters({ email: 'a@b.co', address: '192.0.2.1', device: null });
    expect(triesPerDay(address ?? { windows: [] })).toBe(300);
  });

  test('a stranger who tries on and on keeps others out, but not a device of the owner, nor does anybody learn who exists', async () => {
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
    // Even the right password waits, on a device that nobody knows.
    expect(await attempt(merchant.email, merchant.password ?? '')).toMatchObject({ error: { code: 'wait', until: expect.any(Date) } });
    const cookie = sealDevice(runtime(), userId, device);
    expect((await attempt(merchant.email, merchant.password ?? '', ['nonsense', cookie])).ok).toBe(true);
    // The device has a counter of its own: a stolen one does not let anybody try on and on.
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

  test("one account's device is nobody's on another account", async () => {
    const [mine, theirs] = [await makeMerchant(runtime()), await makeMerchant(runtime())];
    const { userId, device } = await signInAs(runtime(), mine);
    const devices = [sealDevice(runtime(), userId, device)];
    const attempt = () =>
      signIn(runtime(), { email: theirs.email, password: 'a wrong password', userAgent: null, address: '203.0.113.5', devices });
    for (let i = 0; i < 5; i += 1) await attempt();
    expect(await attempt()).toMatchObject({ error: { code: 'wait' } });
    expect((await signInAs(runtime(), mine, devices)).token).toBeTruthy();
  });

  test('what was right is not counted', async () => {
    const merchant = await makeMerchant(runtime());
    for (let i = 0; i < 8; i += 1) expect((await signInAs(runtime(), merchant)).codeDue).toBe(false);
  });
});

describe('guessing a code, with the password known', () => {
  test('20 a day and 60 a week get through: a million codes take centuries, and one chance in a hundred takes a year', async () => {
    let through = 0;
    const end = addMs(runtime().clock(), 7 * DAY_MS);
    for (let session = 0; runtime().clock() < end; session += 1) {
      const counters = codeCounters({ userId: 'somebody', sessionId: String(session), device: null });
      const until = await countTry(runtime(), counters);
      if (until === null) through += 1;
      else runtime().advance(until.getTime() - runtime().clock().getTime() + SECOND_MS);
    }
    expect(through).toBeLessThanOrEqual(61);
    const [, account] = codeCounters({ userId: 'somebody', sessionId: '1', device: null });
    const perYear = triesPerDay(account ?? { windows: [] }) * DAYS_A_YEAR;
    expect(1_000_000 / perYear).toBeGreaterThan(300);
    // Three codes are right at any time: the present one and its neighbours.
    expect((perYear * 3) / 1_000_000).toBeLessThan(0.01);
  });

  test('in one session, and over many, wrong codes are held up; the owner signs in meanwhile on a device of theirs', async () => {
    const merchant = await makeMerchant(runtime());
    const first = await signInAs(runtime(), merchant);
    const { secret } = await secondFactorFor(runtime(), await accountOf(runtime(), first.token));
    runtime().advance(MINUTE_MS);
    const wrong = async (token: string) => {
      const answer = await completeSignIn(runtime(), { token, code: '000000', devices: [], address: null });
      return answer.ok ? 'in' : answer.error.code;
    };
    const stolen = await signInAs(runtime(), merchant);
    const answers = [];
    for (let i = 0; i < 6; i += 1) answers.push(await wrong(stolen.token));
    expect(answers).toEqual(['wrong', 'wrong', 'wrong', 'wrong', 'wrong', 'wait']);
    expect(await wrong((await signInAs(runtime(), merchant)).token)).toBe('wait');
    const devices = [sealDevice(runtime(), first.userId, first.device)];
    const { token } = await signInAs(runtime(), merchant, devices);
    const code = codeAt(secret, runtime().clock());
    expect((await completeSignIn(runtime(), { token, code, devices, address: null })).ok).toBe(true);
  });
});
