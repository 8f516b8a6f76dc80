import { describe, expect, test } from 'vitest';
import { changeEmail } from '@/lib/backoffice/email-links/change-email';
import { changePassword, resetPassword } from '@/lib/backoffice/email-links/change-password';
import { deleteOldLinks } from '@/lib/backoffice/email-links/link-store';
import { finishReset, makeResetLink, readResetLink, requestReset } from '@/lib/backoffice/email-links/reset-by-link';
import { finishSignUp, readSignUpLink, requestSignUp } from '@/lib/backoffice/email-links/sign-up';
import { grantAccount } from '@/lib/identity/accounts/access/grant-account';
import { findMerchant } from '@/lib/identity/merchants/store';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { listMails } from '@/lib/platform/mail/listing-store';
import { accountOf, codeAt, secondFactorFor, signInAs } from '@/testing/data/accounts';
import { mailsTo as mailsOf } from '@/testing/data/mails';
import { makeMerchant, TEST_OPERATOR, testRuntime } from '@/testing/runtime';
import { completeSignIn } from './sign-in/sign-in';

const runtime = testRuntime({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'Bili <bili@example.com>', SIGN_UP: 'open' });
const PASSWORD = 'maembe na karanga';

const mailsTo = (email: string) => mailsOf(runtime(), email);

const tokenIn = (text: string) => /token=([\w-]{43})/.exec(text)?.[1] ?? '';
const email = () => `someone-${Math.floor(performance.now() * 1_000)}@example.com`;

async function mailedReset(to: string): Promise<string> {
  const asked = await requestReset(runtime(), { email: to, address: '192.0.2.1', locale: 'en' });
  if (!asked.ok) throw new Error('rate limited');
  await asked.value();
  return tokenIn((await mailsTo(to)).at(-1)?.text ?? '');
}

