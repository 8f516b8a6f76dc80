import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addMs, DAY_MS, MINUTE_MS } from '@/lib/core/clock';
import { type Mobile, parseMobile, toInternational } from '@/lib/core/mobile';
import { claimAttempts } from '@/lib/payments/attempts/claim-attempts';
import { workAttempt } from '@/lib/payments/attempts/work-attempt';
import { listPromptsBefore, lockPromptsTo } from '@/lib/payments/prompts/prompt-store';
import { type RequestPromptResult, requestPrompt } from '@/lib/payments/prompts/request-prompt';
import { insertAccount } from '@/lib/providers/accounts/account-store';
import { blockNumber } from '@/lib/refusals/block-number';
import { testSandbox } from '@/lib/testing/data/sandbox';
import { makeBill, makeMerchant, TEST_OPERATOR, type TestMerchant, testRuntime } from '@/lib/testing/runtime';
import { explaining } from '@/lib/testing/schema/explain';
import { listAttempts } from './store';

const runtime = testRuntime({ SANDBOX_BASE_URL: 'http://127.0.0.1:9', LIVE_BASE_URL: 'http://127.0.0.1:8', DATABASE_POOL_SIZE: '20' });
const sandbox = testSandbox(runtime);
let merchants: readonly [TestMerchant, TestMerchant];
let made = 0;

beforeAll(async () => {
  // The simulated provider, for both environments.
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
  // Nothing of an earlier test counts any more.
  runtime().advance(2 * DAY_MS);
});

/** @returns a number of its own that behaves as its end says. */
function newNumber(ends: string): Mobile {
  made += 1;
  const mobile = parseMobile(`0713${String(made).padStart(3, '0')}${ends}`);
  if (mobile === null) throw new Error('that is a number');
  return mobile;
}

interface Asked {
  readonly billId?: string;
  readonly environment?: 'live' | 'sandbox';
  readonly merchant?: number;
}

async function newBill({ environment = 'live', merchant = 0 }: Asked = {}, mobile: string | null = null): Promise<string> {
  return makeBill(runtime(), merchants[merchant % 2 === 0 ? 0 : 1], { environment, mobile });
}

/** Asks with a form that has no number, so as nothing that was asked before. */
async function ask(mobile: Mobile, asked: Asked = {}): Promise<RequestPromptResult> {
  const billId = asked.billId ?? (await newBill(asked));
  return requestPrompt(runtime(), { billId, mobile });
}

const kinds = async (mobile: Mobile, times: number, asked: Asked = {}) => {
  const seen: string[] = [];
  for (let n = 0; n < times; n += 1) seen.push((await ask(mobile, { ...asked, merchant: n })).kind);
  return seen;
};

/** Creates bills as merchants' servers do. @returns what became of each prompt. */
async function createMany(mobile: Mobile, times: number, environment: 'live' | 'sandbox' = 'live'): Promise<string[]> {
  const bills: string[] = [];
  for (let n = 0; n < times; n += 1) bills.push(await newBill({ environment, merchant: n }, mobile));
  await Promise.all([sandbox.step(), sandbox.step()]);
  const attempts = await Promise.all(bills.map((billId) => listAttempts(runtime().db, billId)));
  return attempts.flat().map(({ state, failureReason }) => failureReason ?? state);
}

async function rung(mobile: Mobile): Promise<number> {
  const rows = await runtime().db.query({ text: 'SELECT 1 AS rung FROM sandbox_prompt WHERE mobile = $1' }, [toInternational(mobile)]);
  return rows.length;
}

