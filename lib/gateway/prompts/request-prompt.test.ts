import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listAttempts } from '@/lib/gateway/payments/store';
import { blockNumber } from '@/lib/gateway/refusals/block-number';
import { updateProfile } from '@/lib/identity/merchants/store';
import { MINUTE_MS } from '@/lib/platform/core/clock';
import { type Mobile, parseMobile } from '@/lib/platform/core/mobile';
import { testSandbox } from '@/testing/data/sandbox';
import { makeBill, makeMerchant, TEST_OPERATOR, type TestMerchant, testRuntime } from '@/testing/runtime';
import { newFormId, type RequestPromptOptions, readFormId, requestPrompt } from './request-prompt';

const runtime = testRuntime({ DATABASE_POOL_SIZE: '20' });
const sandbox = testSandbox(runtime);
const RIGHT = mobile('0712345005');
/** A wrong guess of RIGHT with the same last digits, so that both numbers look the same when they are masked. */
const WRONG = mobile('0713999005');
let merchant: TestMerchant;
let billId: string;

beforeAll(async () => {
  merchant = await makeMerchant(runtime());
});
beforeEach(async () => {
  await updateProfile(runtime().db, merchant.scope('sandbox'), { partialPayments: true, status: 'active' });
  billId = await makeBill(runtime(), merchant, { amount: 5_000 });
});

function mobile(number: string): Mobile {
  const parsed = parseMobile(number);
  if (parsed === null) throw new Error(`${number} is not a valid number`);
  return parsed;
}

const newForm = () => newFormId(runtime().random);
const request = (number: Mobile, options: Partial<RequestPromptOptions> = {}) =>
  requestPrompt(runtime(), { environment: 'sandbox', billId, mobile: number, formId: newForm(), ...options });
const attempts = () => listAttempts(runtime().db, billId);
const count = async () => (await attempts()).length;

test('a bill of the other environment, or one that does not exist, is not found and gets no prompt', async () => {
  expect(await request(RIGHT, { environment: 'live' })).toEqual({ kind: 'not_found' });
  expect(await request(RIGHT, { billId: crypto.randomUUID() })).toEqual({ kind: 'not_found' });
  expect(await request(RIGHT, { billId: 'no-id' })).toEqual({ kind: 'not_found' });
  expect(await count()).toBe(0);
});

describe('a form', () => {
  test('that is submitted twenty times at once sends one prompt', async () => {
    const formId = newForm();
    const results = await Promise.all(Array.from({ length: 20 }, () => request(RIGHT, { formId, amount: 100_000n })));
    expect(results.map(({ kind }) => kind).toSorted()).toEqual([...Array.from({ length: 19 }, () => 'repeated'), 'requested']);
    expect(new Set(results.map((one) => 'attemptId' in one && one.attemptId)).size).toBe(1);
  });

  test('is still recognised a day later, with any outcome of its prompt and any other values', async () => {
    const formId = newForm();
    const first = await request(RIGHT, { formId, amount: 500_000n });
    await runtime().db.query({ text: "UPDATE push_attempt SET state = 'EXPIRED', due_at = NULL WHERE bill_id = $1" }, [billId]);
    await runtime().db.query({ text: 'UPDATE bill SET closed_at = now(), reserved_amount = 0 WHERE id = $1' }, [billId]);
    runtime().advance(24 * 60 * MINUTE_MS);
    expect(await request(RIGHT, { formId, amount: 'unreadable' })).toEqual({ ...first, kind: 'repeated' });
  });

  test('with another number is a correction, not a repetition', async () => {
    const formId = newForm();
    expect(await request(RIGHT, { formId, amount: 100_000n })).toMatchObject({ kind: 'requested' });
    expect(await request(WRONG, { formId, amount: 100_000n })).toMatchObject({ kind: 'requested' });
  });

  test('is recognised only for its own bill, and a form without an id is never a repetition', async () => {
    const formId = newForm();
    await request(RIGHT, { formId, amount: 500_000n });
    const other = await makeBill(runtime(), merchant, { amount: 5_000 });
    expect(await request(RIGHT, { formId, amount: 500_000n, billId: other })).toMatchObject({ kind: 'requested' });
    for (let n = 0; n < 2; n += 1) {
      await sandbox.settle(billId);
      expect(await request(RIGHT, { formId: null, amount: 500_000n })).toMatchObject({ kind: 'requested' });
    }
  });

  test('has an id of 22 letters, digits, dashes and underscores; other values are ignored', () => {
    expect(readFormId(newForm())).toMatch(/^[\w-]{22}$/);
    for (const sent of [null, '', 'x'.repeat(21), 'x'.repeat(23), `${'x'.repeat(21)}+`, `${'x'.repeat(22)}\n`, '\0'.repeat(22)])
      expect(readFormId(sent)).toBeNull();
  });
});

