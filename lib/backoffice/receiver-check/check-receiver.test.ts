import type { ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { beforeEach, expect, test } from 'vitest';
import { isCheckBill } from '@/lib/gateway/bills/check-bills';
import { findEndpoint } from '@/lib/gateway/webhooks/endpoint/endpoint-store';
import { setEndpoint } from '@/lib/gateway/webhooks/endpoint/set-endpoint';
import { MINUTE_MS } from '@/lib/platform/core/clock';
import { joinAs } from '@/testing/data/access';
import { endpointSecret } from '@/testing/data/endpoint-secret';
import { testReceiver } from '@/testing/fakes/receiver';
import type { Received } from '@/testing/fakes/start-receiver';
import { makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { checkReceiver } from './check-receiver';
import type { StepJudgement } from './check-rules';
import { describeStep } from './describe-check';
import { findLastCheck, listTests } from './list-tests';
import { sendTestEvent } from './send-test-event';

const runtime = testRuntime();
const receiver = testReceiver();
let merchant: TestMerchant;
let secret: string;
let waited: number[];

beforeEach(async () => {
  receiver.received.length = 0;
  waited = [];
  merchant = await makeMerchant(runtime());
  const scope = merchant.scope('sandbox');
  await setEndpoint(runtime(), merchant.operator('sandbox'), receiver.url());
  secret = await endpointSecret(runtime(), scope);
});

const pause = async (ms: number) => {
  waited.push(ms);
  await new Promise(setImmediate);
};
const check = (environment: 'live' | 'sandbox' = 'sandbox') => checkReceiver(runtime(), merchant.operator(environment), { pause });

const described = (one: StepJudgement) => ({ ...describeStep('en', one), step: one.step, outcome: one.outcome });

async function outcomes(): Promise<Record<string, string>> {
  const checked = await check();
  if (!checked.ok) throw new Error(checked.error);
  // The page that is opened later judges the stored answers, and says the same.
  const last = await findLastCheck(runtime(), merchant.operator('sandbox'));
  expect(last?.url).toBe(checked.value.url);
  expect(last?.steps.map(described)).toEqual(checked.value.steps.map(described));
  return Object.fromEntries(checked.value.steps.map(({ step, outcome, code }) => [step, `${outcome} ${code}`]));
}

const answer = (response: ServerResponse, status: number) => response.writeHead(status).end();
const isValid = ({ body, headers }: Received) => {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
};
const PASSED = {
  good: 'passed accepted',
  duplicate: 'passed accepted',
  bad_signature: 'passed refused_rightly',
  unsigned: 'passed refused_rightly',
  stale: 'passed refused_rightly',
  out_of_order: 'passed accepted',
  slow: 'passed accepted',
};

test('a receiver that verifies signatures with an independent library passes', async () => {
  receiver.answer((request, response) => answer(response, isValid(request) ? 200 : 401));
  expect(await outcomes()).toEqual(PASSED);
  expect(receiver.received).toHaveLength(8);
  expect(waited).toEqual([600, 600, 600, 600, 600]);
});

test('sends the documented webhooks about bills that exist, logs every call, and does not change the health of the endpoint', async () => {
  receiver.answer((request, response) => answer(response, isValid(request) ? 200 : 401));
  const scope = merchant.scope('sandbox');
  const health = await findEndpoint(runtime().db, scope);
  const checked = await check();
  const [good, duplicate, forged, unsigned, stale, newer, older] = receiver.received;
  expect(duplicate).toMatchObject({ body: good?.body, headers: { 'webhook-id': good?.headers['webhook-id'] } });
  expect(forged?.headers['webhook-signature']).toMatch(/^v1,/);
  expect(Object.keys(unsigned?.headers ?? {}).filter((name) => name.startsWith('webhook-'))).toEqual([]);
  const age = Number(good?.headers['webhook-timestamp']) - Number(stale?.headers['webhook-timestamp']);
  expect(age).toBeGreaterThan(3590);
  expect([newer, older].map((one) => JSON.parse(one?.body ?? '').bill.status)).toEqual(['FULLY_PAID', 'PARTIALLY_PAID']);
  expect(JSON.parse(newer?.body ?? '').bill.id).toBe(JSON.parse(older?.body ?? '').bill.id);
  const bills = await runtime().db.query<{ id: string; reference: string; amount: bigint; mobile: string | null }>(
    { text: "SELECT id, status, mobile, reference, amount FROM bill WHERE merchant_id = $1 AND reference LIKE 'CHECK-%' ORDER BY id" },
    [scope.merchantId],
  );
  expect(bills).toMatchObject(Array.from({ length: 4 }, () => ({ status: 'NOT_PAID', mobile: null })));
  expect(bills.every((bill) => isCheckBill({ environment: 'sandbox', ...bill }))).toBe(true);
  expect(checked).toMatchObject({ value: { billIds: bills.map(({ id }) => id) } });
  const attempts = await runtime().db.query(
    { text: 'SELECT trigger, triggered_by, delivery_id, number, http_status FROM webhook_attempt WHERE merchant_id = $1 ORDER BY id' },
    [scope.merchantId],
  );
  expect(attempts).toMatchObject([
    { number: 1, http_status: 200 },
    { number: 2, http_status: 200 },
    ...[401, 401, 401, 200, 200, 200].map((status) => ({
      trigger: 'check',
      triggered_by: 'operator:test',
      delivery_id: null,
      number: 1,
      http_status: status,
    })),
  ]);
  expect(await findEndpoint(runtime().db, scope)).toEqual(health);
});

const seen = new Set<string>();
test.each<[string, (request: Received, response: ServerResponse) => unknown, Partial<typeof PASSED>]>([
  [
    'accepts everything',
    (_request, response) => answer(response, 200),
    { bad_signature: 'failed forged_accepted', unsigned: 'failed unsigned_accepted', stale: 'warning stale_accepted' },
  ],
  [
    'refuses everything',
    (_request, response) => answer(response, 401),
    {
      good: 'failed refused',
      duplicate: 'warning proves_nothing',
      bad_signature: 'warning proves_nothing',
      unsigned: 'warning proves_nothing',
      stale: 'warning proves_nothing',
      out_of_order: 'failed newer_refused',
      slow: 'failed slow_refused',
    },
  ],
  [
    'only checks that there is a signature',
    (request, response) => answer(response, request.headers['webhook-signature'] ? 200 : 400),
    { bad_signature: 'failed forged_accepted', stale: 'warning stale_accepted' },
  ],
  [
    'refuses duplicates',
    (request, response) => {
      const id = request.headers['webhook-id'] ?? '';
      answer(response, isValid(request) ? (seen.has(id) ? 409 : 200) : 401);
      seen.add(id);
    },
    { duplicate: 'failed duplicate_refused' },
  ],
  [
    'answers invalid webhooks with 500',
    (request, response) => answer(response, isValid(request) ? 200 : 500),
    { bad_signature: 'warning refused_by_error', unsigned: 'warning refused_by_error', stale: 'warning refused_by_error' },
  ],
  [
    'refuses older events',
    (request, response) => answer(response, isValid(request) && !request.body.includes('PARTIALLY') ? 200 : 401),
    { out_of_order: 'failed older_refused' },
  ],
  [
    'redirects',
    (_request, response) => response.writeHead(302, { location: '/new' }).end(),
    {
      good: 'failed redirected',
      duplicate: 'warning proves_nothing',
      bad_signature: 'warning proves_nothing',
      unsigned: 'warning proves_nothing',
      stale: 'warning proves_nothing',
      out_of_order: 'failed redirected',
      slow: 'failed redirected',
    },
  ],
  [
    'closes the connection on invalid webhooks',
    (request, response) => (isValid(request) ? answer(response, 200) : response.destroy()),
    {
      bad_signature: 'warning refused_without_answer',
      unsigned: 'warning refused_without_answer',
      stale: 'warning refused_without_answer',
    },
  ],
])('reports a receiver that %s', async (_what, reply, expected) => {
  receiver.answer(reply);
  expect(await outcomes()).toEqual({ ...PASSED, ...expected });
});

test('skips the other steps if the receiver does not answer the correct webhook', async () => {
  receiver.answer((_request, response) => response.destroy());
  expect(new Set(Object.values(await outcomes()))).toEqual(new Set(['failed no_answer', 'skipped not_tried']));
  expect(receiver.received).toHaveLength(1);
});

test('runs one check at a time, and ignores an interrupted check after three minutes', async () => {
  // The receiver does not answer before the second check is refused, so the first check is still running then.
  const refused = Promise.withResolvers<void>();
  receiver.answer(async (request, response) => {
    await refused.promise;
    answer(response, isValid(request) ? 200 : 401);
  });
  const both = [check(), check()];
  expect(await Promise.race(both)).toEqual({ ok: false, error: 'check_running' });
  refused.resolve();
  expect((await Promise.all(both)).filter((one) => one.ok)).toHaveLength(1);
  expect(await check()).toMatchObject({ ok: true });
  await runtime().db.query({ text: "DELETE FROM audit_entry WHERE merchant_id = $1 AND action = 'webhook.checked'" }, [
    merchant.scope('sandbox').merchantId,
  ]);
  expect(await check()).toEqual({ ok: false, error: 'check_running' });
  runtime().advance(3 * MINUTE_MS + 1);
  receiver.answer((_request, response) => response.destroy());
  expect(await check()).toMatchObject({ ok: true });
});

test('lists the calls of a check in the order of its steps, and finds the last check while another one is running', async () => {
  const access = merchant.operator('sandbox');
  expect(await findLastCheck(runtime(), access)).toBeNull();
  receiver.answer((request, response) => answer(response, isValid(request) ? 200 : 401));
  await check();
  await sendTestEvent(runtime(), access);
  runtime().advance(MINUTE_MS);
  const { tests } = await listTests(runtime(), access, null);
  const steps = ['good', 'duplicate', 'bad_signature', 'unsigned', 'stale', 'out_of_order', 'out_of_order', 'slow'];
  expect(tests.map(({ checked }) => checked?.step ?? 'test')).toEqual(['test', ...steps]);

  const first = await findLastCheck(runtime(), access);
  const running = Promise.withResolvers<void>();
  const seen = Promise.withResolvers<void>();
  receiver.answer(async (_request, response) => {
    seen.resolve();
    await running.promise;
    answer(response, 401);
  });
  const second = check();
  await seen.promise;
  expect(await findLastCheck(runtime(), access)).toEqual(first);
  running.resolve();
  await second;
  const last = await findLastCheck(runtime(), access);
  expect(last?.id).not.toBe(first?.id);
  expect(last?.steps[0]).toMatchObject({ step: 'good', outcome: 'failed' });
});

test('refuses a check in live and without an address', async () => {
  expect(await check('live')).toEqual({ ok: false, error: 'only_in_sandbox' });
  const nowhere = await makeMerchant(runtime());
  expect(await checkReceiver(runtime(), nowhere.operator('sandbox'), { pause })).toEqual({ ok: false, error: 'no_address' });
  expect(receiver.received).toEqual([]);
});

test('the members of a merchant may start 20 checks in an hour', async () => {
  const shop = await makeMerchant(runtime());
  const access = await joinAs(runtime(), shop, 'admin');
  for (let n = 0; n < 20; n += 1) expect(await checkReceiver(runtime(), access)).toEqual({ ok: false, error: 'no_address' });
  expect(await checkReceiver(runtime(), access)).toEqual({ ok: false, error: 'too_many_tests' });
});
