import { beforeEach, describe, expect, test } from 'vitest';
import { finishReset, makeLink } from '@/lib/backoffice/email-links/reset-by-link';
import { changeProfile } from '@/lib/backoffice/merchants/change-settings';
import type { MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { passwordMatches } from '@/lib/identity/accounts/passwords/password';
import { acceptInvitation } from '@/lib/identity/accounts/team/accept-invitation';
import { INVITATIONS_A_DAY, isOverInvitationLimit, MAILED_INVITATIONS_A_DAY } from '@/lib/identity/accounts/team/invitation-rules';
import { countInvitationsSent } from '@/lib/identity/accounts/team/invitation-store';
import { inviteMember } from '@/lib/identity/accounts/team/invite-member';
import { anonymousActor } from '@/lib/platform/core/actor';
import { addMs, DAY_MS } from '@/lib/platform/core/clock';
import type { Result } from '@/lib/platform/core/result';
import type { Connection } from '@/lib/platform/db/database';
import { listMails } from '@/lib/platform/mail/listing-store';
import { accessOf, joinAs, makeMember, makeSession } from '@/testing/data/access';
import { accountOf, secondFactorFor, signInAs } from '@/testing/data/accounts';
import { mailsTo } from '@/testing/data/mails';
import { makeMerchant, TEST_OPERATOR, type TestMerchant, type TestRuntime, testRuntime } from '@/testing/runtime';
import { ROLES } from './permissions';
import { removeSecondFactor } from './sign-in/manage-second-factor';
import { showInvitation } from './team/accept-invitation';
import { resendInvitation, revokeInvitation } from './team/invite-member';
import { listTeam } from './team/team';
import { deleteMember, lockTeam, updateRole } from './team-store';

const plain = testRuntime();
const mailing = testRuntime({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'Bili <bili@example.com>' });
const PERSON = { name: ' Asha Juma ', password: 'maneno manne ya siri' };
let shop: TestMerchant;
let made = 0;
beforeEach(async () => {
  shop = await makeMerchant(plain());
});

const guest = () => {
  made += 1;
  return `Guest-${made}@Example.com`;
};
const owner = (runtime: TestRuntime = plain()) => accessOf(runtime, shop, shop.email);
async function invited(email = guest(), role: (typeof ROLES)[number] = 'viewer') {
  const sent = await inviteMember(plain(), await owner(), { email, role });
  if (!sent.ok || sent.value.link === null) throw new Error(sent.ok ? 'mailed' : sent.error);
  return { ...sent.value, token: sent.value.link.split('/').at(-1) ?? '' };
}
const accept = (token: string, { session = null, person = PERSON }: { session?: string | null; person?: typeof PERSON | null } = {}) =>
  acceptInvitation(plain(), { token, session, person, address: '10.0.0.9' });
const show = (token: string, session: string | null = null) => showInvitation(plain(), { token, session });

test('a new user joins with a name and a password, once', async () => {
  const { token, email, link } = await invited('  New.Person@Example.com ');
  expect(email).toBe('new.person@example.com');
  expect(link).toMatch(/^http:\/\/localhost:3000\/invitation\/[\w-]{43}$/);
  for (const end of ['', '.', '*', ')', '\u200b', '%0A'])
    expect(await show(token + end)).toMatchObject({ state: 'open', reader: 'new', email, role: 'viewer', merchantName: 'Duka' });
  expect(await accept(token, { person: null })).toEqual({ ok: false, error: 'sign_in_first' });
  expect(await accept(token, { person: { ...PERSON, name: ' ' } })).toEqual({ ok: false, error: 'name_wrong' });
  for (const [password, error] of [
    ['short', 'too_short'],
    ['123412341234', 'too_common'],
    ['new.person@example.com', 'too_personal'],
  ])
    expect(await accept(token, { person: { ...PERSON, password: password ?? '' } })).toEqual({ ok: false, error });
  expect(await accept(token)).toEqual({
    ok: true,
    value: { slug: shop.merchant.slug, environment: 'live', email, signInDue: true },
  });
  expect(await accept(token)).toEqual({ ok: false, error: 'used' });
  expect(await show(token)).toMatchObject({ state: 'used' });
  const user = await plain().db.prisma.user.findUniqueOrThrow({ where: { email } });
  expect(user.name).toBe('Asha Juma');
  expect(await passwordMatches(PERSON.password, user.passwordHash)).toBe(true);
  expect(await accessOf(plain(), shop, email)).toMatchObject({ role: 'viewer' });
});

test('neither the invitation nor the audit log contains the token', async () => {
  const { token } = await invited();
  const rows = await plain().db.query<{ line: string }>({
    text: 'SELECT i::text AS line FROM invitation i UNION ALL SELECT a::text FROM audit_entry a',
  });
  expect(rows.length).toBeGreaterThan(2);
  for (const { line } of rows) expect(line).not.toContain(token);
});

test('concurrent acceptances of an invitation create one membership', async () => {
  const { token, email } = await invited();
  const results = await Promise.all(Array.from({ length: 5 }, () => accept(token)));
  expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await plain().db.prisma.membership.count({ where: { user: { email } } })).toBe(1);
});

