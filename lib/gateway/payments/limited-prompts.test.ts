import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { claimAttempts } from '@/lib/gateway/attempts/claim-attempts';
import { workAttempt } from '@/lib/gateway/attempts/work-attempt';
import { listPromptsBefore, lockPromptsTo } from '@/lib/gateway/prompts/prompt-store';
import { type RequestPromptResult, requestPrompt } from '@/lib/gateway/prompts/request-prompt';
import { blockNumber } from '@/lib/gateway/refusals/block-number';
import { addMs, DAY_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { type Mobile, parseMobile, toInternational } from '@/lib/platform/core/mobile';
import { insertAccount } from '@/lib/providers/accounts/account-store';
import { testSandbox } from '@/testing/data/sandbox';
import { makeBill, makeMerchant, TEST_OPERATOR, type TestMerchant, testRuntime } from '@/testing/runtime';
import { explaining } from '@/testing/schema/explain';
import { listAttempts } from './store';

const runtime = testRuntime({ SANDBOX_BASE_URL: 'http://127.0.0.1:9', LIVE_BASE_URL: 'http://127.0.0.1:8', DATABASE_POOL_SIZE: '20' });
const sandbox = testSandbox(runtime);
let merchants: readonly [TestMerchant, TestMerchant];
let made = 0;

beforeAll(async () => {
  // The simulated provider serves both environments here.
  await insertAccount(runtime().db, {
    id: '00000000-0000-7000-8000-00000000a001',
    environment: 'live',
    provider: 'sandbox',
    merchantId: null,
    label: 'live',
    networks: ['vodacom', 'yas', 'airtel', 'halotel', 'ttcl', 'other'],
    encryptedCredentials: null,
    callLimit: 1_000,
    createdAt: runtime().clock(),
  });
  merchants = [await makeMerchant(runtime()), await makeMerchant(runtime())];
});
beforeEach(() => {
  // After two days, the prompts of earlier tests do not count.
  runtime().advance(2 * DAY_MS);
});

/** Returns a new number. Its last digits select the behaviour of the simulated customer. */
function newNumber(ends: string): Mobile {
  made += 1;
  const mobile = parseMobile(`0713${String(made).padStart(3, '0')}${ends}`);
  if (mobile === null) throw new Error('the number is invalid');
  return mobile;
}

interface RequestedBill {
  readonly billId?: string;
  readonly environment?: 'live' | 'sandbox';
  readonly merchant?: number;
}

async function newBill({ environment = 'live', merchant = 0 }: RequestedBill = {}, mobile: string | null = null): Promise<string> {
  return makeBill(runtime(), merchants[merchant % 2 === 0 ? 0 : 1], { environment, mobile });
}

/** Requests a prompt without a form id, so that Bili never takes the request for a repeated one. */
async function request(mobile: Mobile, bill: RequestedBill = {}): Promise<RequestPromptResult> {
  const billId = bill.billId ?? (await newBill(bill));
  return requestPrompt(runtime(), { environment: bill.environment ?? 'live', billId, mobile });
}

const kinds = async (mobile: Mobile, times: number, bill: RequestedBill = {}) => {
  const seen: string[] = [];
  for (let n = 0; n < times; n += 1) seen.push((await request(mobile, { ...bill, merchant: n })).kind);
  return seen;
};

/** Creates bills like a merchant's server. Returns the state or the failure of each attempt. */
async function createMany(mobile: Mobile, times: number, environment: 'live' | 'sandbox' = 'live'): Promise<string[]> {
  const bills: string[] = [];
  for (let n = 0; n < times; n += 1) bills.push(await newBill({ environment, merchant: n }, mobile));
  await Promise.all([sandbox.step(), sandbox.step()]);
  const attempts = await Promise.all(bills.map((billId) => listAttempts(runtime().db, billId)));
  return attempts.flat().map(({ state, failureReason }) => failureReason ?? state);
}

async function countShown(mobile: Mobile): Promise<number> {
  const rows = await runtime().db.query({ text: 'SELECT 1 AS shown FROM sandbox_prompt WHERE mobile = $1' }, [toInternational(mobile)]);
  return rows.length;
}

describe('the payment page', () => {
  test('sends a number three prompts in ten minutes, for bills of all merchants, and another one at the stated time', async () => {
    const mobile = newNumber('005');
    expect(await kinds(mobile, 3)).toEqual(['requested', 'requested', 'requested']);
    const reached = await request(mobile);
    if (reached.kind !== 'too_many') throw new Error(reached.kind);
    expect(reached.limit).toBe('number');
    expect(await request(newNumber('005'))).toMatchObject({ kind: 'requested' });
    await sandbox.step();
    const sent = await request(mobile);
    if (sent.kind !== 'too_many') throw new Error(sent.kind);
    runtime().advance(sent.until.getTime() - runtime().clock().getTime());
    expect(await request(mobile)).toMatchObject({ kind: 'requested' });
  });

  test('does not count prompts that were approved or never shown', async () => {
    const payer = newNumber('001');
    for (let n = 0; n < 4; n += 1) {
      const billId = await newBill();
      expect(await request(payer, { billId })).toMatchObject({ kind: 'requested' });
      await sandbox.settle(billId);
    }
    const stranger = newNumber('006');
    for (let n = 0; n < 4; n += 1) {
      const billId = await newBill();
      expect(await request(stranger, { billId })).toMatchObject({ kind: 'requested' });
      await sandbox.settle(billId);
    }
  });

  test('counts shown prompts even if many later ones were not shown, for example because of a wrong network', async () => {
    const mobile = newNumber('005');
    const billId = await newBill();
    await runtime().db.query(
      {
        text: `INSERT INTO push_attempt (id, merchant_id, environment, bill_id, provider_account_id, mobile, network, amount, our_reference, source,
                 state, failure_reason, created_at, sent_at, settled_at)
               SELECT gen_random_uuid(), merchant_id, environment, id, '00000000-0000-7000-8000-00000000a001', $2, 'vodacom', 100, lpad(n::text, 20, '0'), 'web',
                 (CASE WHEN n <= 3 THEN 'EXPIRED' ELSE 'FAILED' END)::attempt_state, CASE WHEN n > 3 THEN 'mobile_not_registered' END,
                 $3::timestamptz + n * interval '1 millisecond', $3, $3
               FROM bill, generate_series(1, 110) n WHERE id = $1`,
      },
      [billId, mobile, addMs(runtime().clock(), -MINUTE_MS)],
    );
    expect(await request(mobile)).toMatchObject({ kind: 'too_many', limit: 'number' });
  });

  test('sends ten prompts for one bill in ten minutes, to any numbers', async () => {
    const billId = await newBill({ environment: 'sandbox' });
    for (let n = 0; n < 10; n += 1) {
      expect(await request(newNumber('006'), { environment: 'sandbox', billId })).toMatchObject({ kind: 'requested' });
      // Each prompt expires before the next one is requested. It still counts towards the limit, because a phone showed it.
      await runtime().db.query(
        {
          text: `UPDATE push_attempt SET state = 'EXPIRED', sent_at = created_at, settled_at = created_at, due_at = NULL WHERE bill_id = $1 AND state = 'QUEUED'`,
        },
        [billId],
      );
      await runtime().db.query({ text: 'UPDATE bill SET reserved_amount = 0 WHERE id = $1' }, [billId]);
    }
    expect(await request(newNumber('006'), { environment: 'sandbox', billId })).toMatchObject({ kind: 'too_many', limit: 'bill' });
  });

  test('counts the prompts to a number for each bill separately in the sandbox', async () => {
    const mobile = newNumber('002');
    expect(await kinds(mobile, 5, { environment: 'sandbox' })).toEqual(Array.from({ length: 5 }, () => 'requested'));
    const billId = await newBill({ environment: 'sandbox' });
    for (let n = 0; n < 3; n += 1) {
      expect(await request(mobile, { environment: 'sandbox', billId })).toMatchObject({ kind: 'requested' });
      await sandbox.settle(billId);
    }
    expect(await request(mobile, { environment: 'sandbox', billId })).toMatchObject({ kind: 'too_many', limit: 'number' });
  });

  test('sends no more prompts to a number when many bills request one at the same time', async () => {
    const mobile = newNumber('005');
    const bills = await Promise.all(Array.from({ length: 15 }, (_, merchant) => newBill({ merchant })));
    const results = await Promise.all(bills.map((billId) => requestPrompt(runtime(), { environment: 'live', billId, mobile })));
    expect(results.map(({ kind }) => kind).toSorted()).toEqual([
      ...Array.from({ length: 3 }, () => 'requested'),
      ...Array.from({ length: 12 }, () => 'too_many'),
    ]);
    await sandbox.step();
    expect(await countShown(mobile)).toBe(3);
  });
});

describe('the API', () => {
  test('sends six prompts to a number when a merchant creates a hundred bills and two workers run', async () => {
    const mobile = newNumber('005');
    const ended = await createMany(mobile, 100);
    expect(ended.filter((state) => state === 'too_many_prompts')).toHaveLength(94);
    expect(await countShown(mobile)).toBe(6);
    expect(await request(mobile)).toMatchObject({ kind: 'too_many' });
    runtime().advance(11 * MINUTE_MS);
    expect(await createMany(mobile, 1)).toEqual(['AWAITING_CUSTOMER']);
  });

  test('sends twenty prompts to a number in a day, and does not count those that were not sent', async () => {
    const mobile = newNumber('005');
    for (let round = 0; round < 5; round += 1) {
      await createMany(mobile, 7);
      runtime().advance(20 * MINUTE_MS);
    }
    expect(await countShown(mobile)).toBe(20);
  });

  test('leaves a limited bill payable from the page with another number', async () => {
    const mobile = newNumber('005');
    await createMany(mobile, 6);
    const billId = await newBill({}, mobile);
    await sandbox.step();
    expect((await listAttempts(runtime().db, billId)).map(({ failureReason }) => failureReason)).toEqual(['too_many_prompts']);
    expect(await request(newNumber('001'), { billId })).toMatchObject({ kind: 'requested' });
  });

  test('is not limited in the sandbox, which reaches no real phone', async () => {
    expect(new Set(await createMany(newNumber('005'), 30, 'sandbox'))).toEqual(new Set(['AWAITING_CUSTOMER']));
  });
});

describe('a blocked number', () => {
  const block = (mobile: Mobile, environment: 'live' | 'sandbox' = 'live') =>
    blockNumber(runtime(), { environment, mobile, code: null, reason: null, actor: TEST_OPERATOR });

  test('gets no prompt from the page or the API, nor one that was queued before', async () => {
    const mobile = newNumber('005');
    const requestedBill = await newBill();
    expect(await request(mobile, { billId: requestedBill })).toMatchObject({ kind: 'requested' });
    const created = await newBill({}, mobile);
    const [claimed] = await claimAttempts(runtime().db, {
      now: runtime().clock(),
      leaseUntil: addMs(runtime().clock(), MINUTE_MS),
      limit: 1,
    });
    if (!claimed) throw new Error('the attempt was not due');
    expect(await block(mobile)).toMatchObject({ ok: true });
    await workAttempt(sandbox.runtime(), claimed, new AbortController().signal);
    await sandbox.step();
    for (const billId of [requestedBill, created]) {
      expect(await listAttempts(runtime().db, billId)).toMatchObject([{ state: 'FAILED', failureReason: 'number_refused' }]);
    }
    expect(await request(mobile)).toEqual({ kind: 'refused' });
    expect(await countShown(mobile)).toBe(0);
  });

  test('still gets prompts in the other environment', async () => {
    const mobile = newNumber('005');
    await block(mobile, 'sandbox');
    expect(await request(mobile, { environment: 'sandbox' })).toEqual({ kind: 'refused' });
    expect(await request(mobile)).toMatchObject({ kind: 'requested' });
  });
});

test('counting reads few rows when a number has many prompts that were refused', async () => {
  const mobile = newNumber('001');
  const { db } = runtime();
  const billId = await newBill({}, mobile);
  await db.query(
    {
      text: `INSERT INTO push_attempt (id, merchant_id, environment, bill_id, source, mobile, network, amount, our_reference, state, failure_reason, created_at)
             SELECT gen_random_uuid(), merchant_id, environment, id, 'api', CASE WHEN n % 2 = 0 THEN $2 ELSE '0799' || lpad(n::text, 6, '0') END, 'vodacom', 100,
               upper(substr(md5(n::text), 1, 20)), 'FAILED', 'too_many_prompts', $3
             FROM bill, generate_series(1, 20000) n WHERE id = $1`,
    },
    [billId, mobile, runtime().clock()],
  );
  await runtime().owner.query({ text: 'ANALYZE push_attempt' });
  const [attempt] = (await listAttempts(db, billId)).filter(({ state }) => state === 'QUEUED');
  if (!attempt) throw new Error('no attempt is queued');
  const since = addMs(runtime().clock(), -DAY_MS);
  const explained = explaining(db);
  await lockPromptsTo(
    { query: (statement, values) => (statement.text.includes('advisory') ? Promise.resolve([]) : explained.db.query(statement, values)) },
    {
      environment: 'live',
      mobile,
      since,
    },
  );
  await listPromptsBefore(explained.db, attempt.id, since);
  expect(explained.scans.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThan(10);
});
