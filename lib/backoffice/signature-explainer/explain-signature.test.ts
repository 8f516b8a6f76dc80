import { beforeEach, expect, test } from 'vitest';
import { rotateSecret } from '@/lib/gateway/webhooks/endpoint/rotate-secret';
import { HOUR_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { joinAs } from '@/testing/data/access';
import { deliverAll } from '@/testing/data/deliveries';
import { makeOwing } from '@/testing/data/due-deliveries';
import { endpointSecret } from '@/testing/data/endpoint-secret';
import { testReceiver } from '@/testing/fakes/receiver';
import { ok, type Received } from '@/testing/fakes/start-receiver';
import { makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { explainSignature } from './explain-signature';

const runtime = testRuntime();
const receiver = testReceiver();
let merchant: TestMerchant;
let webhook: Received;
let secret: string;
let made = 0;

beforeEach(async () => {
  receiver.answer(ok);
  made += 1;
  merchant = await makeOwing(runtime(), { count: 1, url: receiver.url(`/${made}`) });
  secret = await endpointSecret(runtime(), merchant.scope('sandbox'));
  await deliverAll(runtime());
  const first = receiver.received.find(({ path }) => path === `/${made}`);
  if (!first) throw new Error('no webhook arrived');
  webhook = first;
});

interface Changed {
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly secret?: string;
  readonly by?: TestMerchant;
}

async function explained({ body = webhook.body, headers = webhook.headers, secret: pasted = secret, by = merchant }: Changed = {}) {
  const found = await explainSignature(runtime(), by.operator('sandbox'), { body, headers: JSON.stringify(headers), secret: pasted });
  expect(JSON.stringify(found)).not.toContain(secret.slice(6));
  if (!found.ok) throw new Error(found.error);
  return found.value.map(({ code }) => code);
}

test('an unchanged webhook is confirmed', async () => {
  expect(await explained()).toEqual(['signature_right']);
});

test('a changed body is compared with the body that was sent', async () => {
  expect(await explained({ body: webhook.body.replace('5000.0', '6000.0') })).toEqual(['body_differs']);
  expect(await explained({ body: webhook.body.replace('FULLY', 'PARTIALLY') })).toEqual(['body_of_another_webhook', 'body_differs']);
});

test('headers of different attempts are recognized by their timestamps', async () => {
  receiver.answer((_request, response) => response.writeHead(500).end());
  const failing = await makeOwing(runtime(), { count: 1, url: receiver.url('/other') });
  await deliverAll(runtime());
  runtime().advance(MINUTE_MS);
  await deliverAll(runtime());
  const [first, second] = receiver.received.filter(({ path }) => path === '/other');
  if (!first || !second) throw new Error('there were not two attempts');
  const headers = { ...first.headers, 'webhook-timestamp': second.headers['webhook-timestamp'] ?? '' };
  const theirs = await endpointSecret(runtime(), failing.scope('sandbox'));
  expect(await explained({ body: first.body, headers, secret: theirs, by: failing })).toEqual(['timestamp_not_signed']);
});

test('a pasted secret is compared with the secrets of the merchant', async () => {
  expect(await explained({ secret: await endpointSecret(runtime(), merchant.scope('live')) })).toEqual(['secret_of_other_environment']);
  expect(await explained({ secret: await endpointSecret(runtime(), (await makeMerchant(runtime())).scope('sandbox')) })).toEqual([
    'secret_wrong',
  ]);
  await rotateSecret(runtime(), merchant.operator('sandbox'), { ms: HOUR_MS });
  expect(await explained()).toEqual(['signature_right']);
  runtime().advance(HOUR_MS);
  expect(await explained()).toContain('secret_old');
});

test("another merchant's webhook is unknown", async () => {
  const stranger = await makeMerchant(runtime());
  expect(await explained({ by: stranger })).toEqual(['secret_wrong', 'delivery_unknown']);
  expect(await explained({ by: stranger, body: webhook.body.replace('5000.0', '6000.0') })).toEqual(['secret_wrong', 'delivery_unknown']);
});

test('a member may ask for 20 explanations in a minute', async () => {
  const [member, colleague] = [await joinAs(runtime(), merchant, 'viewer'), await joinAs(runtime(), merchant, 'viewer')];
  const ask = (access: typeof member) => explainSignature(runtime(), access, { body: '{}', headers: '', secret: '' });
  const asked = await Promise.all(Array.from({ length: 21 }, () => ask(member)));
  expect(asked.filter(({ ok }) => ok)).toHaveLength(20);
  expect(await ask(member)).toEqual({ ok: false, error: 'too_many_explanations' });
  expect(await ask(colleague)).toMatchObject({ ok: true });
  runtime().advance(MINUTE_MS);
  expect(await ask(member)).toMatchObject({ ok: true });
});