describe('a password reset', () => {
  test('a mailed link sets a password once, ends all sessions and notifies the owner', async () => {
    const merchant = await makeMerchant(runtime());
    const before = await signInAs(runtime(), merchant);
    const token = await mailedReset(merchant.email);
    expect(await readResetLink(runtime(), token)).toMatchObject({ email: merchant.email });
    expect(await finishReset(runtime(), { token, password: 'password1234', address: null })).toMatchObject({ error: 'too_common' });
    expect(await finishReset(runtime(), { token, password: 'Duka Duka 2026', address: null })).toMatchObject({ ok: true });
    expect(await finishReset(runtime(), { token, password: PASSWORD, address: null })).toMatchObject({ error: 'link_ended' });
    expect(await readResetLink(runtime(), token)).toBeNull();
    expect(await grantAccount(runtime(), before.token)).toBeNull();
    expect((await signInAs(runtime(), { ...merchant, password: 'Duka Duka 2026' })).codeDue).toBe(false);
    expect((await mailsTo(merchant.email)).at(-1)).toMatchObject({
      kind: 'account_changed',
      text: expect.stringContaining(merchant.email),
    });
  });

  test('only one of two concurrent uses of a link succeeds, and it ends the other links of the user', async () => {
    const merchant = await makeMerchant(runtime());
    const [older, token] = [await mailedReset(merchant.email), await mailedReset(merchant.email)];
    const finish = (password: string) => finishReset(runtime(), { token, password, address: null });
    const answers = await Promise.all([finish(PASSWORD), finish('ninapenda samaki')]);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await readResetLink(runtime(), older)).toBeNull();
  });

  test('a link does not work after its owner has changed the password', async () => {
    const merchant = await makeMerchant(runtime());
    const token = await mailedReset(merchant.email);
    const account = await accountOf(runtime(), (await signInAs(runtime(), merchant)).token);
    expect((await changePassword(runtime(), account, PASSWORD)).ok).toBe(true);
    expect(await readResetLink(runtime(), token)).toBeNull();
  });

  test('by the operator ends links and sessions, writes an audit entry and notifies the owner', async () => {
    const merchant = await makeMerchant(runtime());
    const [token, { token: session, userId }] = [await mailedReset(merchant.email), await signInAs(runtime(), merchant)];
    const reset = await resetPassword(runtime(), { email: ` ${merchant.email.toUpperCase()}`, actor: TEST_OPERATOR });
    expect(reset?.password).toHaveLength(24);
    expect(await readResetLink(runtime(), token)).toBeNull();
    expect(await grantAccount(runtime(), session)).toBeNull();
    expect((await mailsTo(merchant.email)).at(-1)).toMatchObject({ kind: 'account_changed' });
    expect(await runtime().db.prisma.auditEntry.findMany({ where: { subject: userId, action: 'password.reset' } })).toMatchObject([
      { actor: 'operator:test', data: { sessionsEnded: 1 } },
    ]);
  });

  test.each(['a\0b@example.com', '', 'nobody'])('for the invalid address %j gets the same answer as for a valid one', async (to) => {
    const asked = await requestReset(runtime(), { email: to, address: null, locale: 'en' });
    if (!asked.ok) throw new Error('rate limited');
    await expect(asked.value()).resolves.toBeUndefined();
  });

  test('does not bypass the second factor', async () => {
    const merchant = await makeMerchant(runtime());
    const { token: session } = await signInAs(runtime(), merchant);
    const { secret } = await secondFactorFor(runtime(), await accountOf(runtime(), session));
    await finishReset(runtime(), { token: await mailedReset(merchant.email), password: PASSWORD, address: null });
    const { token, codeDue } = await signInAs(runtime(), { ...merchant, password: PASSWORD });
    expect(codeDue).toBe(true);
    expect(await grantAccount(runtime(), token)).toBeNull();
    runtime().advance(MINUTE_MS);
    const code = codeAt(secret, runtime().clock());
    expect((await completeSignIn(runtime(), { token, code, devices: [], address: null })).ok).toBe(true);
  });

  test('a link works for an hour, only for resets, and its token is neither stored nor in an audit entry', async () => {
    const merchant = await makeMerchant(runtime());
    const link = await makeResetLink(runtime(), { email: merchant.email.toUpperCase(), actor: TEST_OPERATOR });
    const token = tokenIn(link ?? '');
    expect(await readSignUpLink(runtime(), token)).toBeNull();
    const rows = await runtime().db.query<{ line: string }>({
      text: 'SELECT l::text AS line FROM account_link l UNION ALL SELECT a::text FROM audit_entry a',
    });
    expect(rows.map(({ line }) => line).join()).not.toContain(token);
    runtime().advance(HOUR_MS);
    expect(await readResetLink(runtime(), token)).toBeNull();
    expect(await finishReset(runtime(), { token, password: PASSWORD, address: null })).toMatchObject({ error: 'link_ended' });
    expect(await makeResetLink(runtime(), { email: 'nobody@example.com', actor: TEST_OPERATOR })).toBeNull();
    runtime().advance(2 * DAY_MS);
    expect(await deleteOldLinks(runtime().db, runtime().clock())).toBeGreaterThan(0);
  });

  test('an address without an account gets the same answers and no mail; both have the same rate limit', async () => {
    const merchant = await makeMerchant(runtime());
    const unknown = email();
    const answers: Record<string, boolean[]> = { known: [], unknown: [] };
    for (const [who, to] of [
      ['known', merchant.email],
      ['unknown', unknown],
    ] as const) {
      for (let i = 0; i < 5; i += 1) {
        const asked = await requestReset(runtime(), { email: to, address: who === 'known' ? '192.0.2.8' : '192.0.2.9', locale: 'sw' });
        answers[who]?.push(asked.ok);
        if (asked.ok) await asked.value();
      }
    }
    expect(answers.known).toEqual([true, true, true, false, false]);
    expect(answers.unknown).toEqual(answers.known);
    expect(await mailsTo(unknown)).toEqual([]);
    expect(await mailsTo(merchant.email)).toHaveLength(3);
  });
});

