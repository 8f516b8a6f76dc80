import { describe, expect, test } from 'vitest';
import { resetPassword } from '@/lib/backoffice/email-links/change-password';
import { isProven } from '@/lib/identity/accounts/access/grant-access';
import { grantAccount } from '@/lib/identity/accounts/access/grant-account';
import { proveIdentity, readProofNeeded } from '@/lib/identity/accounts/sign-in/prove-identity';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { accountOf, codeAt, secondFactorFor, signInAs } from '@/testing/data/accounts';
import { makeMerchant, TEST_OPERATOR, testRuntime } from '@/testing/runtime';
import {
  confirmSecondFactorSetup,
  readSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  startSecondFactor,
  switchOffSecondFactor,
} from './sign-in/manage-second-factor';
import { completeSignIn } from './sign-in/sign-in';

const runtime = testRuntime();
const next = 30 * SECOND_MS;

async function personWithFactor() {
  const merchant = await makeMerchant(runtime());
  const { token } = await signInAs(runtime(), merchant);
  const account = await accountOf(runtime(), token);
  return { merchant, token, account, ...(await secondFactorFor(runtime(), account)) };
}

const complete = (token: string, code: string) => completeSignIn(runtime(), { token, code, devices: [], address: null });
const now = (secret: string) => codeAt(secret, runtime().clock());

describe('the setup of a second factor', () => {
  test('has no effect until a code has confirmed it', async () => {
    const merchant = await makeMerchant(runtime());
    const { token } = await signInAs(runtime(), merchant);
    const account = await accountOf(runtime(), token);
    expect(await startSecondFactor(runtime(), account)).toBe(true);
    expect(await confirmSecondFactorSetup(runtime(), account, '000000')).toMatchObject({ error: 'wrong' });
    expect((await signInAs(runtime(), merchant)).codeDue).toBe(false);
  });

  test('stores the secret encrypted and the recovery codes hashed', async () => {
    const { secret, codes, account } = await personWithFactor();
    expect(new Set(codes).size).toBe(10);
    const rows = await runtime().db.query<{ line: string }>({
      text: 'SELECT f::text AS line FROM second_factor f UNION ALL SELECT c::text FROM recovery_code c',
    });
    const stored = rows.map(({ line }) => line).join();
    expect(stored).not.toContain(secret);
    expect(stored).not.toContain(Buffer.from(secret).toString('hex'));
    for (const code of codes) expect(stored).not.toContain(code);
    expect(await readSecondFactor(runtime(), account)).toMatchObject({ kind: 'on', codesLeft: 10 });
  });

  test('ends all sessions except the one that confirmed it', async () => {
    const merchant = await makeMerchant(runtime());
    const [other, mine] = [await signInAs(runtime(), merchant), await signInAs(runtime(), merchant)];
    await secondFactorFor(runtime(), await accountOf(runtime(), mine.token));
    expect(await grantAccount(runtime(), other.token)).toBeNull();
    expect(await grantAccount(runtime(), mine.token)).not.toBeNull();
  });

  test('is refused if a second factor is already on', async () => {
    const { account, secret } = await personWithFactor();
    expect(await startSecondFactor(runtime(), account)).toBe(false);
    expect(await confirmSecondFactorSetup(runtime(), account, now(secret))).toMatchObject({ error: 'not_set_up' });
  });

  test('and all other changes of it need a recent proof of identity', async () => {
    const { account, token, secret, merchant } = await personWithFactor();
    runtime().advance(16 * MINUTE_MS);
    expect(isProven(account, runtime().clock())).toBe(false);
    expect(await renewRecoveryCodes(runtime(), account)).toMatchObject({ error: 'not_proven' });
    expect(await switchOffSecondFactor(runtime(), account)).toBe(false);
    expect(await readProofNeeded(runtime(), token)).toEqual({ code: true, until: null });
    const prove = (code: string) => proveIdentity(runtime(), { token, password: merchant.password ?? '', code, address: null });
    expect((await prove('')).ok).toBe(false);
    expect((await prove('123')).ok).toBe(false);
    const renewed = await prove(now(secret));
    const proven = await accountOf(runtime(), renewed.ok ? renewed.value : '');
    expect(await renewRecoveryCodes(runtime(), proven)).toMatchObject({ ok: true });
    expect(await switchOffSecondFactor(runtime(), proven)).toBe(true);
    expect((await signInAs(runtime(), merchant)).codeDue).toBe(false);
  });
});

