import { expect, test } from 'vitest';
import { changeEmail, finishEmail, readEmailLink, requestEmailChange } from '@/lib/backoffice/email-links/change-email';
import { changePassword } from '@/lib/backoffice/email-links/change-password';
import { insertLink } from '@/lib/backoffice/email-links/link-store';
import { finishReset, readResetLink, requestReset } from '@/lib/backoffice/email-links/reset-by-link';
import { grantAccount } from '@/lib/identity/accounts/access/grant-account';
import { signIn } from '@/lib/identity/accounts/sign-in/sign-in';
import { acceptInvitation } from '@/lib/identity/accounts/team/accept-invitation';
import { inviteMember } from '@/lib/identity/accounts/team/invite-member';
import { HOUR_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { accountOf, signInAs } from '@/testing/data/accounts';
import { mailsTo as mailsOf } from '@/testing/data/mails';
import { makeMerchant, TEST_OPERATOR, type TestMerchant, testRuntime } from '@/testing/runtime';
import { findUserByEmail, lockUser } from './store';
import { hashToken } from './token';

const runtime = testRuntime({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'Bili <bili@example.com>' });
const PASSWORD = 'maembe na karanga';
let made = 0;

/** Returns an e-mail address without an account. */
function newAddress(): string {
  made += 1;
  return `mpya-${made}@example.com`;
}

const mailsTo = (email: string) => mailsOf(runtime(), email);

const tokenIn = (text: string) => /(?:token=|invitation\/)([\w-]{43})/.exec(text)?.[1] ?? '';

async function somebody() {
  const merchant = await makeMerchant(runtime());
  const { token, userId } = await signInAs(runtime(), merchant);
  return { merchant, token, userId, account: await accountOf(runtime(), token) };
}

async function ask({ account }: Pick<Awaited<ReturnType<typeof somebody>>, 'account'>, email: string) {
  const asked = await requestEmailChange(runtime(), account, { email, locale: 'en' });
  if (asked.ok) await asked.value();
  return asked.ok ? 'sent' : asked.error.code;
}

async function linkFor(who: Awaited<ReturnType<typeof somebody>>, to: string): Promise<string> {
  expect(await ask(who, to)).toBe('sent');
  return tokenIn((await mailsTo(to.trim().toLowerCase())).at(-1)?.text ?? '');
}

const mailedReset = async (to: string) => {
  const asked = await requestReset(runtime(), { email: to, address: '192.0.2.1', locale: 'en' });
  if (asked.ok) await asked.value();
  return tokenIn((await mailsTo(to)).at(-1)?.text ?? '');
};

test('a link to the new address changes the address once, ends all other sessions and notifies the old address', async () => {
  const who = await somebody();
  const other = await signInAs(runtime(), who.merchant);
  const to = newAddress();
  const token = await linkFor(who, ` ${to.toUpperCase()}`);
  expect(await readEmailLink(runtime(), who.account, token)).toBe(to);
  expect(await findUserByEmail(runtime().db, to)).toBeNull();
  const finished = await finishEmail(runtime(), who.account, token);
  expect(finished).toEqual({ ok: true, value: { email: to, ended: 1 } });
  expect(await grantAccount(runtime(), other.token)).toBeNull();
  const account = await accountOf(runtime(), who.token);
  expect(account.user.email).toBe(to);
  expect(await finishEmail(runtime(), account, token)).toMatchObject({ error: 'link_ended' });
  expect((await signInAs(runtime(), { ...who.merchant, email: to })).userId).toBe(who.userId);
  await expect(signInAs(runtime(), who.merchant)).rejects.toThrow('wrong');
  const notice = (await mailsTo(who.merchant.email)).at(-1);
  expect(notice?.kind).toBe('account_changed');
  // The old mailbox may belong to somebody else by now, so the mail does not contain the new address.
  expect(notice?.text).not.toContain(to);
  const entries = await runtime().db.prisma.auditEntry.findMany({ where: { subject: who.userId, action: { startsWith: 'email.' } } });
  expect(entries).toMatchObject([
    { action: 'email.asked', data: {} },
    { action: 'email.changed', data: { before: { email: who.merchant.email }, after: { email: to }, sessionsEnded: 1 } },
  ]);
});

test('only the user who requested the link can use it, so a typo in the address gives nobody else the account', async () => {
  const [mine, theirs] = [await somebody(), await somebody()];
  const token = await linkFor(mine, newAddress());
  expect(await readEmailLink(runtime(), theirs.account, token)).toBeNull();
  expect(await finishEmail(runtime(), theirs.account, token)).toMatchObject({ error: 'link_ended' });
  expect(await readResetLink(runtime(), token)).toBeNull();
});

test('an address that is taken gets the same answer, and a mail without a link', async () => {
  const [mine, theirs] = [await somebody(), await somebody()];
  expect(await ask(mine, theirs.merchant.email)).toBe('sent');
  const mails = await mailsTo(theirs.merchant.email);
  expect(mails.map(({ kind }) => kind)).toEqual(['email_known']);
  expect(tokenIn(mails[0]?.text ?? '')).toBe('');
  expect(await ask(mine, mine.merchant.email)).toBe('email_same');
  for (const wrong of ['', 'nobody', 'a\0b@example.com', 'a@b.co, c@d.co']) expect(await ask(mine, wrong)).toBe('email_wrong');
});

test('only one of two concurrent changes to the same address succeeds', async () => {
  const [mine, theirs] = [await somebody(), await somebody()];
  const to = newAddress();
  const [first, second] = [await linkFor(mine, to), await linkFor(theirs, to)];
  const answers = await Promise.all([finishEmail(runtime(), mine.account, first), finishEmail(runtime(), theirs.account, second)]);
  expect(answers.map((answer) => (answer.ok ? 'changed' : answer.error)).sort()).toEqual(['changed', 'email_taken']);
});

test('a change needs a recent proof of identity; its link expires after an hour, after a newer link and after a new password', async () => {
  const who = await somebody();
  const [older, newer] = [await linkFor(who, newAddress()), await linkFor(who, newAddress())];
  expect(await readEmailLink(runtime(), who.account, older)).toBeNull();
  expect(await readEmailLink(runtime(), who.account, newer)).not.toBeNull();
  expect((await changePassword(runtime(), who.account, PASSWORD)).ok).toBe(true);
  expect(await readEmailLink(runtime(), who.account, newer)).toBeNull();
  const last = await linkFor(who, newAddress());
  runtime().advance(16 * MINUTE_MS);
  expect(await ask(who, newAddress())).toBe('not_proven');
  runtime().advance(HOUR_MS);
  expect(await finishEmail(runtime(), who.account, last)).toMatchObject({ error: 'link_ended' });
});

test('a user may request three mails in 15 minutes, to any addresses', async () => {
  const who = await somebody();
  for (let i = 0; i < 3; i += 1) expect(await ask(who, newAddress())).toBe('sent');
  expect(await ask(who, newAddress())).toBe('wait');
});

test('after the change, resets and invitations in the old mailbox do not work, not even a reset link that is created during the change', async () => {
  const who = await somebody();
  const inviting = await makeMerchant(runtime());
  const options = { email: who.merchant.email, role: 'admin' } as const;
  const invited = await inviteMember(runtime(), inviting.operator('live'), options);
  const invitation = tokenIn((await mailsTo(who.merchant.email)).at(-1)?.text ?? '');
  expect(invited.ok && invitation.length).toBe(43);
  const reset = await mailedReset(who.merchant.email);
  const token = await linkFor(who, newAddress());
  expect((await finishEmail(runtime(), who.account, token)).ok).toBe(true);

  // Stores another reset link after the change. A request that began just before the change could do this.
  const createdAt = runtime().clock();
  const late = { id: '0199c0de-0000-7000-8000-000000000001', kind: 'reset', email: who.merchant.email, userId: who.userId } as const;
  const expiresAt = new Date(createdAt.getTime() + HOUR_MS);
  await insertLink(runtime().db, { ...late, tokenHash: hashToken('late'), mailed: true, createdAt, expiresAt });
  for (const old of [reset, 'late']) {
    expect(await readResetLink(runtime(), old)).toBeNull();
    expect(await finishReset(runtime(), { token: old, password: PASSWORD, address: null })).toMatchObject({ error: 'link_ended' });
  }
  const person = { name: 'Mallory', password: PASSWORD };
  expect(await acceptInvitation(runtime(), { token: invitation, session: null, person, address: null })).toMatchObject({
    error: 'revoked',
  });
  expect(
    await runtime().db.prisma.auditEntry.findMany({ where: { merchantId: inviting.merchant.id, action: 'invitation.revoked' } }),
    // The inviting merchant does not learn who made the change, or from where.
  ).toMatchObject([{ data: { email: who.merchant.email, role: 'admin' }, actor: 'system:accounts', address: null }]);
});

test('the operator can change an address, which ends all sessions; invalid input gives an error', async () => {
  const who = await somebody();
  const change = (email: string, to: string) => changeEmail(runtime(), { email, to, actor: TEST_OPERATOR });
  const { email }: Pick<TestMerchant, 'email'> = who.merchant;
  const other = await makeMerchant(runtime());
  const to = newAddress();
  expect(await change('nobody@example.com', to)).toMatchObject({ error: 'unknown' });
  expect(await change(email, 'nobody')).toMatchObject({ error: 'email_wrong' });
  expect(await change(email, email.toUpperCase())).toMatchObject({ error: 'email_same' });
  expect(await change(email, other.email)).toMatchObject({ error: 'email_taken' });
  expect(await change(` ${email.toUpperCase()}`, to.toUpperCase())).toEqual({ ok: true, value: to });
  expect(await grantAccount(runtime(), who.token)).toBeNull();
  expect((await signInAs(runtime(), { ...who.merchant, email: to })).userId).toBe(who.userId);
  expect((await mailsTo(email)).at(-1)?.kind).toBe('account_changed');
});

test('a sign-in with the old address that is running during the change starts no session', async () => {
  const who = await somebody();
  const { merchant } = who;
  const token = await linkFor(who, newAddress());
  const waiting = { text: "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'" };
  // The lock makes two actions wait: first the change of the address, then the sign-in, which has already read the old address.
  const { changing, signingIn } = await runtime().db.transaction(async (tx) => {
    await lockUser(tx, who.userId);
    const changing = finishEmail(runtime(), who.account, token);
    while ((await runtime().db.query(waiting)).length < 1);
    const options = { email: merchant.email, password: merchant.password ?? '', userAgent: null, address: null };
    const signingIn = signIn(runtime(), options);
    while ((await runtime().db.query(waiting)).length < 2);
    return { changing, signingIn };
  });
  expect(await changing).toMatchObject({ ok: true });
  expect(await signingIn).toMatchObject({ error: { code: 'wrong' } });
});