describe('the payment page', () => {
  test('asks a number three times in ten minutes, over the bills of all merchants, and again when it says', async () => {
    const mobile = newNumber('005');
    expect(await kinds(mobile, 3)).toEqual(['requested', 'requested', 'requested']);
    const reached = await ask(mobile);
    if (reached.kind !== 'too_many') throw new Error(reached.kind);
    expect(reached.limit).toBe('number');
    expect(await ask(newNumber('005'))).toMatchObject({ kind: 'requested' });
    await sandbox.step();
    const sent = await ask(mobile);
    if (sent.kind !== 'too_many') throw new Error(sent.kind);
    runtime().advance(sent.until.getTime() - runtime().clock().getTime());
    expect(await ask(mobile)).toMatchObject({ kind: 'requested' });
  });

  test('does not count what was approved, nor what nobody was asked', async () => {
    const payer = newNumber('001');
    for (let n = 0; n < 4; n += 1) {
      const billId = await newBill();
      expect(await ask(payer, { billId })).toMatchObject({ kind: 'requested' });
      await sandbox.settle(billId);
    }
    const stranger = newNumber('006');
    for (let n = 0; n < 4; n += 1) {
      const billId = await newBill();
      expect(await ask(stranger, { billId })).toMatchObject({ kind: 'requested' });
      await sandbox.settle(billId);
    }
  });

  test('counts what was shown also behind many that were not, such as those to a wrong network', async () => {
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
    expect(await ask(mobile)).toMatchObject({ kind: 'too_many', limit: 'number' });
  });

  test('asks for one bill ten times in ten minutes, whatever the numbers', async () => {
    const billId = await newBill({ environment: 'sandbox' });
    for (let n = 0; n < 10; n += 1) {
      expect(await ask(newNumber('006'), { billId })).toMatchObject({ kind: 'requested' });
      // Each is open for no longer than it takes to ask the next one, but was on a phone.
      await runtime().db.query(
        {
          text: `UPDATE push_attempt SET state = 'EXPIRED', sent_at = created_at, settled_at = created_at, due_at = NULL WHERE bill_id = $1 AND state = 'QUEUED'`,
        },
        [billId],
      );
      await runtime().db.query({ text: 'UPDATE bill SET reserved_amount = 0 WHERE id = $1' }, [billId]);
    }
    expect(await ask(newNumber('006'), { billId })).toMatchObject({ kind: 'too_many', limit: 'bill' });
  });

  test('in the sandbox counts a number for each bill by itself', async () => {
    const mobile = newNumber('002');
    expect(await kinds(mobile, 5, { environment: 'sandbox' })).toEqual(Array.from({ length: 5 }, () => 'requested'));
    const billId = await newBill({ environment: 'sandbox' });
    for (let n = 0; n < 3; n += 1) {
      expect(await ask(mobile, { billId })).toMatchObject({ kind: 'requested' });
      await sandbox.settle(billId);
    }
    expect(await ask(mobile, { billId })).toMatchObject({ kind: 'too_many', limit: 'number' });
  });

  test('many bills that ask for one number at once make no more prompts than one after the other', async () => {
    const mobile = newNumber('005');
    const bills = await Promise.all(Array.from({ length: 15 }, (_, merchant) => newBill({ merchant })));
    const asked = await Promise.all(bills.map((billId) => requestPrompt(runtime(), { billId, mobile })));
    expect(asked.map(({ kind }) => kind).toSorted()).toEqual([
      ...Array.from({ length: 3 }, () => 'requested'),
      ...Array.from({ length: 12 }, () => 'too_many'),
    ]);
    await sandbox.step();
    expect(await rung(mobile)).toBe(3);
  });
});

describe('the API', () => {
  test('a merchant whose server asks a hundred times rings a phone six times, two workers or not', async () => {
    const mobile = newNumber('005');
    const ended = await createMany(mobile, 100);
    expect(ended.filter((state) => state === 'too_many_prompts')).toHaveLength(94);
    expect(await rung(mobile)).toBe(6);
    expect(await ask(mobile)).toMatchObject({ kind: 'too_many' });
    runtime().advance(11 * MINUTE_MS);
    expect(await createMany(mobile, 1)).toEqual(['AWAITING_CUSTOMER']);
  });

  test('a day holds twenty, and what was not sent does not count', async () => {
    const mobile = newNumber('005');
    for (let round = 0; round < 5; round += 1) {
      await createMany(mobile, 7);
      runtime().advance(20 * MINUTE_MS);
    }
    expect(await rung(mobile)).toBe(20);
  });

  test('its bill can be paid from the page with another number', async () => {
    const mobile = newNumber('005');
    await createMany(mobile, 6);
    const billId = await newBill({}, mobile);
    await sandbox.step();
    expect((await listAttempts(runtime().db, billId)).map(({ failureReason }) => failureReason)).toEqual(['too_many_prompts']);
    expect(await ask(newNumber('001'), { billId })).toMatchObject({ kind: 'requested' });
  });

  test('in the sandbox is not limited, for there no phone rings', async () => {
    expect(new Set(await createMany(newNumber('005'), 30, 'sandbox'))).toEqual(new Set(['AWAITING_CUSTOMER']));
  });
});

describe('a number whose owner refuses', () => {
  const block = (mobile: Mobile, environment: 'live' | 'sandbox' = 'live') =>
    blockNumber(runtime(), { environment, mobile, code: null, reason: null, actor: TEST_OPERATOR });

  test('is prompted neither from the page nor by the API, nor by what was queued before', async () => {
    const mobile = newNumber('005');
    const asked = await newBill();
    expect(await ask(mobile, { billId: asked })).toMatchObject({ kind: 'requested' });
    const created = await newBill({}, mobile);
    const [claimed] = await claimAttempts(runtime().db, {
      now: runtime().clock(),
      leaseUntil: addMs(runtime().clock(), MINUTE_MS),
      limit: 1,
    });
    if (!claimed) throw new Error('it was not due');
    expect(await block(mobile)).toMatchObject({ ok: true });
    await workAttempt(sandbox.runtime(), claimed, new AbortController().signal);
    await sandbox.step();
    for (const billId of [asked, created]) {
      expect(await listAttempts(runtime().db, billId)).toMatchObject([{ state: 'FAILED', failureReason: 'number_refused' }]);
    }
    expect(await ask(mobile)).toEqual({ kind: 'refused' });
    expect(await rung(mobile)).toBe(0);
  });

  test('is prompted in the other environment', async () => {
    const mobile = newNumber('005');
    await block(mobile, 'sandbox');
    expect(await ask(mobile, { environment: 'sandbox' })).toEqual({ kind: 'refused' });
    expect(await ask(mobile)).toMatchObject({ kind: 'requested' });
  });
});

test('counting reads the prompts of one number, however many there are and were turned away', async () => {
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
  await db.query({ text: 'ANALYZE push_attempt' });
  const [attempt] = (await listAttempts(db, billId)).filter(({ state }) => state === 'QUEUED');
  if (!attempt) throw new Error('it is queued');
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