describe('an invited person with an account', () => {
  test('must sign in first; another user cannot accept', async () => {
    const other = await makeMerchant(plain());
    const { token } = await invited(other.email, 'admin');
    expect(await show(token)).toMatchObject({ reader: 'known' });
    expect(await accept(token)).toEqual({ ok: false, error: 'sign_in_first' });
    const wrong = await makeSession(plain(), await makeMember(plain(), other, 'owner'));
    expect(await show(token, wrong)).toMatchObject({ reader: 'other' });
    expect(await accept(token, { session: wrong })).toEqual({ ok: false, error: 'wrong_person' });
    const session = await makeSession(plain(), other.email);
    expect(await show(token, session)).toMatchObject({ reader: 'invited' });
    expect(await accept(token, { session, person: null })).toMatchObject({
      ok: true,
      value: { slug: shop.merchant.slug, signInDue: false },
    });
    expect(await accessOf(plain(), shop, other.email)).toMatchObject({ role: 'admin' });
    expect(await accessOf(plain(), other, other.email)).toMatchObject({ role: 'owner' });
  });
});

describe('an invitation stops working', () => {
  test('after seven days; when it is resent, only the new link works', async () => {
    const { token, id, email } = await invited();
    plain().advance(7 * DAY_MS);
    expect(await show(token)).toMatchObject({ state: 'expired' });
    expect(await accept(token)).toEqual({ ok: false, error: 'expired' });
    expect((await listTeam(plain(), await owner()))?.invitations).toMatchObject([{ email, state: 'expired' }]);
    const again = await resendInvitation(plain(), await owner(), id);
    if (!again.ok) throw new Error(again.error);
    const fresh = again.value.link?.split('/').at(-1) ?? '';
    expect(await show(token)).toBeNull();
    expect(await accept(token)).toEqual({ ok: false, error: 'unknown' });
    expect(await accept(fresh)).toMatchObject({ ok: true });
  });

  test('when it is revoked', async () => {
    const { token, id, email } = await invited();
    expect(await revokeInvitation(plain(), await owner(), id)).toEqual({ ok: true, value: email });
    expect(await revokeInvitation(plain(), await owner(), id)).toEqual({ ok: false, error: 'no_such_invitation' });
    expect(await accept(token)).toEqual({ ok: false, error: 'revoked' });
    expect((await listTeam(plain(), await owner()))?.invitations).toEqual([]);
    await invited(email);
  });

  test('but only members of its merchant can revoke or resend it', async () => {
    const { id } = await invited();
    const other = await makeMerchant(plain());
    const stranger = await accessOf(plain(), other, other.email);
    for (const wrong of [id, 'no-uuid']) {
      expect(await revokeInvitation(plain(), stranger, wrong)).toEqual({ ok: false, error: 'no_such_invitation' });
      expect(await resendInvitation(plain(), stranger, wrong)).toEqual({ ok: false, error: 'no_such_invitation' });
    }
  });
});

