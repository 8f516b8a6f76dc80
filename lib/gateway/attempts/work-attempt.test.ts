import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Attempt } from '@/lib/gateway/payments/rules';
import { listAttempts } from '@/lib/gateway/payments/store';
import { USUAL_LIMIT } from '@/lib/gateway/prompts/decide-prompt';
import { allowNumber, blockNumber } from '@/lib/gateway/refusals/block-number';
import { addMs, HOUR_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { toWholeShillings } from '@/lib/platform/core/money';
import { createRegistry } from '@/lib/providers/registry';
import { type Simulator, startSimulator } from '@/lib/providers/sandbox/simulator';
import { makeBill, makeMerchant, TEST_OPERATOR, testRuntime } from '@/testing/runtime';
import { type ClaimedAttempt, claimAttempts } from './claim-attempts';
import { workAttempt } from './work-attempt';

// No server listens at the callback address, so the outcome of a prompt is found only by status queries.
const runtime = testRuntime({ SANDBOX_BASE_URL: 'http://127.0.0.1:9' });
const LEASE_MS = MINUTE_MS;
let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ ...runtime(), callbackKey: runtime().secrets.key('sandbox-provider') });
});
afterAll(() => simulator.stop());

async function newBill(ends: string, amount?: number): Promise<string> {
  return makeBill(runtime(), await makeMerchant(runtime()), { mobile: `0712345${ends}`, ...(amount !== undefined && { amount }) });
}

const claim = () => claimAttempts(runtime().db, { now: runtime().clock(), leaseUntil: addMs(runtime().clock(), LEASE_MS), limit: 100 });

function work(attempt: ClaimedAttempt): Promise<void> {
  return workAttempt({ ...runtime(), providers: createRegistry(runtime(), simulator.url) }, attempt, new AbortController().signal);
}

/** Does the due work and advances the clock until the bill's attempt is settled. Returns the states that it had in between. */
async function settle(billId: string): Promise<string[]> {
  const seen: string[] = [];
  for (let round = 0; round < 30; round += 1) {
    for (const attempt of await claim()) await work(attempt);
    const [attempt] = await listAttempts(runtime().db, billId);
    if (attempt && seen.at(-1) !== attempt.state) seen.push(attempt.state);
    if (attempt && ['SUCCEEDED', 'FAILED', 'EXPIRED'].includes(attempt.state)) return seen;
    runtime().advance(6_000);
  }
  throw new Error(`the attempt did not settle: ${seen.join(', ')}`);
}

const prompts = async (billId: string) => {
  const [row] = await runtime().db.query<{ n: number }>(
    { text: 'SELECT count(*)::int AS n FROM sandbox_prompt p JOIN push_attempt a ON a.our_reference = p.reference WHERE a.bill_id = $1' },
    [billId],
  );
  return row?.n;
};

const messages = (billId: string) =>
  runtime().db.query<{ kind: string; http_status: number | null }>(
    {
      text: 'SELECT m.kind, m.http_status FROM provider_message m JOIN push_attempt a ON a.id = m.attempt_id WHERE a.bill_id = $1 ORDER BY m.id',
    },
    [billId],
  );

async function onlyClaimed(billId: string): Promise<ClaimedAttempt> {
  const claimed = (await claim()).find((attempt) => attempt.billId === billId);
  if (!claimed) throw new Error('the attempt was not due');
  return claimed;
}

describe('a worker that dies in SENDING', () => {
  test('before the call to the provider: a status query does not find the prompt, and it is sent once', async () => {
    const billId = await newBill('001');
    await onlyClaimed(billId);
    runtime().advance(LEASE_MS + 1);
    expect(await settle(billId)).toEqual(['UNKNOWN', 'QUEUED', 'AWAITING_CUSTOMER', 'SUCCEEDED']);
    expect(await prompts(billId)).toBe(1);
  });

  test('after the call to the provider: a status query finds the prompt, and it is not sent again', async () => {
    const billId = await newBill('001');
    const attempt = await onlyClaimed(billId);
    // The prompt is sent. The worker's writes are then reverted, as if the worker had died before them.
    await work(attempt);
    await runtime().db.query({ text: "UPDATE push_attempt SET state = 'SENDING', lease_until = $2, due_at = $3 WHERE bill_id = $1" }, [
      billId,
      addMs(runtime().clock(), LEASE_MS),
      attempt.createdAt,
    ]);
    runtime().advance(LEASE_MS + 1);
    expect(await settle(billId)).toEqual(['UNKNOWN', 'SUCCEEDED']);
    expect(await prompts(billId)).toBe(1);
  });
});