describe('signing in with a second factor', () => {
  test('the password alone gives no access; the code completes the session and replaces its token', async () => {
    const { merchant, secret } = await personWithFactor();
    runtime().advance(next);
    const { token, codeDue } = await signInAs(runtime(), merchant);
    expect(codeDue).toBe(true);
    expect(await grantAccount(runtime(), token)).toBeNull();
    const completed = await complete(token, `${now(secret).slice(0, 3)} ${now(secret).slice(3)}`);
    expect(completed).toMatchObject({ ok: true, value: { kind: 'app' } });
    expect(await grantAccount(runtime(), token)).toBeNull();
    expect(completed.ok && (await grantAccount(runtime(), completed.value.token))).toMatchObject({ user: { email: merchant.email } });
    expect(await complete(token, now(secret))).toMatchObject({ error: { code: 'signed_out' } });
  });

  test('a code is accepted once, also with concurrent sign-ins', async () => {
    const { merchant, secret } = await personWithFactor();
    runtime().advance(next);
    const tokens = [];
    for (let i = 0; i < 4; i += 1) tokens.push((await signInAs(runtime(), merchant)).token);
    const code = now(secret);
    const answers = await Promise.all(tokens.map((token) => complete(token, code)));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
  });

  test.each([
    [-2, false],
    [-1, true],
    [0, true],
    [1, true],
    [2, false],
  ])('a code of a phone whose clock differs by %i steps is accepted: %s', async (steps, opens) => {
    const { merchant, secret } = await personWithFactor();
    runtime().advance(10 * next);
    const { token } = await signInAs(runtime(), merchant);
    const code = codeAt(secret, new Date(runtime().clock().getTime() + steps * next));
    expect((await complete(token, code)).ok).toBe(opens);
  });

  test('after a code, codes of earlier steps are refused', async () => {
    const { merchant, secret } = await personWithFactor();
    runtime().advance(10 * next);
    const later = codeAt(secret, new Date(runtime().clock().getTime() + next));
    expect((await complete((await signInAs(runtime(), merchant)).token, later)).ok).toBe(true);
    expect((await complete((await signInAs(runtime(), merchant)).token, now(secret))).ok).toBe(false);
  });

  test('a recovery code is accepted once, in any usual notation; new codes replace all old ones', async () => {
    const { merchant, codes, account } = await personWithFactor();
    const [first = '', second = ''] = codes;
    const typed = first.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o');
    expect(await complete((await signInAs(runtime(), merchant)).token, typed)).toMatchObject({ ok: true, value: { kind: 'recovery' } });
    expect((await complete((await signInAs(runtime(), merchant)).token, first)).ok).toBe(false);
    expect(await readSecondFactor(runtime(), account)).toMatchObject({ codesLeft: 9 });
    const renewed = await renewRecoveryCodes(runtime(), account);
    expect((await complete((await signInAs(runtime(), merchant)).token, second)).ok).toBe(false);
    expect(renewed.ok && (await complete((await signInAs(runtime(), merchant)).token, renewed.value[0] ?? '')).ok).toBe(true);
  });

  test('the code of another user is refused', async () => {
    const mine = await personWithFactor();
    const theirs = await personWithFactor();
    runtime().advance(next);
    const { token } = await signInAs(runtime(), mine.merchant);
    expect((await complete(token, now(theirs.secret))).ok).toBe(false);
    expect((await complete(token, theirs.codes[0] ?? '')).ok).toBe(false);
  });

  test('a session waits for its code for ten minutes', async () => {
    const { merchant, secret } = await personWithFactor();
    const { token } = await signInAs(runtime(), merchant);
    runtime().advance(HOUR_MS);
    expect(await complete(token, now(secret))).toMatchObject({ error: { code: 'signed_out' } });
  });

  test('a new password from the operator does not bypass it; the operator can remove it, which ends the sessions', async () => {
    const { merchant, token } = await personWithFactor();
    const reset = await resetPassword(runtime(), { email: merchant.email, actor: TEST_OPERATOR });
    const password = reset?.password ?? '';
    expect((await signInAs(runtime(), { ...merchant, password })).codeDue).toBe(true);
    const remove = () => removeSecondFactor(runtime(), { email: merchant.email, actor: TEST_OPERATOR });
    expect([await remove(), await remove()]).toEqual(['removed', 'none']);
    expect(await removeSecondFactor(runtime(), { email: 'nobody@example.com', actor: TEST_OPERATOR })).toBe('unknown');
    expect(await grantAccount(runtime(), token)).toBeNull();
    expect((await signInAs(runtime(), { ...merchant, password })).codeDue).toBe(false);
    const [entry] = await runtime().db.query({ text: "SELECT actor FROM audit_entry WHERE action = 'second-factor.removed'" });
    expect(entry).toEqual({ actor: 'operator:test' });
  });
});
