import { beforeAll, expect, test } from 'vitest';
import { addMs, DAY_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { type Simulator, startSimulator } from '@/lib/providers/sandbox/simulator';
import { deleteOldPrompts, KEPT_DAYS } from '@/lib/providers/sandbox/store';
import { testListener } from '@/testing/fakes/listener';
import { makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';

const runtime = testRuntime();
const origin = testListener(runtime);
let merchant: TestMerchant;
let authorization: string;
let simulator: Simulator;

beforeAll(async () => {
  merchant = await makeMerchant(runtime());
  const { id, secret } = await merchant.key('sandbox');
  authorization = `ApiKey ${id}:${secret}`;
  simulator = await startSimulator({ ...runtime(), callbackKey: runtime().secrets.key('sandbox-provider') });
  return () => simulator.stop();
});

async function post(path: string, body: object, scenario?: string, as = authorization) {
  const headers = { authorization: as, ...(scenario !== undefined && { 'bili-sandbox-scenario': scenario }) };
  const response = await fetch(`${origin()}/api/v3/bills/${path}`, { method: 'POST', headers, body: new Blob([JSON.stringify(body)]) });
  return { status: response.status, headers: response.headers, json: await response.json() };
}

const REFERENCE = /^[A-Z0-9]{20}$/;

/**
 * Sends the payment request of a bill to the simulated provider. Returns the state of the prompt after each of the given numbers of
 * seconds.
 */
async function statesOf(billId: string, seconds: readonly number[], merchantId = merchant.merchant.id): Promise<string[]> {
  const { ourReference } = await runtime().db.prisma.pushAttempt.findFirstOrThrow({ where: { billId }, orderBy: { id: 'desc' } });
  expect(ourReference).toMatch(REFERENCE);
  const prompt = { reference: ourReference, mobile: '255754345678', amount: 5000, callbackUrl: 'http://127.0.0.1:9/', merchantId, billId };
  await fetch(`${simulator.url}/v1/prompts`, { method: 'POST', body: JSON.stringify(prompt) });
  const states: string[] = [];
  let passed = 0;
  for (const second of seconds) {
    runtime().advance((second - passed) * SECOND_MS);
    passed = second;
    states.push((await (await fetch(`${simulator.url}/v1/prompts/${ourReference}`)).json()).status);
  }
  return states;
}

const BILL = { amount: 5000, reference: 'SCENARIO', mobile: '0754345678' };

test('a header decides what the customer does, for new bills, bills of a bulk request, and further payment requests', async () => {
  const { json: declined } = await post('create', BILL, 'declined');
  expect(await statesOf(declined.id, [1, 3, 6])).toEqual(['PENDING', 'DECLINED', 'DECLINED']);

  const { json: bulk } = await post('bulk', { bills: [BILL] }, 'reversed');
  expect(await statesOf(bulk.results[0].bill.id, [0, 2, 6])).toEqual(['PENDING', 'PAID', 'REVERSED']);

  const { json: later } = await post('create', { ...BILL, mobile: undefined });
  expect((await post(`${later.id}/push`, { mobile: BILL.mobile }, 'wrong-pin')).status).toBe(200);
  expect(await statesOf(later.id, [3])).toEqual(['WRONG_PIN']);

  const { json: plain } = await post('create', BILL);
  expect(await statesOf(plain.id, [3, 6])).toEqual(['PENDING', 'PAID']);
});

test('the scenario of one merchant does not count for the same bill id of another', async () => {
  const { json } = await post('create', BILL, 'declined');
  const other = await makeMerchant(runtime());
  expect(await statesOf(json.id, [3, 6], other.merchant.id)).toEqual(['PENDING', 'PAID']);
  expect((await post(`${json.id}/push`, {}, 'paid', await keyOf(other))).status).toBe(404);
  expect(await runtime().db.prisma.sandboxScenario.count({ where: { billId: json.id } })).toBe(1);
});

async function keyOf(of: TestMerchant): Promise<string> {
  const { id, secret } = await of.key('sandbox');
  return `ApiKey ${id}:${secret}`;
}

test.each([
  ['rate-limited', 429, 'too_many_requests', '1'],
  ['unavailable', 503, 'unavailable', '5'],
  ['suspended', 404, 'profile_not_found', null],
  ['Declined', 400, 'scenario_unknown', null],
  ['', 400, 'scenario_unknown', null],
  ['constructor', 400, 'scenario_unknown', null],
] as const)('the scenario %j is answered with %i, and creates no bill', async (scenario, status, code, retryAfter) => {
  const before = await runtime().db.prisma.bill.count();
  const answer = await post('create', BILL, scenario);
  expect(answer.status).toBe(status);
  expect(answer.headers.get('bili-error')).toBe(code);
  expect(answer.headers.get('retry-after')).toBe(retryAfter);
  expect(Object.keys(answer.json)).toEqual(['error']);
  expect(await runtime().db.prisma.bill.count()).toBe(before);
});

test('a repeated request with an Idempotency-Key keeps the scenario of the first', async () => {
  const send = (scenario: string) =>
    fetch(`${origin()}/api/v3/bills/create`, {
      method: 'POST',
      headers: { authorization, 'idempotency-key': 'scenario', 'bili-sandbox-scenario': scenario },
      body: new Blob([JSON.stringify(BILL)]),
    }).then((response) => response.json());
  const [first, second] = [await send('declined'), await send('paid')];
  expect(second).toEqual(first);
  expect(await statesOf(first.id, [3])).toEqual(['DECLINED']);
});

test('old prompts and scenarios are deleted, newer ones and unfinished ones stay', async () => {
  const { json: old } = await post('create', BILL, 'declined');
  await statesOf(old.id, [0]);
  for (let round = 0; round < 4; round += 1) {
    runtime().advance(3 * SECOND_MS);
    await simulator.announceDue(1_000);
  }
  const { json: fresh } = await post('create', BILL, 'declined');
  await statesOf(fresh.id, [0]);
  const { db, clock } = runtime();
  const kept = async (id: string) => [
    await db.prisma.sandboxScenario.count({ where: { billId: id } }),
    await db.prisma.sandboxPrompt.count({
      where: { reference: (await db.prisma.pushAttempt.findFirstOrThrow({ where: { billId: id } })).ourReference },
    }),
  ];
  await deleteOldPrompts({ db, clock });
  expect([await kept(old.id), await kept(fresh.id)]).toEqual([
    [1, 1],
    [1, 1],
  ]);
  const later = addMs(clock(), KEPT_DAYS * DAY_MS + SECOND_MS);
  // At this time both prompts are old. The prompt of the fresh bill is not deleted, because its callback is still due.
  await deleteOldPrompts({ db, clock: () => later });
  expect([await kept(old.id), (await kept(fresh.id))[1]]).toEqual([[0, 0], 1]);
});