test('a worker whose lease has expired before the call does not call the provider', async () => {
  const billId = await newBill('001');
  const stale = await onlyClaimed(billId);
  runtime().advance(LEASE_MS + 1);
  await work(await onlyClaimed(billId));
  await work(stale);
  expect(await prompts(billId)).toBe(0);
  await settle(billId);
  expect(await prompts(billId)).toBe(1);
});

test('a worker whose lease has expired does not end a prompt that another worker has sent since, even if its number is blocked', async () => {
  const billId = await newBill('005');
  const stale = await onlyClaimed(billId);
  runtime().advance(LEASE_MS + 1);
  const state = async () => (await listAttempts(runtime().db, billId))[0]?.state;
  for (let round = 0; round < 10 && (await state()) !== 'AWAITING_CUSTOMER'; round += 1) {
    for (const attempt of await claim()) await work(attempt);
    runtime().advance(6_000);
  }
  expect(await prompts(billId)).toBe(1);
  await blockNumber(runtime(), { environment: 'sandbox', mobile: stale.mobile, code: null, reason: null, actor: TEST_OPERATOR });
  await work(stale);
  expect(await state()).toBe('AWAITING_CUSTOMER');
  await allowNumber(runtime(), { environment: 'sandbox', mobile: stale.mobile, actor: TEST_OPERATOR });
});

test('a prompt that is sent again uses the same account, even if the account is disabled now', async () => {
  const { db } = runtime();
  const billId = await newBill('001');
  const attempt = await onlyClaimed(billId);
  await workAttempt({ ...runtime(), providers: createRegistry(runtime(), 'http://127.0.0.1:9') }, attempt, new AbortController().signal);
  await db.query({ text: 'UPDATE provider_account SET disabled_at = now()' });
  const seen = await settle(billId);
  await db.query({ text: 'UPDATE provider_account SET disabled_at = NULL' });
  expect(seen).toEqual(['QUEUED', 'AWAITING_CUSTOMER', 'SUCCEEDED']);
});

test('a prompt whose account was disabled after the claim is sent through the next account, and the first claim does not count as sent', async () => {
  const { db } = runtime();
  const billId = await newBill('001');
  const attempt = await onlyClaimed(billId);
  await db.query({ text: 'UPDATE provider_account SET disabled_at = now()' });
  await work(attempt);
  expect((await listAttempts(db, billId))[0]).toMatchObject({ state: 'QUEUED', sendCount: 0, sentAt: null, providerAccountId: null });
  await db.query({ text: 'UPDATE provider_account SET disabled_at = NULL' });
  expect(await settle(billId)).toEqual(['AWAITING_CUSTOMER', 'SUCCEEDED']);
});

test('a prompt is not sent if the process was paused before the call for most of its lease', async () => {
  const billId = await newBill('001');
  const attempt = await onlyClaimed(billId);
  const started = runtime().clock();
  let readings = 0;
  // The worker reads the clock three times: for the limits of the phone number, for the lease, and right before the call.
  const clock = () => {
    readings += 1;
    return readings <= 2 ? started : addMs(started, 20_000);
  };
  const paused = { ...runtime(), clock, providers: createRegistry(runtime(), simulator.url) };
  await workAttempt(paused, attempt, new AbortController().signal);
  expect(await prompts(billId)).toBe(0);
  expect(await messages(billId)).toEqual([]);
  runtime().advance(30_000);
  expect(await settle(billId)).toEqual(['AWAITING_CUSTOMER', 'SUCCEEDED']);
});

test("the provider's answers to the request and to status queries are stored", async () => {
  const billId = await newBill('007');
  await settle(billId);
  const stored = await messages(billId);
  expect(stored[0]).toEqual({ kind: 'answer', http_status: 202 });
  expect(stored.at(-1)).toEqual({ kind: 'status', http_status: 200 });
});

test('after a lost answer the attempt is UNKNOWN until a status query finds the payment', async () => {
  const billId = await newBill('010');
  expect(await settle(billId)).toEqual(['UNKNOWN', 'SUCCEEDED']);
  expect((await messages(billId))[0]).toEqual({ kind: 'answer', http_status: null });
});

