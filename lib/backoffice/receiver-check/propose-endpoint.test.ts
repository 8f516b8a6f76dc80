import { Webhook } from 'standardwebhooks';
import { beforeEach, expect, test } from 'vitest';
import { showEndpointPage } from '@/lib/backoffice/delivery-log/show-endpoint';
import { approveProposal, refuseProposal, withdrawProposal } from '@/lib/gateway/webhooks/endpoint/decide-proposal';
import { listOpenProposals } from '@/lib/gateway/webhooks/endpoint/proposal-store';
import { setEndpoint } from '@/lib/gateway/webhooks/endpoint/set-endpoint';
import { HOUR_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { joinAs, letIn } from '@/testing/data/access';
import { endpointSecret } from '@/testing/data/endpoint-secret';
import { mailsTo } from '@/testing/data/mails';
import { testReceiver } from '@/testing/fakes/receiver';
import { ok } from '@/testing/fakes/start-receiver';
import { makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { connectEndpoint } from './connect-endpoint';

const OPERATOR = 'operator@example.com';
const runtime = testRuntime({
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'bili@example.com',
  OPERATOR_EMAIL: OPERATOR,
});
const receiver = testReceiver();
let shop: TestMerchant;
beforeEach(async () => {
  receiver.received.length = 0;
  receiver.answer(ok);
  shop = await makeMerchant(runtime());
});

const owner = () => letIn(runtime(), shop, { environment: 'live' });
const propose = async (url: string) => connectEndpoint(runtime(), await owner(), url);
const operator = () => shop.operator('live');
const page = async () => showEndpointPage(runtime(), await owner());
const mails = async () => (await mailsTo(runtime(), OPERATOR)).filter(({ text }) => text.includes(shop.merchant.slug));
const audited = () =>
  runtime().db.query(
    {
      text: `SELECT action, actor, data FROM audit_entry WHERE merchant_id = $1 AND environment = 'live'
               AND action LIKE 'webhook.%' AND action <> 'webhook.tested' ORDER BY id`,
    },
    [shop.merchant.id],
  );
const notProposed = { ok: false, error: 'it is not the address of the open proposal' };

test('a proposed address is used only once the operator has approved it', async () => {
  const url = receiver.url();
  expect(await propose(url)).toMatchObject({ ok: true, value: { status: 200, billStatus: 'NOT_PAID' } });
  const [sent] = receiver.received;
  if (!sent) throw new Error('no test webhook arrived');
  const secret = await endpointSecret(runtime(), shop.scope('live'));
  expect(new Webhook(secret).verify(sent.body, sent.headers)).toMatchObject({ bill: { status: 'NOT_PAID' } });
  expect(await page()).toMatchObject({ url: null, proposal: { url, state: 'open', proposedBy: `user:${shop.email}` } });
  expect(await listOpenProposals(runtime().db)).toContainEqual(expect.objectContaining({ merchant: shop.merchant.slug, url }));

  runtime().advance(SECOND_MS);
  expect(await approveProposal(runtime(), operator(), url)).toEqual({ ok: true, value: { url, secret, endpointStatus: 'active' } });
  expect(await page()).toMatchObject({ url, proposal: { url, state: 'approved', decidedAt: expect.any(Date) } });
  expect(await approveProposal(runtime(), operator(), url)).toEqual(notProposed);
  expect(await propose(url)).toEqual({ ok: false, error: { kind: 'unchanged' } });
  expect(await audited()).toEqual([
    { action: 'webhook.proposed', actor: `user:${shop.email}`, data: { before: null, after: url } },
    { action: 'webhook.set', actor: 'operator:test', data: { before: null, after: url } },
  ]);
});

test('the operator approves only the address that is proposed at that moment', async () => {
  const [first, second] = [receiver.url('/first'), receiver.url('/second')];
  await propose(first);
  await propose(second);
  expect(await approveProposal(runtime(), operator(), first)).toEqual(notProposed);
  expect(await refuseProposal(runtime(), operator(), { url: first, reason: 'no' })).toEqual({ ok: false, error: 'not_proposed' });
  expect(await page()).toMatchObject({ url: null, proposal: { url: second, state: 'open' } });
  expect(await approveProposal(runtime(), operator(), second)).toMatchObject({ ok: true, value: { url: second } });
});

test('a refused proposal shows the reason until a new one replaces it', async () => {
  const url = receiver.url();
  await setEndpoint(runtime(), operator(), receiver.url('/now'));
  await propose(url);
  runtime().advance(SECOND_MS);
  expect(await refuseProposal(runtime(), operator(), { url, reason: 'Not your domain' })).toEqual({ ok: true, value: null });
  const refused = { url, state: 'refused', refusalReason: 'Not your domain' };
  expect(await page()).toMatchObject({ url: receiver.url('/now'), proposal: refused });
  expect(await approveProposal(runtime(), operator(), url)).toEqual(notProposed);
  expect(await audited()).toContainEqual({
    action: 'webhook.proposal_refused',
    actor: 'operator:test',
    data: { after: url, reason: 'Not your domain' },
  });
  await propose(url);
  expect(await page()).toMatchObject({ proposal: { url, state: 'open', refusalReason: null, decidedAt: null } });
});

test('a proposal can be withdrawn while it is open', async () => {
  const url = receiver.url();
  expect(await withdrawProposal(runtime(), await owner())).toEqual({ ok: false, error: 'no_proposal' });
  await propose(url);
  expect(await withdrawProposal(runtime(), await owner())).toEqual({ ok: true, value: null });
  expect(await page()).toMatchObject({ url: null, proposal: null });
  expect(await approveProposal(runtime(), operator(), url)).toEqual(notProposed);
  expect(await audited()).toContainEqual(expect.objectContaining({ action: 'webhook.proposal_withdrawn', data: { after: url } }));
});

test('setting the proposed address approves it, and setting another one keeps an open proposal', async () => {
  const [url, other] = [receiver.url(), receiver.url('/other')];
  await propose(url);
  await setEndpoint(runtime(), operator(), other);
  expect(await page()).toMatchObject({ url: other, proposal: { url, state: 'open' } });
  await setEndpoint(runtime(), operator(), url);
  expect(await page()).toMatchObject({ url, proposal: { url, state: 'approved' } });
  await setEndpoint(runtime(), operator(), other);
  expect(await page()).toMatchObject({ url: other, proposal: null });
});

test('nothing is proposed if the receiver refuses the test or the rules forbid the address', async () => {
  receiver.answer((_request, response) => response.writeHead(500).end());
  expect(await propose(receiver.url())).toMatchObject({ ok: false, error: { kind: 'test_refused' } });
  receiver.received.length = 0;
  const strict = { ...runtime(), settings: { ...runtime().settings, WEBHOOK_ALLOWED_NETWORKS: [] } };
  for (const [url, reason] of [
    ['http://shop.example/', 'protocol'],
    ['https://shop.example:444/', 'port'],
    ['https://10.0.0.1/', 'address'],
    ['https://127.0.0.1/', 'address'],
  ]) {
    expect(await connectEndpoint(strict, await owner(), url ?? '')).toEqual({ ok: false, error: { kind: 'address', reason } });
  }
  expect(receiver.received).toEqual([]);
  expect(await page()).toMatchObject({ proposal: null });
  expect(await audited()).toEqual([]);
});

test('only owners and admins propose and withdraw, with a second factor where one is required, and only the operator decides', async () => {
  const url = receiver.url();
  const strict = { ...runtime(), settings: { ...runtime().settings, REQUIRE_SECOND_FACTOR: 'live' as const } };
  const withoutFactor = await letIn(strict, shop, { environment: 'live' });
  expect(await connectEndpoint(strict, withoutFactor, url)).toEqual({ ok: false, error: { kind: 'second_factor_due' } });
  expect(await withdrawProposal(strict, withoutFactor)).toEqual({ ok: false, error: 'second_factor_due' });
  const viewer = await joinAs(runtime(), shop, 'viewer', 'live');
  expect(await connectEndpoint(runtime(), viewer, url)).toEqual({ ok: false, error: { kind: 'not_allowed' } });
  expect(receiver.received).toEqual([]);
  const admin = await joinAs(runtime(), shop, 'admin', 'live');
  expect(await connectEndpoint(runtime(), admin, url)).toMatchObject({ ok: true });
  expect(await withdrawProposal(runtime(), viewer)).toEqual({ ok: false, error: 'not_allowed' });
  expect(await approveProposal(runtime(), admin, url)).toEqual({ ok: false, error: 'not_allowed' });
  expect(await refuseProposal(runtime(), admin, { url, reason: 'x' })).toEqual({ ok: false, error: 'not_allowed' });
  expect(await page()).toMatchObject({ url: null, proposal: { url, state: 'open' } });
});

test('the operator gets a mail with the commands, at most once an hour for each merchant', async () => {
  const url = `${receiver.url()}?a='$(id)'`;
  await propose(url);
  await propose(url);
  await propose(receiver.url('/other'));
  const [mail, ...more] = await mails();
  expect(more).toEqual([]);
  expect(mail?.text).toContain(`${shop.email} proposes an address`);
  const slug = shop.merchant.slug;
  expect(mail?.text).toContain(`bili webhook approve --merchant ${slug} --url '${receiver.url()}?a=%27$(id)%27'\n`);
  expect(mail?.text).toContain('Current address: none');
  runtime().advance(HOUR_MS);
  await propose(receiver.url("/it's"));
  expect((await mails()).at(-1)?.text).toContain(`--url '${receiver.url("/it'\\''s")}'`);
});
