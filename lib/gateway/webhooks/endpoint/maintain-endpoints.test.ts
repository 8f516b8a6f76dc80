import { expect, test } from 'vitest';
import { addMs, DAY_MS, HOUR_MS } from '@/lib/platform/core/clock';
import { mailContext } from '@/lib/platform/mail/store';
import { deliverAll, forgetDeliveries } from '@/testing/data/deliveries';
import { makeOwing } from '@/testing/data/due-deliveries';
import { watchDeliveryMoves } from '@/testing/data/watch-moves';
import { type TestMerchant, testRuntime } from '@/testing/runtime';
import { findEndpoint } from './endpoint-store';
import { maintainEndpoints } from './maintain-endpoints';
import { resumeEndpoint } from './pause-endpoint';

const runtime = testRuntime({ SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'Bili <bili@example.com>' });
watchDeliveryMoves(runtime);

/** Creates an endpoint that has failed for some hours and whose next call is in 30 days. */
async function failingSince(hours: number): Promise<TestMerchant> {
  const shop = await makeOwing(runtime(), { count: 1, url: 'http://127.0.0.1:9/hook', overdueMs: -30 * DAY_MS });
  await runtime().db.query(
    { text: "UPDATE webhook_endpoint SET failure_count = 7, failing_since = $2 WHERE merchant_id = $1 AND environment = 'sandbox'" },
    [shop.merchant.id, addMs(runtime().clock(), -hours * HOUR_MS)],
  );
  return shop;
}

const endpoint = (shop: TestMerchant) => findEndpoint(runtime().db, shop.scope('sandbox'));
const actions = (shop: TestMerchant) =>
  runtime().db.query(
    {
      text: "SELECT action, actor, data FROM audit_entry WHERE merchant_id = $1 AND action LIKE 'webhook.%' AND actor = 'system:worker' ORDER BY at",
    },
    [shop.merchant.id],
  );
async function mails(shop: TestMerchant): Promise<{ recipient: string; subject: string; text: string }[]> {
  const rows = await runtime().db.query<{ id: string; recipient: string; subject: string; text: Buffer }>(
    { text: 'SELECT id, recipient, subject, encrypted_text AS text FROM mail WHERE merchant_id = $1 ORDER BY id' },
    [shop.merchant.id],
  );
  return rows.map(({ id, recipient, subject, text }) => ({ recipient, subject, text: runtime().secrets.decrypt(text, mailContext(id)) }));
}

test('warns once after 1, 24 and 72 hours without a success, in both languages', async () => {
  const shop = await failingSince(0.9);
  await maintainEndpoints(runtime());
  expect(await actions(shop)).toEqual([]);
  runtime().advance(HOUR_MS);
  await Promise.all([maintainEndpoints(runtime()), maintainEndpoints(runtime())]);
  await maintainEndpoints(runtime());
  expect(await actions(shop)).toEqual([{ action: 'webhook.failing', actor: 'system:worker', data: { hours: 1, failureCount: 7 } }]);
  const [mail, ...others] = await mails(shop);
  expect(others).toEqual([]);
  expect(mail?.recipient).toBe(shop.email);
  expect(mail?.subject).toBe('127.0.0.1:9 haipokei webhook zako / 127.0.0.1:9 does not accept your webhooks');
  expect(mail?.text).toContain('kwa saa 1');
  expect(mail?.text).toContain('for 1 hour.');
  expect(mail?.text).toContain(`http://localhost:3000/m/${shop.merchant.slug}/sandbox/webhooks`);
  runtime().advance(23 * HOUR_MS);
  await maintainEndpoints(runtime());
  runtime().advance(48 * HOUR_MS);
  await maintainEndpoints(runtime());
  expect((await actions(shop)).map(({ data }) => data)).toMatchObject([{ hours: 1 }, { hours: 24 }, { hours: 72 }]);
  expect(await mails(shop)).toHaveLength(3);
  expect(await endpoint(shop)).toMatchObject({ status: 'active', warningsGiven: 3 });
});

