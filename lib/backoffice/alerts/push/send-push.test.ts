import { createPublicKey, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { createSecrets, firstKeys } from '@/lib/platform/config/secrets';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { accessOf, joinAs, makeMember, makeSession } from '@/testing/data/access';
import { pay } from '@/testing/data/paying';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { addPushDevice, removePushDevice } from './change-device';
import { DEVICES_MAX, decidePush } from './push-rules';
import { claimDueDevices, sendPush } from './send-push';
import { showPushNews } from './show-push-news';
import { pushKey } from './vapid';

const runtime = testRuntime({ OPERATOR_EMAIL: 'operator@example.com', SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'bili@example.com' });

/** A push service: it records what it gets and answers with `status`. */
const received: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
let status = 201;
const service = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  received.push({ path: request.url ?? '', headers: request.headers, body });
  response.writeHead(status).end();
});
let origin: string;
let merchant: TestMerchant;
let admin: MerchantAccess;

beforeAll(async () => {
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  const address = service.address();
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});
afterAll(() => service.close());
beforeEach(async () => {
  merchant = await makeMerchant(runtime());
  admin = await joinAs(runtime(), merchant, 'admin');
  received.length = 0;
  status = 201;
});
afterEach(() => runtime().db.prisma.pushSubscription.deleteMany());

const devices = () => runtime().db.prisma.pushSubscription.count({ where: { merchantId: merchant.merchant.id } });
const add = (path: string, access = admin) => addPushDevice(runtime(), access, origin + path);

/** Lets a worker do everything that is due now. */
async function work(): Promise<void> {
  const { signal } = new AbortController();
  for (const device of await claimDueDevices(runtime(), 100)) await sendPush(runtime(), device, signal);
}

async function payBill(): Promise<string> {
  const bill = await makeBill(runtime(), merchant, { amount: 5_000, reference: 'RENT' });
  runtime().advance(10);
  await pay(runtime(), bill, 500_000n);
  runtime().advance(10);
  return bill;
}

const jwtSchema = z.object({ aud: z.string(), exp: z.number(), sub: z.string() });

/** Verifies the signature of a push as a push service does (RFC 8292). Returns the claims. */
function readVapid(header = ''): z.infer<typeof jwtSchema> {
  const [, token = '', key = ''] = header.match(/^vapid t=([\w.-]+), k=([\w-]+)$/) ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const jwk = { kty: 'EC', crv: 'P-256', x: point.subarray(1, 33).toString('base64url'), y: point.subarray(33).toString('base64url') };
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  expect(isSigned).toBe(true);
  expect(key).toBe(pushKey(runtime().secrets).publicKey);
  return jwtSchema.parse(JSON.parse(Buffer.from(claims, 'base64url').toString()));
}

test('a device gets one push without content for what happened since the last one', async () => {
  expect(await add('/device')).toEqual({ ok: true, value: null });
  await work();
  expect(received).toEqual([]);
  runtime().advance(10 * SECOND_MS);
  await payBill();
  await payBill();
  await work();
  expect(received).toMatchObject([{ path: '/device', body: '', headers: { ttl: '86400', topic: 'bili', 'content-length': '0' } }]);
  const { aud, exp, sub } = readVapid(received[0]?.headers.authorization);
  expect({ aud, sub }).toEqual({ aud: origin, sub: 'mailto:operator@example.com' });
  expect(exp * SECOND_MS - runtime().clock().getTime()).toBeLessThan(24 * HOUR_MS);
  runtime().advance(MINUTE_MS);
  await work();
  expect(received).toHaveLength(1);
  await payBill();
  runtime().advance(MINUTE_MS);
  await work();
  expect(received).toHaveLength(2);
});

test.each([404, 410, 403])('a subscription that the push service answers with %d is removed', async (answer) => {
  await add('/gone');
  await payBill();
  status = answer;
  await work();
  expect(received).toHaveLength(1);
  expect(await devices()).toBe(0);
});

test('a push service that fails is tried again, and later given up', async () => {
  await add('/broken');
  await payBill();
  status = 503;
  await work();
  await work();
  expect(received).toHaveLength(1);
  runtime().advance(MINUTE_MS);
  await work();
  expect(received).toHaveLength(2);
  status = 201;
  runtime().advance(5 * MINUTE_MS);
  await work();
  expect(received).toHaveLength(3);
  expect(await devices()).toBe(1);
  const now = runtime().clock();
  expect(decidePush(503, 5, now)).toEqual({ kind: 'remove' });
  expect(decidePush(null, 0, now)).toMatchObject({ kind: 'retry' });
});