describe('a sign-up', () => {
  const ask = async (to: string) => {
    const asked = await requestSignUp(runtime(), { email: to, address: null, locale: 'en' });
    if (asked.ok) await asked.value();
    return tokenIn((await mailsTo(to.toLowerCase())).at(-1)?.text ?? '');
  };
  const FORM = { business: 'Duka la Asha', name: 'Asha Mushi', password: PASSWORD, userAgent: null, address: '192.0.2.1' };

  test('a link creates a merchant with an active sandbox and a pending live profile, an owner and a session, once', async () => {
    const to = email();
    const token = await ask(to.toUpperCase());
    expect(await readSignUpLink(runtime(), token)).toBe(to);
    const wrong = await finishSignUp(runtime(), { ...FORM, token, business: ' ', name: '', password: 'short' });
    expect(wrong).toEqual({ ok: false, error: { business: 'business_name', name: 'name_required', password: 'too_short' } });
    const signedUp = await finishSignUp(runtime(), { ...FORM, token });
    if (!signedUp.ok) throw new Error('refused');
    const account = await accountOf(runtime(), signedUp.value.token);
    expect(account.user).toMatchObject({ email: to, name: 'Asha Mushi' });
    expect(await findMerchant(runtime().db, 'duka-la-asha')).toMatchObject({
      name: 'Duka la Asha',
      profiles: [
        { environment: 'live', status: 'pending' },
        { environment: 'sandbox', status: 'active' },
      ],
    });
    expect(await finishSignUp(runtime(), { ...FORM, token })).toEqual({ ok: false, error: 'link_ended' });
    const [entry] = await runtime().db.query({ text: "SELECT action FROM audit_entry WHERE actor = $1 AND action = 'merchant.created'" }, [
      `user:${to}`,
    ]);
    expect(entry).toBeDefined();
    expect((await signInAs(runtime(), { email: to, password: PASSWORD })).codeDue).toBe(false);
  });

  test('for an address with an account sends a mail that says so, without a link', async () => {
    const merchant = await makeMerchant(runtime());
    expect(await ask(merchant.email)).toBe('');
    expect((await mailsTo(merchant.email)).map(({ kind }) => kind)).toEqual(['sign_up_known']);
  });

  test('a link stops working when its address gets an account', async () => {
    const to = email();
    const [first, second] = [await ask(to), await ask(to)];
    expect((await finishSignUp(runtime(), { ...FORM, token: first })).ok).toBe(true);
    expect(await finishSignUp(runtime(), { ...FORM, token: second })).toEqual({ ok: false, error: 'link_ended' });
  });

  test('gives no access to an account that gets the address at the same moment', async () => {
    const to = email();
    const token = await ask(to);
    const somebody = await makeMerchant(runtime());
    const waiting = { text: "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'" };
    // The link is locked, so that the sign-up continues only after the other account has the address.
    const { signingUp } = await runtime().db.transaction(async (tx) => {
      await tx.query({ text: 'SELECT 1 FROM account_link WHERE email = $1 FOR UPDATE' }, [to]);
      const signingUp = finishSignUp(runtime(), { ...FORM, token });
      while ((await runtime().db.query(waiting)).length === 0);
      expect((await changeEmail(runtime(), { email: somebody.email, to, actor: TEST_OPERATOR })).ok).toBe(true);
      return { signingUp };
    });
    expect(await signingUp).toEqual({ ok: false, error: 'link_ended' });
    expect(await runtime().db.prisma.session.count({ where: { user: { email: to } } })).toBe(0);
    expect(await runtime().db.prisma.membership.count({ where: { user: { email: to } } })).toBe(1);
  });

  test('the list of mails for the operator does not contain their links', async () => {
    const token = await ask(email());
    expect(JSON.stringify(await listMails(runtime().db, { failed: false, limit: 100 }))).not.toContain(token);
  });
});

describe('with sign-up by invitation only', () => {
  const closed = testRuntime({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'Bili <bili@example.com>' });
  test('no mail is sent and no link works', async () => {
    const asked = await requestSignUp(closed(), { email: 'a@example.com', address: null, locale: 'en' });
    if (asked.ok) await asked.value();
    expect(await listMails(closed().db, { failed: false, limit: 1 })).toEqual([]);
    expect(await readSignUpLink(closed(), 'anything')).toBeNull();
  });
});