test('disables an endpoint after seven days without a success; its deliveries are kept, and resuming makes them due', async () => {
  const shop = await failingSince(7 * 24 - 1);
  await maintainEndpoints(runtime());
  expect(await endpoint(shop)).toMatchObject({ status: 'active' });
  runtime().advance(HOUR_MS);
  await Promise.all([maintainEndpoints(runtime()), maintainEndpoints(runtime())]);
  expect(await endpoint(shop)).toMatchObject({ status: 'disabled', disabledReason: 'failing' });
  expect(await actions(shop)).toMatchObject([{ action: 'webhook.failing' }, { action: 'webhook.disabled', data: { reason: 'failing' } }]);
  expect((await mails(shop)).map(({ subject }) => subject).at(-1)).toContain('We have stopped sending webhooks to 127.0.0.1:9');

  await runtime().db.query(
    { text: 'UPDATE webhook_delivery SET priority = 1, attempt_count = 3, last_attempt_at = $2, due_at = $3 WHERE merchant_id = $1' },
    [shop.merchant.id, runtime().clock(), addMs(runtime().clock(), DAY_MS)],
  );
  runtime().advance(1);
  expect(await resumeEndpoint(runtime(), shop.operator('sandbox'))).toEqual({
    ok: true,
    value: null,
  });
  await maintainEndpoints(runtime());
  const [delivery] = await runtime().db.query<{ dueAt: Date; state: string }>(
    { text: 'SELECT state, due_at AS "dueAt" FROM webhook_delivery WHERE merchant_id = $1' },
    [shop.merchant.id],
  );
  expect(delivery?.state).toBe('PENDING');
  expect(delivery?.dueAt.getTime()).toBeLessThanOrEqual(runtime().clock().getTime());
  await maintainEndpoints(runtime());
  expect(await endpoint(shop)).toMatchObject({ status: 'active', failingSince: null, failureCount: 0, catchUpFrom: null });
});

test('does not count a time without calls: an attempt is made before a warning or disabling', async () => {
  const shop = await makeOwing(runtime(), { count: 1 });
  await deliverAll(runtime());
  // No worker runs for eight days. The next worker maintains the endpoints before it makes calls.
  runtime().advance(8 * DAY_MS);
  await maintainEndpoints(runtime());
  expect(await endpoint(shop)).toMatchObject({ status: 'active', failureCount: 1 });
  await deliverAll(runtime());
  await maintainEndpoints(runtime());
  expect(await endpoint(shop)).toMatchObject({ status: 'disabled', failureCount: 2 });
  await forgetDeliveries(runtime());
});

test('does not disable an endpoint without pending deliveries for an old failure', async () => {
  const shop = await makeOwing(runtime(), { count: 1 });
  await deliverAll(runtime());
  await forgetDeliveries(runtime());
  runtime().advance(8 * DAY_MS);
  await maintainEndpoints(runtime());
  expect(await endpoint(shop)).toMatchObject({ status: 'active', failureCount: 1 });
  expect(await actions(shop)).toEqual([]);
});

test('does not lock a failing endpoint if no warning is due', async () => {
  const shop = await failingSince(0.1);
  const failing = await endpoint(shop);
  // Setting the address has also set `catchUpFrom`. This run clears it, so that the next run has no reason to lock the endpoint.
  await maintainEndpoints(runtime());
  await runtime().db.transaction(async (tx) => {
    await tx.query({ text: 'SELECT 1 FROM webhook_endpoint WHERE id = $1 FOR NO KEY UPDATE' }, [failing?.id]);
    await expect(maintainEndpoints(runtime())).resolves.toBeUndefined();
  });
});

test('sends at most one mail a day about an endpoint that recovers now and then', async () => {
  const shop = await failingSince(1.1);
  await maintainEndpoints(runtime());
  for (let n = 0; n < 3; n += 1) {
    await runtime().db.query(
      { text: "UPDATE webhook_endpoint SET warnings_given = 0, failing_since = $2 WHERE merchant_id = $1 AND environment = 'sandbox'" },
      [shop.merchant.id, addMs(runtime().clock(), HOUR_MS)],
    );
    runtime().advance(2 * HOUR_MS);
    await maintainEndpoints(runtime());
  }
  expect(await actions(shop)).toHaveLength(4);
  expect(await mails(shop)).toHaveLength(1);
});