test('a device gets nothing after its member has signed out, left the team or switched it off', async () => {
  const collector = await joinAs(runtime(), merchant, 'collector');
  const viewer = await joinAs(runtime(), merchant, 'viewer');
  await add('/signed-out');
  await add('/left', viewer);
  await add('/own-bills', collector);
  await add('/off', collector);
  await removePushDevice(runtime(), collector, `${origin}/off`);
  await removePushDevice(runtime(), collector, `${origin}/off`);
  await runtime().db.prisma.session.update({ where: { id: admin.sessionId }, data: { revokedAt: runtime().clock() } });
  await runtime().db.prisma.membership.delete({
    where: { merchantId_userId: { merchantId: merchant.merchant.id, userId: viewer.user.id } },
  });
  await payBill();
  await work();
  expect(received).toEqual([]);
  expect(await devices()).toBe(1);
  const { data } = await runtime().db.prisma.auditEntry.findFirstOrThrow({ where: { action: 'push.on', subject: admin.user.id } });
  expect(data).toEqual({ service: '127.0.0.1' });
  expect(await runtime().db.prisma.auditEntry.count({ where: { action: 'push.off', subject: collector.user.id } })).toBe(1);
});

test('addresses that webhooks may not call are refused, and the oldest of too many devices gives way', async () => {
  for (const address of ['http://10.0.0.1/x', 'ftp://example.com/', 'not an address', `${origin}/${'x'.repeat(1_000)}`]) {
    expect(await addPushDevice(runtime(), admin, address)).toMatchObject({ error: 'address_wrong' });
  }
  const live = await joinAs(runtime(), merchant, 'admin', 'live');
  expect(await add('/loopback-in-live', live)).toMatchObject({ error: 'address_wrong' });
  for (let number = 0; number <= DEVICES_MAX; number += 1) {
    await add(`/${number}`);
    runtime().advance(1);
  }
  await add('/1');
  expect(await devices()).toBe(DEVICES_MAX);
  expect(await runtime().db.prisma.pushSubscription.count({ where: { endpoint: `${origin}/0` } })).toBe(0);
});

test('a text that is no address names no device, and the address may be written in another form', async () => {
  const email = await makeMember(runtime(), merchant, 'admin');
  const access = await accessOf(runtime(), merchant, email);
  const token = await makeSession(runtime(), email);
  await add('/a b', access);
  await payBill();
  expect(await showPushNews(runtime(), token, '\u0000')).toBeNull();
  await removePushDevice(runtime(), access, '\u0000');
  expect(await showPushNews(runtime(), token, `${origin}/a b`)).not.toBeNull();
  await removePushDevice(runtime(), access, `${origin}/a b`);
  expect(await devices()).toBe(0);
});

test('only the member of a device reads its news, and only with a session', async () => {
  const email = await makeMember(runtime(), merchant, 'admin');
  await add('/device', await accessOf(runtime(), merchant, email));
  const bill = await payBill();
  const token = await makeSession(runtime(), email);
  const news = await showPushNews(runtime(), token, `${origin}/device`);
  expect(news).toMatchObject({ alert: { kind: 'payment', bill: { id: bill, reference: 'RENT' } } });
  expect(news?.path('bills')).toBe(`/m/${merchant.merchant.slug}/sandbox/bills`);
  const stranger = await makeMember(runtime(), await makeMerchant(runtime()), 'owner');
  const colleague = await makeMember(runtime(), merchant, 'owner');
  for (const other of [stranger, colleague]) {
    expect(await showPushNews(runtime(), await makeSession(runtime(), other), `${origin}/device`)).toBeNull();
  }
  expect(await showPushNews(runtime(), null, `${origin}/device`)).toBeNull();
  expect(await showPushNews(runtime(), token, `${origin}/other`)).toBeNull();
});

test('all processes have the same key, and another installation has another', () => {
  const secrets = (fill: number) => {
    const SECRET_KEY = Buffer.alloc(32, fill).toString('base64');
    return createSecrets({ SECRET_KEY }, firstKeys(SECRET_KEY));
  };
  expect(pushKey(secrets(1)).publicKey).toBe(pushKey(secrets(1)).publicKey);
  expect(pushKey(secrets(1)).publicKey).not.toBe(pushKey(secrets(2)).publicKey);
  expect(Buffer.from(pushKey(secrets(3)).publicKey, 'base64url')).toHaveLength(65);
});