describe('an invitation is refused', () => {
  const ask = async (by: string, email: string, role: (typeof ROLES)[number]) =>
    inviteMember(plain(), await accessOf(plain(), shop, by), { email, role });

  test('for invalid addresses, for members, and for invited persons', async () => {
    const email = guest();
    expect(await ask(shop.email, 'nobody', 'viewer')).toEqual({ ok: false, error: 'email_wrong' });
    expect(await ask(shop.email, 'a@b.example, c@d.example', 'viewer')).toEqual({ ok: false, error: 'email_wrong' });
    expect(await ask(shop.email, shop.email.toUpperCase(), 'viewer')).toEqual({ ok: false, error: 'already_member' });
    await invited(email);
    expect(await ask(shop.email, email, 'viewer')).toEqual({ ok: false, error: 'already_invited' });
  });

  test('for roles that the inviting member may not give', async () => {
    const admin = await makeMember(plain(), shop, 'admin');
    const viewer = await makeMember(plain(), shop, 'viewer');
    for (const role of ROLES) {
      const high = role === 'owner' || role === 'admin';
      expect(await ask(admin, guest(), role)).toMatchObject(high ? { ok: false, error: 'owners_only' } : { ok: true });
      expect(await ask(viewer, guest(), role)).toEqual({ ok: false, error: 'not_allowed' });
    }
    const { id } = await invited(guest(), 'owner');
    const access = await accessOf(plain(), shop, admin);
    expect(await resendInvitation(plain(), access, id)).toEqual({ ok: false, error: 'owners_only' });
    expect(await revokeInvitation(plain(), access, id)).toEqual({ ok: false, error: 'owners_only' });
  });

  test('above the daily limit, also with concurrent invitations', async () => {
    const access = await owner();
    const asked = Array.from({ length: INVITATIONS_A_DAY + 3 }, () => inviteMember(plain(), access, { email: guest(), role: 'viewer' }));
    const results = await Promise.all(asked);
    expect(results.filter(({ ok }) => ok)).toHaveLength(INVITATIONS_A_DAY);
    expect(results.find(({ ok }) => !ok)).toEqual({ ok: false, error: 'too_many' });
    const [first] = (await listTeam(plain(), access))?.invitations ?? [];
    expect(await resendInvitation(plain(), access, first?.id ?? '')).toEqual({ ok: false, error: 'too_many' });
    plain().advance(DAY_MS);
    expect(await ask(shop.email, guest(), 'viewer')).toMatchObject({ ok: true });
  });
});

describe('a member who loses the permission at the same time is not allowed', () => {
  const acts: [string, (by: MerchantAccess, id: string) => Promise<Result<unknown, string>>][] = [
    ['to invite', (by) => inviteMember(plain(), by, { email: guest(), role: 'viewer' })],
    ['to resend an invitation', (by, id) => resendInvitation(plain(), by, id)],
    ['to revoke an invitation', (by, id) => revokeInvitation(plain(), by, id)],
  ];

  /** Returns the result of an action that waits for the team lock while an owner changes the team. */
  async function during(act: () => Promise<Result<unknown, string>>, change: (tx: Connection) => Promise<void>) {
    const { db } = plain();
    const waits = () =>
      db.query({ text: "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'" });
    let acted: ReturnType<typeof act> | undefined;
    await db.transaction(async (tx) => {
      await lockTeam(tx, shop.merchant.id);
      acted = act();
      await expect.poll(async () => (await waits()).length).toBeGreaterThan(0);
      await change(tx);
    });
    return acted;
  }

  test.each(acts)('%s', async (_name, act) => {
    const { id } = await invited();
    const admin = await joinAs(plain(), shop, 'admin');
    const demote = (tx: Connection) => updateRole(tx, shop.merchant.id, admin.user.id, 'viewer');
    expect(await during(() => act(admin, id), demote)).toEqual({ ok: false, error: 'not_allowed' });
    const gone = await joinAs(plain(), shop, 'owner');
    const remove = (tx: Connection) => deleteMember(tx, shop.merchant.id, gone.user.id);
    expect(await during(() => act(gone, id), remove)).toEqual({ ok: false, error: 'not_allowed' });
    expect((await listTeam(plain(), await owner()))?.invitations).toHaveLength(1);
  });

  test('an owner who was just made an admin cannot invite owners', async () => {
    const former = await joinAs(plain(), shop, 'owner');
    const invite = () => inviteMember(plain(), former, { email: guest(), role: 'owner' });
    const demote = (tx: Connection) => updateRole(tx, shop.merchant.id, former.user.id, 'admin');
    expect(await during(invite, demote)).toEqual({ ok: false, error: 'owners_only' });
  });
});

const SUBJECT = 'Mwaliko wa kujiunga na timu kwenye Bili: “Duka” / Invitation to a team on Bili: “Duka”';

test('with a mail server the link is mailed and not shown', async () => {
  shop = await makeMerchant(mailing());
  const sent = await inviteMember(mailing(), await owner(mailing()), { email: 'mailed@example.com', role: 'collector' });
  expect(sent).toMatchObject({ ok: true, value: { email: 'mailed@example.com', link: null } });
  expect(await listMails(mailing().db, { failed: false, limit: 10 })).toMatchObject([
    { recipient: 'mailed@example.com', kind: 'invitation', subject: SUBJECT, merchantId: shop.merchant.id },
  ]);
});

