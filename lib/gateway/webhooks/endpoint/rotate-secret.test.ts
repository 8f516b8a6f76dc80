import { Webhook } from 'standardwebhooks';
import { beforeEach, expect, test, vi } from 'vitest';
import { DAY_MS, HOUR_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { deliverAll, retryPause } from '@/testing/data/deliveries';
import { endpointSecret } from '@/testing/data/endpoint-secret';
import { changeStatus } from '@/testing/data/paying';
import { testReceiver } from '@/testing/fakes/receiver';
import { ok, type Received } from '@/testing/fakes/start-receiver';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { type RotatedSecret, rotateSecret } from './rotate-secret';
import { setEndpoint } from './set-endpoint';

const runtime = testRuntime();
const receiver = testReceiver();
let merchant: TestMerchant;
let first: string;

beforeEach(async () => {
  merchant = await makeMerchant(runtime());
  receiver.received.length = 0;
  receiver.answer(ok);
  const set = await setEndpoint(runtime(), merchant.operator('sandbox'), receiver.url());
  if (!set.ok) throw new Error(set.error);
  first = set.value.secret;
});

const rotate = (overlapMs: number) => rotateSecret(runtime(), merchant.operator('sandbox'), { ms: overlapMs });

async function rotated(overlapMs: number): Promise<RotatedSecret> {
  const result = await rotate(overlapMs);
  if (!result.ok) throw new Error(result.error.code);
  return result.value;
}

/** Returns which of the secrets verify the next webhook. */
async function verifying(...secrets: readonly string[]): Promise<boolean[]> {
  await changeStatus(runtime(), await makeBill(runtime(), merchant), 1);
  await deliverAll(runtime());
  const webhook = receiver.received.pop();
  if (!webhook) throw new Error('no webhook arrived');
  return secrets.map((secret) => verifies(secret, webhook));
}

/** Returns whether the library accepts the webhook at the time of the test's clock. The library reads the system time. */
function verifies(secret: string, { body, headers }: Received): boolean {
  vi.setSystemTime(runtime().clock());
  try {
    return Boolean(new Webhook(secret).verify(body, headers));
  } catch {
    return false;
  } finally {
    vi.useRealTimers();
  }
}

test('the old and the new secret verify webhooks during the overlap, afterwards only the new one', async () => {
  expect(await verifying(first)).toEqual([true]);
  const { secret, previousUntil } = await rotated(DAY_MS);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(secret).not.toBe(first);
  expect(await endpointSecret(runtime(), merchant.scope('sandbox'))).toBe(secret);
  expect(Math.abs((previousUntil?.getTime() ?? 0) - runtime().clock().getTime() - DAY_MS)).toBeLessThan(10 * SECOND_MS);
  expect(await verifying(first, secret)).toEqual([true, true]);
  runtime().advance(DAY_MS - HOUR_MS);
  expect(await verifying(first, secret)).toEqual([true, true]);
  runtime().advance(HOUR_MS);
  expect(await verifying(first, secret)).toEqual([false, true]);
});

test('each attempt is signed with the secrets of its time', async () => {
  receiver.answer((_request, response) => response.writeHead(500).end());
  await changeStatus(runtime(), await makeBill(runtime(), merchant), 1);
  await deliverAll(runtime());
  const { secret } = await rotated(0);
  receiver.answer(ok);
  runtime().advance(retryPause(1));
  await deliverAll(runtime());
  const [before, again] = receiver.received;
  if (!before || !again) throw new Error('the webhook did not arrive twice');
  expect(again.headers['webhook-id']).toBe(before.headers['webhook-id']);
  expect([verifies(first, again), verifies(secret, again)]).toEqual([false, true]);
});

test('without an overlap only the new secret verifies, at once', async () => {
  const { secret, previousUntil } = await rotated(0);
  expect(previousUntil).toBeNull();
  expect(await verifying(first, secret)).toEqual([false, true]);
});

test('refuses a second overlap while one is running, but replaces a leaked secret at once', async () => {
  const second = await rotated(DAY_MS);
  expect(await rotate(HOUR_MS)).toEqual({ ok: false, error: { code: 'overlap_running', until: second.previousUntil } });
  expect(await verifying(first, second.secret)).toEqual([true, true]);
  const third = await rotated(0);
  expect(await verifying(first, second.secret, third.secret)).toEqual([false, false, true]);
  const fourth = await rotated(HOUR_MS);
  expect(await verifying(second.secret, third.secret, fourth.secret)).toEqual([false, true, true]);
  runtime().advance(HOUR_MS);
  expect((await rotate(HOUR_MS)).ok).toBe(true);
});

test('refuses one of two concurrent rotations', async () => {
  const results = await Promise.all([rotate(DAY_MS), rotate(DAY_MS)]);
  expect(results.filter(({ ok: done }) => done)).toHaveLength(1);
});

test('the audit entry contains the actor and the end of the overlap, but no secret', async () => {
  const { secret, previousUntil } = await rotated(DAY_MS);
  const entries = await runtime().db.query<{ data: unknown }>(
    { text: "SELECT actor, data FROM audit_entry WHERE merchant_id = $1 AND action = 'webhook.secret_rotated'" },
    [merchant.merchant.id],
  );
  expect(entries).toEqual([{ actor: 'operator:test', data: { previousUntil: previousUntil?.toISOString() } }]);
  expect(JSON.stringify(entries)).not.toContain(secret.slice(6));
});
