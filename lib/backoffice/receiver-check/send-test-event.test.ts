import { Webhook } from 'standardwebhooks';
import { beforeEach, expect, test } from 'vitest';
import { findEndpoint } from '@/lib/gateway/webhooks/endpoint/endpoint-store';
import { maintainEndpoints } from '@/lib/gateway/webhooks/endpoint/maintain-endpoints';
import { pauseEndpoint } from '@/lib/gateway/webhooks/endpoint/pause-endpoint';
import { rotateSecret } from '@/lib/gateway/webhooks/endpoint/rotate-secret';
import { setEndpoint } from '@/lib/gateway/webhooks/endpoint/set-endpoint';
import { HOUR_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { joinAs } from '@/testing/data/access';
import { deliverAll } from '@/testing/data/deliveries';
import { endpointSecret } from '@/testing/data/endpoint-secret';
import { changeStatus } from '@/testing/data/paying';
import { testReceiver } from '@/testing/fakes/receiver';
import { ok } from '@/testing/fakes/start-receiver';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { sendTestEvent } from './send-test-event';

const runtime = testRuntime({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
const receiver = testReceiver();
let merchant: TestMerchant;

beforeEach(async () => {
  receiver.received.length = 0;
  receiver.answer(ok);
  merchant = await makeMerchant(runtime());
  for (const environment of ['live', 'sandbox'] as const) {
    await setEndpoint(runtime(), merchant.operator(environment), receiver.url());
  }
});

const send = (environment: 'live' | 'sandbox', status?: 'NOT_PAID' | 'FULLY_PAID') =>
  sendTestEvent(runtime(), merchant.operator(environment), { status });
const attempts = (merchantId: string) =>
  runtime().db.query(
    {
      text: 'SELECT delivery_id, message_id, number, trigger, triggered_by, http_status, error_class, address FROM webhook_attempt WHERE merchant_id = $1',
    },
    [merchantId],
  );

test('a test event is sent at once, signed with all current secrets, about a bill that does not exist', async () => {
  const scope = merchant.scope('sandbox');
  const before = await endpointSecret(runtime(), scope);
  await rotateSecret(runtime(), merchant.operator('sandbox'), { ms: HOUR_MS });
  const sent = await send('sandbox');
  expect(sent).toMatchObject({ ok: true, value: { status: 200, failure: null, billStatus: 'FULLY_PAID', excerpt: 'thanks' } });
  const [webhook, ...others] = receiver.received;
  if (!webhook || others.length > 0) throw new Error('not exactly one webhook arrived');
  for (const secret of [before, await endpointSecret(runtime(), scope)]) {
    expect(new Webhook(secret).verify(webhook.body, webhook.headers)).toMatchObject({
      bill: { mobile: null, amount: 1000, status: 'FULLY_PAID', reference: expect.stringMatching(/^TEST-[A-Z0-9]{8}$/) },
    });
  }
  expect(webhook.headers['content-type']).toBe('application/json');
  const { bill } = JSON.parse(webhook.body);
  expect(await runtime().db.query({ text: 'SELECT 1 AS found FROM bill WHERE id = $1' }, [bill.id])).toEqual([]);
  expect(await attempts(scope.merchantId)).toMatchObject([
    {
      delivery_id: null,
      message_id: webhook.headers['webhook-id'],
      number: 1,
      trigger: 'test',
      triggered_by: 'operator:test',
      http_status: 200,
      error_class: null,
      address: '127.0.0.1',
    },
  ]);
  const entries = await runtime().db.query(
    { text: "SELECT actor, action FROM audit_entry WHERE merchant_id = $1 AND action = 'webhook.tested'" },
    [scope.merchantId],
  );
  expect(entries).toEqual([{ actor: 'operator:test', action: 'webhook.tested' }]);
});

test('a test event in live never reports a payment', async () => {
  expect(await send('live')).toMatchObject({ ok: true, value: { billStatus: 'NOT_PAID' } });
  expect(await send('live', 'NOT_PAID')).toMatchObject({ ok: true });
  expect(await send('live', 'FULLY_PAID')).toEqual({ ok: false, error: 'status_only_in_sandbox' });
  expect(receiver.received.map(({ body }) => JSON.parse(body).bill.status)).toEqual(['NOT_PAID', 'NOT_PAID']);
});

test('a failed test event is reported and does not change the endpoint, even if it is paused', async () => {
  const scope = merchant.scope('sandbox');
  await pauseEndpoint(runtime(), merchant.operator('sandbox'));
  const before = await findEndpoint(runtime().db, scope);
  for (const status of [500, 410]) {
    receiver.answer((_request, response) => response.writeHead(status).end('no'));
    expect(await send('sandbox', 'NOT_PAID')).toMatchObject({
      ok: true,
      value: { status, failure: { errorData: { status } }, excerpt: 'no' },
    });
  }
  expect(await findEndpoint(runtime().db, scope)).toEqual(before);
});

test('a test event without an address is refused', async () => {
  const nowhere = await makeMerchant(runtime());
  expect(await sendTestEvent(runtime(), nowhere.operator('sandbox'))).toEqual({ ok: false, error: 'no_address' });
  expect(await attempts(nowhere.scope('sandbox').merchantId)).toEqual([]);
});

test('an accepted test event closes the circuit breaker, and waiting deliveries are sent at once', async () => {
  const scope = merchant.scope('live');
  receiver.answer((_request, response) => response.destroy());
  const bills = [
    await makeBill(runtime(), merchant, { environment: 'live' }),
    await makeBill(runtime(), merchant, { environment: 'live' }),
  ];
  for (const bill of bills) await changeStatus(runtime(), bill, 1);
  for (let minutes = 0; minutes < 15; minutes += 1) {
    await deliverAll(runtime());
    runtime().advance(MINUTE_MS);
  }
  expect(await findEndpoint(runtime().db, scope)).toMatchObject({ breakerStep: expect.any(Number), failingSince: expect.any(Date) });
  expect((await send('live')).ok).toBe(true);
  expect((await findEndpoint(runtime().db, scope))?.failureCount).toBeGreaterThanOrEqual(5);

  receiver.answer(ok);
  receiver.received.length = 0;
  expect(await send('live')).toMatchObject({ ok: true, value: { failure: null } });
  expect(await findEndpoint(runtime().db, scope)).toMatchObject({ breakerStep: 0, failureCount: 0, failingSince: null });
  await maintainEndpoints(runtime());
  await deliverAll(runtime());
  expect(receiver.received.filter(({ body }) => bills.some((bill) => body.includes(bill)))).toHaveLength(2);
});

test('the members of a merchant may send 60 test webhooks in an hour', async () => {
  const shop = await makeMerchant(runtime());
  await setEndpoint(runtime(), shop.operator('sandbox'), receiver.url('/limited'));
  const [one, other] = [await joinAs(runtime(), shop, 'admin'), await joinAs(runtime(), shop, 'owner')];
  receiver.answer(ok);
  for (let n = 0; n < 60; n += 1) expect(await sendTestEvent(runtime(), n % 2 === 0 ? one : other)).toMatchObject({ ok: true });
  expect(await sendTestEvent(runtime(), one)).toEqual({ ok: false, error: 'too_many_tests' });
  expect(await sendTestEvent(runtime(), shop.operator('sandbox'))).toMatchObject({ ok: true });
  runtime().advance(HOUR_MS);
  expect(await sendTestEvent(runtime(), other)).toMatchObject({ ok: true });
});
