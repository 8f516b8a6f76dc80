import { beforeEach, expect, test } from 'vitest';
import { closeBill } from '@/lib/backoffice/bill-page/close-bill';
import { withRefusalLog } from '@/lib/entry/server/visit';
import { forWeb } from '@/lib/entry/server/web-runtime';
import { may } from '@/lib/identity/accounts/access/grant-access';
import { inviteMember } from '@/lib/identity/accounts/team/invite-member';
import { changeRole } from '@/lib/identity/accounts/team/team';
import { describeAction } from '@/lib/identity/audit/describe-entry';
import { createKeyFromForm } from '@/lib/identity/keys/change-keys';
import { EMPTY_KEY_FORM } from '@/lib/identity/keys/empty-form';
import { MINUTE_MS } from '@/lib/platform/core/clock';
import { joinAs } from '@/testing/data/access';
import { collectLog } from '@/testing/log-lines';
import { makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { createRefusalRecorder, type RecordRefusal } from './refusals';

const runtime = testRuntime();
const strict = testRuntime({ REQUIRE_SECOND_FACTOR: 'all' });
let shop: TestMerchant;
let lines: ReturnType<typeof collectLog>['lines'];
let note: RecordRefusal;
beforeEach(async () => {
  shop = await makeMerchant(runtime());
  const collected = collectLog();
  lines = collected.lines;
  note = createRefusalRecorder({ ...runtime(), log: collected.log });
});

const entries = () =>
  runtime().db.query<{ actor: string; data: { permission: string } }>({
    text: "SELECT merchant_id AS merchant, environment, actor, subject, address, data FROM audit_entry WHERE action = 'access.refused' ORDER BY id",
  });
const web = () => ({ ...forWeb(runtime()), recordRefusal: note });
const sent = () => new Headers({ 'x-bili-peer': '192.0.2.7', 'x-request-id': 'request-1' });
const WISHES = { ...EMPTY_KEY_FORM, label: 'x' };

test('a refused action is logged and recorded once per session, action and minute', async () => {
  const viewer = withRefusalLog(web(), await joinAs(runtime(), shop, 'viewer'), sent());
  for (let i = 0; i < 5; i += 1) {
    expect(await createKeyFromForm(runtime(), viewer, WISHES)).toMatchObject({ error: 'not_allowed' });
    await closeBill(runtime(), viewer, { billId: shop.merchant.id, reason: 'x' });
  }
  await changeRole(runtime(), viewer, { userId: viewer.user.id, role: 'owner' });
  await expect
    .poll(async () => (await entries()).map(({ data }) => data.permission).sort())
    .toEqual(['bills.change', 'keys.change', 'team.change']);
  expect(lines.map(({ msg, what }) => [msg, what])).toEqual([
    ['access refused', 'keys.change'],
    ['access refused', 'bills.change'],
    ['access refused', 'team.change'],
  ]);
  expect(lines[0]).toMatchObject({
    reason: 'role',
    userId: viewer.user.id,
    sessionId: viewer.sessionId,
    requestId: 'request-1',
    address: '192.0.2.7',
  });
  expect((await entries())[0]).toMatchObject({
    merchant: shop.merchant.id,
    environment: 'sandbox',
    actor: `user:${viewer.user.email}`,
    subject: viewer.user.id,
    address: '192.0.2.7',
  });
  runtime().advance(MINUTE_MS);
  may(viewer, 'keys.change');
  expect(lines).toHaveLength(4);
  expect(describeAction('access.refused', 'en')).toBe('Access denied');
});

test('the log distinguishes a missing second factor from a missing permission', async () => {
  const owner = withRefusalLog(web(), await joinAs(strict(), await makeMerchant(strict()), 'owner'), sent());
  expect(await createKeyFromForm(strict(), owner, WISHES)).toMatchObject({ error: 'second_factor_due' });
  expect(lines).toMatchObject([{ msg: 'access refused', reason: 'second_factor', what: 'keys.change' }]);
});

test('an admin who invites an owner is logged, but a page that only checks a permission is not', async () => {
  const admin = await joinAs(runtime(), shop, 'admin');
  await inviteMember(runtime(), withRefusalLog(web(), admin, sent()), { email: 'x@example.com', role: 'owner' });
  expect(lines).toMatchObject([{ what: 'team.change' }]);
  expect(may(await joinAs(runtime(), shop, 'viewer'), 'keys.change')).toBe(false);
  expect(lines).toHaveLength(1);
});

test('a stranger is logged once a minute; a request from a foreign page is logged, but not in the audit log', async () => {
  const before = (await entries()).length;
  const who = { sessionId: 's', userId: shop.merchant.id, email: 'stranger@example.com' };
  const from = { scope: null, address: '192.0.2.9', requestId: null };
  for (let i = 0; i < 20; i += 1) note({ reason: 'stranger', what: `/m/guess-${i}/live`, who, ...from });
  for (let i = 0; i < 20; i += 1) note({ reason: 'foreign_page', what: `https://evil-${i}.example`, who: null, ...from });
  expect(lines).toMatchObject([
    { reason: 'stranger', what: '/m/guess-0/live' },
    { reason: 'foreign_page', what: 'https://evil-0.example' },
  ]);
  await expect.poll(async () => (await entries()).slice(before)).toMatchObject([{ merchant: null, actor: 'user:stranger@example.com' }]);
});
