import { Webhook } from 'standardwebhooks';
import { beforeEach, expect, test } from 'vitest';
import { findEndpoint } from '@/lib/gateway/webhooks/endpoint/endpoint-store';
import { joinAs, letIn, TEST_ADDRESS } from '@/testing/data/access';
import { endpointSecret } from '@/testing/data/endpoint-secret';
import { testReceiver } from '@/testing/fakes/receiver';
import { ok } from '@/testing/fakes/start-receiver';
import { makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { connectEndpoint } from './connect-endpoint';

const runtime = testRuntime();
const receiver = testReceiver();
let shop: TestMerchant;
beforeEach(async () => {
  receiver.received.length = 0;
  receiver.answer(ok);
  shop = await makeMerchant(runtime());
});

const endpoint = async () => findEndpoint(runtime().db, shop.scope('sandbox'));
const set = async (url: string) => connectEndpoint(runtime(), await letIn(runtime(), shop, { environment: 'sandbox' }), url);

test('an address is set once its receiver has accepted a signed webhook', async () => {
  expect(await set(` ${receiver.url()} `)).toMatchObject({ ok: true, value: { status: 200 } });
  const [sent] = receiver.received;
  if (!sent) throw new Error('no test event arrived');
  const secret = await endpointSecret(runtime(), shop.scope('sandbox'));
  const body = new Webhook(secret).verify(sent.body, sent.headers);
  expect(Object.keys((body as { bill: object }).bill)).toEqual(['id', 'mobile', 'amount', 'status', 'reference']);
  expect(await endpoint()).toMatchObject({ url: receiver.url() });
  const audited = await runtime().db.query(
    { text: "SELECT action, address FROM audit_entry WHERE merchant_id = $1 AND action LIKE 'webhook.%' ORDER BY id" },
    [shop.merchant.id],
  );
  expect(audited).toEqual(['webhook.tested', 'webhook.set'].map((action) => ({ action, address: TEST_ADDRESS })));
});

test('the address does not change if the receiver refuses the test event', async () => {
  receiver.answer((_request, response) => response.writeHead(500).end());
  expect(await set(receiver.url())).toMatchObject({ ok: false, error: { kind: 'test_refused', test: { status: 500 } } });
  expect(await endpoint()).toMatchObject({ url: null });
});

test.each([
  ['', { kind: 'not_an_address' }],
  ['shop', { kind: 'not_an_address' }],
  ['https://shop.example/#x', { kind: 'not_an_address' }],
  [`https://shop.example/${'x'.repeat(2_000)}`, { kind: 'not_an_address' }],
  ['ftp://shop.example', { kind: 'address', reason: 'protocol' }],
  ['https://a:b@shop.example', { kind: 'address', reason: 'credentials' }],
  ['http://10.0.0.1', { kind: 'address', reason: 'address' }],
])('%s is refused without a call', async (url, error) => {
  expect(await set(url)).toEqual({ ok: false, error });
  expect(await endpoint()).toMatchObject({ url: null });
});

test('nothing is set or called without the permission', async () => {
  const viewer = await joinAs(runtime(), shop, 'viewer', 'sandbox');
  expect(await connectEndpoint(runtime(), viewer, receiver.url())).toMatchObject({
    error: { kind: 'not_allowed' },
  });
  expect(receiver.received).toEqual([]);
});

test('loopback addresses are refused if other machines can reach Bili', async () => {
  const exposed = { ...runtime(), settings: { ...runtime().settings, HOST: '0.0.0.0' } };
  const access = await letIn(runtime(), shop, { environment: 'sandbox' });
  expect(await connectEndpoint(exposed, access, receiver.url())).toMatchObject({
    error: { kind: 'address', reason: 'address' },
  });
  expect(receiver.received).toEqual([]);
});

test('a merchant can test at most thirty addresses per hour', async () => {
  const access = await letIn(runtime(), shop, { environment: 'sandbox' });
  const results = await Promise.all(Array.from({ length: 32 }, () => connectEndpoint(runtime(), access, receiver.url())));
  expect(results.filter((one) => !one.ok && one.error.kind === 'too_many_tries')).toHaveLength(2);
  expect(receiver.received).toHaveLength(30);
});