describe('a stranger who guesses the number of an open attempt', () => {
  /** Returns the answers to a wrong and a right guess, and checks that neither has queued a prompt. */
  async function guesses(options: Partial<RequestPromptOptions> = {}) {
    const before = await count();
    const answers = [await request(WRONG, options), await request(RIGHT, options)];
    expect(await count()).toBe(before);
    return answers;
  }
  const sameAnswers = (answer: object) => [answer, answer];

  test('learns nothing from invalid amounts, unserved networks or wallet limits', async () => {
    await request(RIGHT, { amount: 100_000n });
    for (const [amount, problem] of [
      [1n, 'amountTooSmall'],
      [400_100n, 'amountTooLarge'],
      [380_000n, 'amountLeavesTooLittle'],
      ['unreadable', 'amountInvalid'],
      [null, 'amountInvalid'],
    ] as const)
      expect(await guesses({ amount })).toEqual(sameAnswers({ kind: 'amount_wrong', problem, payable: 400_000n }));
    const large = await makeBill(runtime(), merchant, { amount: 9_000_000 });
    await request(RIGHT, { billId: large, amount: 100_000n });
    const airtel = { billId: large, amount: 600_000_000n, chosenNetwork: 'airtel' } as const;
    expect(await guesses(airtel)).toEqual(sameAnswers({ kind: 'above_wallet', network: 'airtel' }));
    await runtime().db.query({ text: "UPDATE provider_account SET networks = array_remove(networks, 'airtel')" });
    const unserved = { billId: large, amount: 100_000n, chosenNetwork: 'airtel' } as const;
    expect(await guesses(unserved)).toEqual(sameAnswers({ kind: 'not_served', network: 'airtel' }));
    await runtime().db.query({ text: "UPDATE provider_account SET networks = array_append(networks, 'airtel')" });
  });

  test('learns nothing if everything is reserved, the bill is closed or the merchant is suspended', async () => {
    await request(RIGHT, { amount: 500_000n });
    expect(await guesses()).toEqual(sameAnswers({ kind: 'all_asked' }));
    await updateProfile(runtime().db, merchant.scope('sandbox'), { status: 'suspended' });
    expect(await guesses()).toEqual(sameAnswers({ kind: 'inactive' }));
    await runtime().db.query({ text: 'UPDATE bill SET closed_at = now() WHERE id = $1' }, [billId]);
    expect(await guesses()).toEqual(sameAnswers({ kind: 'closed' }));
  });

  test("has as many guesses as the limit of the bill allows; prompts to numbers without a wallet count, the API's do not", async () => {
    billId = await makeBill(runtime(), merchant, { amount: 9_000, mobile: RIGHT });
    await runtime().db.query({ text: 'UPDATE push_attempt SET amount = 100000 WHERE bill_id = $1' }, [billId]);
    await runtime().db.query({ text: 'UPDATE bill SET reserved_amount = 100000 WHERE id = $1' }, [billId]);
    for (let n = 0; n < 10; n += 1) {
      expect(await request(mobile(`071300${n}006`), { amount: 50_000n })).toMatchObject({ kind: 'requested' });
    }
    await sandbox.step();
    expect((await attempts()).filter(({ failureReason }) => failureReason === 'mobile_not_registered')).toHaveLength(10);
    const [first] = await guesses({ amount: 50_000n });
    expect(first).toMatchObject({ kind: 'too_many', limit: 'bill', until: expect.any(Date) });
    expect(await guesses({ amount: 50_000n })).toEqual(sameAnswers(first ?? {}));
    await blockNumber(runtime(), { environment: 'sandbox', mobile: RIGHT, code: null, reason: null, actor: TEST_OPERATOR });
    expect(await guesses({ amount: 50_000n })).toEqual(sameAnswers(first ?? {}));
  });

  test('learns the number only if a wrong guess sends a prompt', async () => {
    const number = mobile('0712777005');
    const first = await request(number, { amount: 100_000n });
    expect(await request(number, { amount: 100_000n })).toEqual({ ...first, kind: 'already_open' });
    expect(await request(WRONG, { amount: 100_000n })).toMatchObject({ kind: 'requested' });
  });
});