describe('invitations by mail', () => {
  const invite = async (times: number) => {
    const access = await owner(mailing());
    const asked = Array.from({ length: times }, () => inviteMember(mailing(), access, { email: guest(), role: 'viewer' }));
    return (await Promise.all(asked)).filter(({ ok }) => ok).length;
  };
  const setLive = (status: 'pending' | 'active') => changeProfile(mailing(), shop.operator('live'), { status });

  test('have a low daily limit until live is active', async () => {
    shop = await makeMerchant(mailing());
    await setLive('pending');
    expect(await invite(6)).toBe(MAILED_INVITATIONS_A_DAY.pending);
    mailing().advance(DAY_MS);
    expect(await invite(6)).toBe(MAILED_INVITATIONS_A_DAY.pending);
    await setLive('active');
    expect(await invite(6)).toBe(6);
  });

  test.each([
    ['for all merchants together that are not active in live', { own: 0, mailedPending: 100, mailed: 100 }, false, true],
    ['that does not apply to merchants that are active in live', { own: 0, mailedPending: 100, mailed: 100 }, true, false],
    ['for all merchants together', { own: 0, mailedPending: 0, mailed: 1_000 }, true, true],
  ])('have a limit %s', (_name, sent, live, over) => {
    expect(isOverInvitationLimit(sent, { byMail: true, live })).toBe(over);
    expect(isOverInvitationLimit(sent, { byMail: false, live })).toBe(false);
  });

  test('are counted for all merchants together', async () => {
    shop = await makeMerchant(mailing());
    const { db, clock } = mailing();
    const before = await countInvitationsSent(db, shop.merchant.id, addMs(clock(), -DAY_MS));
    await setLive('pending');
    expect(await invite(2)).toBe(2);
    const { merchant } = await makeMerchant(mailing());
    expect(await countInvitationsSent(db, merchant.id, addMs(clock(), -DAY_MS))).toEqual({
      live: true,
      own: 0,
      mailed: before.mailed + 2,
      mailedPending: before.mailedPending + 2,
    });
  });
});

describe('an account with an unverified address', () => {
  /**
   * Creates an account with a second factor for the e-mail address of somebody else. Returns a function that resets the password
   * and returns whether the next sign-in needs a code.
   */
  async function takenOver(by: TestRuntime, email: string) {
    shop = await makeMerchant(by);
    const sent = await inviteMember(by, await owner(by), { email, role: 'viewer' });
    if (!sent.ok) throw new Error(sent.error);
    const link =
      sent.value.link ??
      (await mailsTo(by, email))
        .map(({ text }) => text)
        .join()
        .match(/invitation\/[\w-]+/)?.[0] ??
      '';
    const token = link.split('/').at(-1) ?? '';
    expect(await acceptInvitation(by, { token, session: null, person: PERSON, address: null })).toMatchObject({ ok: true });
    const signedIn = await signInAs(mailing(), { email, password: PERSON.password });
    await secondFactorFor(mailing(), await accountOf(mailing(), signedIn.token));
    const reset = async (mailed: boolean) => {
      const { db } = mailing();
      const user = await db.prisma.user.findUniqueOrThrow({ where: { email } });
      const made = await db.transaction((tx) => makeLink(mailing(), { user, actor: anonymousActor(null), mailed }, tx));
      const password = 'bahari ya hindi ni kubwa';
      const done = await finishReset(mailing(), { token: made.split('token=')[1] ?? '', password, address: null });
      if (!done.ok) throw new Error(done.error);
      return (await signInAs(mailing(), { email, password })).codeDue;
    };
    return { reset };
  }

  test('keeps its second factor after a mailed reset; only the operator removes it', async () => {
    const email = 'victim@example.com';
    // Without a mail server, the link is shown to the inviting member. The mail server is set up later, on the same database.
    const without = { ...mailing(), settings: { ...mailing().settings, mail: undefined } };
    const { reset } = await takenOver(without, email);
    expect(await reset(false)).toBe(true);
    expect(await reset(true)).toBe(true);
    expect(await reset(true)).toBe(true);
    expect(await removeSecondFactor(mailing(), { email, actor: TEST_OPERATOR })).toBe('removed');
    expect(await reset(true)).toBe(false);
    const account = await accountOf(mailing(), (await signInAs(mailing(), { email, password: 'bahari ya hindi ni kubwa' })).token);
    await secondFactorFor(mailing(), account);
    expect(await reset(true)).toBe(true);
  });

  test('does not result from a mailed invitation', async () => {
    const { reset } = await takenOver(mailing(), 'mailed.member@example.com');
    expect(await reset(true)).toBe(true);
  });
});
