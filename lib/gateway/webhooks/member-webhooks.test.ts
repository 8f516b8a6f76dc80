import { beforeEach, expect, test } from 'vitest';
import { type DeliveryQuery, deliveryQuery, parseDeliveryQuery } from '@/lib/backoffice/delivery-log/delivery-query';
import { listDeliveryPage } from '@/lib/backoffice/delivery-log/list-deliveries';
import { showDeliveryPage } from '@/lib/backoffice/delivery-log/show-delivery';
import { showEndpointPage } from '@/lib/backoffice/delivery-log/show-endpoint';
import { viewVersion } from '@/lib/backoffice/delivery-log/view-version';
import { checkReceiver } from '@/lib/backoffice/receiver-check/check-receiver';
import { listTests } from '@/lib/backoffice/receiver-check/list-tests';
import { sendTestEvent } from '@/lib/backoffice/receiver-check/send-test-event';
import { explainSignature } from '@/lib/backoffice/signature-explainer/explain-signature';
import { pauseEndpoint, resumeEndpoint } from '@/lib/gateway/webhooks/endpoint/pause-endpoint';
import { endOverlap, rotateSecret } from '@/lib/gateway/webhooks/endpoint/rotate-secret';
import { revealSecrets } from '@/lib/gateway/webhooks/endpoint/show-secrets';
import { cancelRedelivery } from '@/lib/gateway/webhooks/redeliver/cancel-redelivery';
import { redeliverWebhook } from '@/lib/gateway/webhooks/redeliver/redeliver-webhook';
import { showRedeliveries, showRedelivery } from '@/lib/gateway/webhooks/redeliver/show-redelivery';
import { startRedeliveryFromForm } from '@/lib/gateway/webhooks/redeliver/start-redelivery';
import type { MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { addMs, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { eastAfricanDay } from '@/lib/platform/core/east-african-day';
import { letIn } from '@/testing/data/access';
import { deliverAll } from '@/testing/data/deliveries';
import { makeOwing } from '@/testing/data/due-deliveries';
import { testReceiver } from '@/testing/fakes/receiver';
import { type TestMerchant, testRuntime } from '@/testing/runtime';

const ALL = deliveryQuery(() => null);
const runtime = testRuntime();
const receiver = testReceiver();
let shop: TestMerchant;
let access: MerchantAccess;
beforeEach(async () => {
  receiver.answer((_request, response) => response.end('thanks'));
  shop = await makeOwing(runtime(), { count: 3, url: receiver.url() });
  access = await letIn(runtime(), shop);
});

const list = (query: Partial<DeliveryQuery> = {}, before: string | null = null, who = access) =>
  listDeliveryPage(runtime(), who, { query: { ...ALL, ...query }, before });
const today = () => eastAfricanDay(runtime().clock());
const order = (states: readonly string[]) => ({ from: today(), to: today(), states, perSecond: '20' });

test('deliveries can be filtered by state, bill, status, trigger and day', async () => {
  await deliverAll(runtime());
  const all = (await list()).deliveries;
  expect(all.map(({ reference }) => reference).sort()).toEqual(['OWED-1', 'OWED-2', 'OWED-3']);
  const [first] = all;
  const found = async (query: Partial<DeliveryQuery>) => (await list(query)).deliveries.length;
  expect(await found({ state: 'DELIVERED', status: 'FULLY_PAID', trigger: 'automatic', from: today(), to: today() })).toBe(3);
  expect(await found({ state: 'EXHAUSTED' })).toBe(0);
  expect(await found({ status: 'NOT_PAID' })).toBe(0);
  expect(await found({ trigger: 'manual' })).toBe(0);
  expect(await found({ to: '2020-01-01' })).toBe(0);
  expect(await found({ bill: ' OWED-2 ' })).toBe(1);
  expect(await found({ bill: first?.billId ?? '' })).toBe(1);
  expect(await found({ bill: 'OWED' })).toBe(0);
  expect(await found({ failed: '1' })).toBe(0);
  expect(await found({ state: 'no such state', trigger: 'x' })).toBe(3);
  expect(await list({ from: 'yesterday' })).toMatchObject({ problem: 'period', deliveries: { length: 3 } });
  expect((await list({}, all[0]?.id)).deliveries).toHaveLength(2);
});

test('an invalid period is reported, and an empty query does not filter', () => {
  expect(parseDeliveryQuery({ ...ALL, from: '2026-11-21', to: '2026-11-20' })).toMatchObject({ problem: 'period' });
  expect(parseDeliveryQuery(ALL)).toMatchObject({ problem: null, reference: null, filter: { states: null, failed: false } });
});

test('an attempt is shown with the signature headers that were sent', async () => {
  await deliverAll(runtime());
  const [one] = (await list()).deliveries;
  const shown = await showDeliveryPage(runtime(), access, one?.id ?? '');
  const sent = receiver.received.find(({ headers }) => headers['webhook-id'] === shown?.messageId);
  expect(shown?.body).toBe(sent?.body);
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
    expect(shown?.attempts[0]?.requestHeaders[name]).toBe(sent?.headers[name]);
  }
});

test('test events are listed page by page, separate from deliveries', async () => {
  for (let i = 0; i < 21; i += 1) expect(await sendTestEvent(runtime(), access, { status: 'PARTIALLY_PAID' })).toMatchObject({ ok: true });
  const page = await listTests(runtime(), access, null);
  expect(page.tests).toHaveLength(20);
  const next = await listTests(runtime(), access, page.older);
  expect(next).toMatchObject({ tests: [{ trigger: 'test', httpStatus: 200 }], older: null });
  expect(new Set([...page.tests, ...next.tests].map(({ id }) => id)).size).toBe(21);
  expect(JSON.parse(page.tests[0]?.body ?? '')).toMatchObject({ bill: { status: 'PARTIALLY_PAID' } });
  expect(page.tests[0]?.requestHeaders['webhook-signature']).toMatch(/^v1,/);
  expect((await list()).deliveries).toHaveLength(3);
});

test('each call of a receiver check is listed with its step and result', async () => {
  expect(await checkReceiver(runtime(), access, { onProgress: () => undefined })).toMatchObject({ ok: true });
  const { tests } = await listTests(runtime(), access, null);
  expect(tests.map(({ httpStatus, checked }) => `${httpStatus} ${checked?.step} ${checked?.outcome}`)).toEqual([
    '200 good passed',
    '200 duplicate passed',
    '200 bad_signature failed',
    '200 unsigned failed',
    '200 stale warning',
    '200 out_of_order passed',
    '200 out_of_order passed',
    '200 slow passed',
  ]);
});

test('the version of a page changes only if the page changes', async () => {
  const version = () => viewVersion(runtime(), access, { view: 'deliveries', query: ALL, before: null });
  const before = await version();
  expect(await version()).toBe(before);
  await deliverAll(runtime());
  expect(await version()).not.toBe(before);
});

test('the history of the endpoint shows who has paused and resumed it', async () => {
  expect(await pauseEndpoint(runtime(), access)).toEqual({ ok: true, value: null });
  expect(await pauseEndpoint(runtime(), access)).toEqual({ ok: false, error: 'not_active' });
  expect(await resumeEndpoint(runtime(), access)).toEqual({ ok: true, value: null });
  const actor = `user:${shop.email}`;
  expect((await showEndpointPage(runtime(), access))?.history).toMatchObject([
    { action: 'webhook.resumed', actor },
    { action: 'webhook.paused', actor },
    { action: 'webhook.set', actor: 'operator:test' },
  ]);
});

test('a bulk redelivery can be counted, started and cancelled from the form', async () => {
  await deliverAll(runtime());
  const send = (states: readonly string[], dryRun: boolean) => startRedeliveryFromForm(runtime(), access, { order: order(states), dryRun });
  expect(await send(['DELIVERED'], true)).toMatchObject({ ok: true, value: { id: null, total: 3 } });
  expect(await showRedeliveries(runtime(), access)).toEqual([]);
  expect(await send([], true)).toEqual({ ok: false, error: 'no_state' });
  expect(await send(['SENDING'], true)).toEqual({ ok: false, error: 'no_state' });
  for (const [wrong, error] of [
    [{ perSecond: '' }, 'wrong_pace'],
    [{ perSecond: '501' }, 'wrong_pace'],
    [{ from: 'x' }, 'wrong_period'],
  ] as const) {
    const asked = { order: { ...order(['DELIVERED']), ...wrong }, dryRun: true, address: null };
    expect(await startRedeliveryFromForm(runtime(), access, asked)).toEqual({ ok: false, error });
  }
  const started = await send(['DELIVERED'], false);
  const id = started.ok ? (started.value.id ?? '') : '';
  expect(await showRedelivery(runtime(), access, id)).toMatchObject({ total: 3, requestedBy: `user:${shop.email}` });
  expect(await cancelRedelivery(runtime(), access, id)).toEqual({ ok: true, value: { returned: 0 } });
});

test('members who signed in recently can see and rotate secrets, and each action is in the history', async () => {
  const secrets = await revealSecrets(runtime(), access);
  const old = secrets.ok ? secrets.value.secret : '';
  expect(await rotateSecret(runtime(), access, { named: 'fortnight' })).toEqual({
    ok: false,
    error: { code: 'overlap_unknown' },
  });
  expect(await endOverlap(runtime(), access)).toEqual({ ok: false, error: 'over' });
  // Advances the clock, because audit entries of the same instant have no order.
  runtime().advance(SECOND_MS);
  expect(await rotateSecret(runtime(), access, { named: 'week' })).toMatchObject({ ok: true });
  runtime().advance(SECOND_MS);
  expect(await revealSecrets(runtime(), access)).toMatchObject({ ok: true, value: { previous: { secret: old } } });
  expect(await rotateSecret(runtime(), access, { named: 'day' })).toMatchObject({
    ok: false,
    error: { code: 'overlap_running' },
  });
  runtime().advance(SECOND_MS);
  expect(await endOverlap(runtime(), access)).toEqual({ ok: true, value: null });
  runtime().advance(SECOND_MS);
  expect(await revealSecrets(runtime(), access)).toMatchObject({ ok: true, value: { previous: null } });
  await sendTestEvent(runtime(), access, {});
  expect(receiver.received.at(-1)?.headers['webhook-signature']?.split(' ')).toHaveLength(1);
  const actions = (await showEndpointPage(runtime(), access))?.history.map(({ action }) => action);
  expect(actions).toEqual([
    'webhook.secret_shown',
    'webhook.overlap_ended',
    'webhook.secret_shown',
    'webhook.secret_rotated',
    'webhook.secret_shown',
    'webhook.set',
  ]);
});

test('a pasted webhook is compared with the one that was sent', async () => {
  await deliverAll(runtime());
  const [one] = (await list()).deliveries;
  const shown = await showDeliveryPage(runtime(), access, one?.id ?? '');
  const secrets = await revealSecrets(runtime(), access);
  const headers = JSON.stringify(shown?.attempts[0]?.requestHeaders);
  const secret = secrets.ok ? secrets.value.secret : '';
  const pasted = { body: shown?.body ?? '', headers, secret, computed: ' ' };
  expect(await explainSignature(runtime(), access, pasted)).toMatchObject({ ok: true, value: [{ code: 'signature_right' }] });
  const reformatted = JSON.stringify(JSON.parse(pasted.body), null, 2);
  expect(await explainSignature(runtime(), access, { ...pasted, body: reformatted })).toMatchObject({ ok: true });
});

test('collectors see and change nothing, and viewers change nothing', async () => {
  const [one] = (await list()).deliveries;
  const id = one?.id ?? '';
  const collector = await letIn(runtime(), shop, { role: 'collector' });
  expect(await showEndpointPage(runtime(), collector)).toBeUndefined();
  expect(await showDeliveryPage(runtime(), collector, id)).toBeUndefined();
  expect((await list({}, null, collector)).deliveries).toEqual([]);
  expect(await listTests(runtime(), collector, null)).toEqual({ tests: [], older: null });
  expect(await explainSignature(runtime(), collector, { body: '', headers: '', secret: '', computed: '' })).toMatchObject({ ok: false });
  const viewer = await letIn(runtime(), shop, { role: 'viewer' });
  expect(await showDeliveryPage(runtime(), viewer, id)).toMatchObject({ id });
  for (const who of [viewer, collector]) {
    const refused = { ok: false, error: 'not_allowed' };
    expect(await pauseEndpoint(runtime(), who)).toEqual(refused);
    expect(await resumeEndpoint(runtime(), who)).toEqual(refused);
    expect(await redeliverWebhook(runtime(), who, id)).toEqual(refused);
    expect(await startRedeliveryFromForm(runtime(), who, { order: order(['DELIVERED']), dryRun: true })).toEqual(refused);
    expect(await cancelRedelivery(runtime(), who, id)).toEqual(refused);
    expect(await sendTestEvent(runtime(), who, {})).toEqual(refused);
    expect(await checkReceiver(runtime(), who, { onProgress: () => undefined })).toEqual(refused);
    expect(await revealSecrets(runtime(), who)).toEqual(refused);
    expect(await rotateSecret(runtime(), who, { named: 'day' })).toEqual({ ok: false, error: { code: 'not_allowed' } });
    expect(await endOverlap(runtime(), who)).toEqual(refused);
  }
});

test("other merchants' deliveries are not found, and secrets require a recent sign-in", async () => {
  const [one] = (await list()).deliveries;
  const id = one?.id ?? '';
  const stranger = await letIn(runtime(), await makeOwing(runtime(), { count: 1, url: receiver.url() }));
  expect(await showDeliveryPage(runtime(), stranger, id)).toBeUndefined();
  expect(await redeliverWebhook(runtime(), stranger, id)).toEqual({ ok: false, error: 'not_found' });
  expect((await list({ bill: one?.billId ?? '' }, null, stranger)).deliveries).toEqual([]);
  expect(await cancelRedelivery(runtime(), stranger, id)).toEqual({ ok: false, error: 'not_found' });
  const late = { ...runtime(), clock: () => addMs(runtime().clock(), 16 * MINUTE_MS) };
  expect(await revealSecrets(late, access)).toEqual({ ok: false, error: 'not_proven' });
  expect(await endOverlap(late, access)).toEqual({ ok: false, error: 'not_proven' });
  expect(await rotateSecret(late, access, { named: 'day' })).toEqual({ ok: false, error: { code: 'not_proven' } });
});

test.each([
  ['a bill with a character that no database holds', { bill: 'a\0b' }],
  ['a bill of 100,000 characters', { bill: 'x'.repeat(100_000) }],
  ['days from long ago to far ahead', { from: '0100-01-01', to: '9999-12-31' }],
  ['a time far from ours', { from: '0100-01-01T00:00:00+23:59' }],
])('the list of deliveries accepts %s in the URL', async (_, query) => {
  expect(await list(query)).toMatchObject({ deliveries: expect.any(Array) });
});