test('late money is found without a callback, because an expired attempt is queried a few more times', async () => {
  const billId = await newBill('011');
  expect(await settle(billId)).toContain('EXPIRED');
  for (let round = 0; round < 40; round += 1) {
    for (const attempt of await claim()) await work(attempt);
    runtime().advance(6_000);
  }
  expect(await listAttempts(runtime().db, billId)).toMatchObject([{ state: 'SUCCEEDED' }]);
  expect(await runtime().db.query({ text: 'SELECT status FROM bill WHERE id = $1' }, [billId])).toEqual([{ status: 'FULLY_PAID' }]);
});

describe('a provider whose status queries find nothing', () => {
  const lagging = createServer((request, response) => {
    if (request.method === 'GET') return void response.writeHead(404).end('{"status":"NOT_FOUND"}');
    const { method, headers } = request;
    const forwarded = httpRequest(`${simulator.url}${request.url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    request.pipe(forwarded);
  });
  const url = () => {
    const address = lagging.address();
    return `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 9}`;
  };
  const workThere = (attempt: ClaimedAttempt, to: string) =>
    workAttempt({ ...runtime(), providers: createRegistry(runtime(), to) }, attempt, new AbortController().signal);
  beforeAll(async () => {
    lagging.listen(0, '127.0.0.1');
    await once(lagging, 'listening');
  });
  afterAll(() => {
    lagging.closeAllConnections();
    lagging.close();
  });

  /** Does the due work for ten minutes of the test's clock. */
  async function workOn(billId: string, to: (attempt: ClaimedAttempt) => string): Promise<Attempt | undefined> {
    for (let round = 0; round < 100; round += 1) {
      for (const attempt of await claim()) await (attempt.billId === billId ? workThere(attempt, to(attempt)) : work(attempt));
      runtime().advance(6_000);
    }
    return (await listAttempts(runtime().db, billId))[0];
  }

  test('has the prompt if it refuses a duplicate, so that the attempt is neither sent again nor failed', async () => {
    const billId = await newBill('010');
    const attempt = await workOn(billId, url);
    expect(attempt).toMatchObject({ state: 'UNKNOWN', sendCount: 2, acknowledgedAt: expect.any(Date) });
    expect(await prompts(billId)).toBe(1);
    runtime().advance(HOUR_MS);
    await settle(billId);
    expect((await listAttempts(runtime().db, billId))[0]).toMatchObject({ state: 'SUCCEEDED' });
  });

  test('may have the prompt after a lost answer, even if later requests certainly did not arrive, so that a review is opened', async () => {
    const billId = await newBill('010');
    const attempt = await workOn(billId, ({ previousState, sendCount }) =>
      previousState === 'QUEUED' && sendCount > 1 ? 'http://127.0.0.1:9' : url(),
    );
    expect(attempt).toMatchObject({ state: 'UNKNOWN', sendCount: 7, acknowledgedAt: null });
    const reviews = { text: "SELECT resolved_at IS NULL AS open FROM review WHERE kind = 'attempt_unresolved' AND attempt_id = $1" };
    expect(await runtime().db.query(reviews, [attempt?.id])).toEqual([{ open: true }]);
    runtime().advance(HOUR_MS);
    await settle(billId);
    expect(await runtime().db.query(reviews, [attempt?.id])).toEqual([{ open: false }]);
  });
});

test('requests that certainly do not arrive are repeated for two minutes, then the attempt fails', async () => {
  const started = runtime().clock().getTime();
  const billId = await newBill('013');
  expect(await settle(billId)).toEqual(['QUEUED', 'FAILED']);
  expect(runtime().clock().getTime() - started).toBeGreaterThan(110_000);
  const [attempt] = await listAttempts(runtime().db, billId);
  expect(attempt).toMatchObject({ failureReason: 'provider_unavailable', sendCount: 7 });
  expect(await prompts(billId)).toBe(0);
});

const LIMIT = Number(toWholeShillings(USUAL_LIMIT));
test.each([
  ['what most wallets can send at once', '001', LIMIT, 'SUCCEEDED', null],
  ['a senti more, which becomes a shilling', '001', LIMIT + 0.01, 'FAILED', 'limit_exceeded'],
  ['the highest amount of a bill', '345', 1_000_000_000, 'FAILED', 'limit_exceeded'],
  ['more, to a number without a wallet', '006', LIMIT + 1, 'FAILED', 'mobile_not_registered'],
] as const)("the sandbox's wallets have the usual limit: %s", async (_amount, ends, amount, state, failureReason) => {
  const billId = await newBill(ends, amount);
  await settle(billId);
  expect((await listAttempts(runtime().db, billId))[0]).toMatchObject({ state, failureReason });
});

test('a refused connection counts as certainly not sent', async () => {
  const billId = await newBill('001');
  const attempt = await onlyClaimed(billId);
  await workAttempt({ ...runtime(), providers: createRegistry(runtime(), 'http://127.0.0.1:9') }, attempt, new AbortController().signal);
  expect((await listAttempts(runtime().db, billId))[0]).toMatchObject({ state: 'QUEUED', sendCount: 1 });
  await settle(billId);
});

test('an attempt fails if no provider serves its network, and releases its reservation', async () => {
  const { db } = runtime();
  const billId = await newBill('001');
  await db.query({ text: "UPDATE push_attempt SET network = 'elsewhere' WHERE bill_id = $1" }, [billId]);
  expect(await settle(billId)).toEqual(['FAILED']);
  expect((await listAttempts(db, billId))[0]).toMatchObject({ failureReason: 'no_provider' });
  expect(await db.query({ text: 'SELECT reserved_amount FROM bill WHERE id = $1' }, [billId])).toEqual([{ reserved_amount: 0n }]);
});

test('a waiting prompt is cancelled with a reason when its merchant is suspended or closed, and releases its reservation', async () => {
  const { db } = runtime();
  for (const status of ['suspended', 'closed']) {
    const billId = await newBill('001');
    await db.query({
      text: `UPDATE merchant_profile SET status = '${status}' WHERE merchant_id = (SELECT merchant_id FROM bill WHERE id = '${billId}')`,
    });
    for (const attempt of await claim()) await work(attempt);
    expect((await listAttempts(db, billId))[0]).toMatchObject({ state: 'CANCELLED' });
    expect(await prompts(billId)).toBe(0);
    expect(
      await db.query({ text: "SELECT data->>'reason' AS reason FROM bill_event WHERE bill_id = $1 AND type = 'attempt.cancelled'" }, [
        billId,
      ]),
    ).toEqual([{ reason: 'merchant_inactive' }]);
    expect(await db.query({ text: 'SELECT reserved_amount FROM bill WHERE id = $1' }, [billId])).toEqual([{ reserved_amount: 0n }]);
  }
});

test('a waiting prompt is cancelled with a reason when its bill has expired', async () => {
  const { db } = runtime();
  const billId = await newBill('001');
  await db.query({ text: 'UPDATE bill SET expires_at = created_at WHERE id = $1' }, [billId]);
  for (const attempt of await claim()) await work(attempt);
  expect((await listAttempts(db, billId))[0]).toMatchObject({ state: 'CANCELLED' });
  expect(await prompts(billId)).toBe(0);
  const cancelled = { text: "SELECT data->>'reason' AS reason FROM bill_event WHERE bill_id = $1 AND type = 'attempt.cancelled'" };
  expect(await db.query(cancelled, [billId])).toEqual([{ reason: 'bill_expired' }]);
});

test('work that always fails is repeated with growing delays, and ten failures open a review', async () => {
  const { db } = runtime();
  await db.query({ text: 'UPDATE push_attempt SET due_at = NULL' });
  const billId = await newBill('001');
  await onlyClaimed(billId);
  await db.query(
    { text: "UPDATE push_attempt SET state = 'UNKNOWN', unknown_since = now(), provider_account_id = call_account_id WHERE bill_id = $1" },
    [billId],
  );
  // This worker does not know the provider of the attempt.
  const worker = { ...runtime(), providers: { find: () => undefined } };
  const reviews = () =>
    db.query({ text: 'SELECT kind FROM review r JOIN push_attempt a ON a.id = r.attempt_id WHERE a.bill_id = $1' }, [billId]);
  const pauses: number[] = [];
  for (let failures = 0; failures < 10; failures += 1) {
    expect(await reviews()).toEqual([]);
    const start = runtime().clock().getTime();
    let claimed: ClaimedAttempt[] = [];
    while (claimed.length === 0) {
      runtime().advance(30_000);
      claimed = await claim();
    }
    pauses.push(runtime().clock().getTime() - start);
    for (const attempt of claimed)
      await expect(workAttempt(worker, attempt, new AbortController().signal)).rejects.toThrow('does not have');
  }
  expect(pauses.at(-1)).toBeGreaterThan(60 * MINUTE_MS);
  expect(await reviews()).toEqual([{ kind: 'attempt_unresolved' }]);
});
