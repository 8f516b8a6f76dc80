import { beforeAll, expect, test } from 'vitest';
import { listEventRows } from '@/lib/backoffice/bill-page/timeline-store';
import { listAttempts } from '@/lib/gateway/payments/store';
import { blockNumber } from '@/lib/gateway/refusals/block-number';
import type { MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { updateProfile } from '@/lib/identity/merchants/store';
import { DAY_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { type Mobile, parseMobile } from '@/lib/platform/core/mobile';
import { joinAs } from '@/testing/data/access';
import { testSandbox } from '@/testing/data/sandbox';
import { makeBill, makeMerchant, TEST_OPERATOR, type TestMerchant, testRuntime } from '@/testing/runtime';
import { promptAgain } from './prompt-again';

const runtime = testRuntime({ SANDBOX_BASE_URL: 'http://127.0.0.1:9', DATABASE_POOL_SIZE: '20' });
const sandbox = testSandbox(runtime);
let merchant: TestMerchant;
let admin: MerchantAccess;

beforeAll(async () => {
  merchant = await makeMerchant(runtime());
  admin = await joinAs(runtime(), merchant, 'admin');
});

const newBill = (amount = 5_000) => makeBill(runtime(), merchant, { amount });

interface PromptValues {
  readonly access?: MerchantAccess;
  readonly network?: string;
  readonly amount?: string | null;
  readonly formId?: string;
}

const request = (
  billId: string,
  mobile: string,
  { access = admin, network = '', amount = null, formId = crypto.randomUUID() }: PromptValues = {},
) => promptAgain(runtime(), access, { billId, mobile, network, amount, formId });

function number(text: string): Mobile {
  const mobile = parseMobile(text);
  if (mobile === null) throw new Error(`${text} is not a valid number`);
  return mobile;
}

test('a prompt is queued for the remaining amount, and the history and the audit log name the member', async () => {
  const billId = await newBill();
  const queuedId = await request(billId, ' +255 (0) 712 345 001 ', { network: 'airtel' });
  const [attempt] = await listAttempts(runtime().db, billId);
  expect(queuedId).toEqual({ ok: true, value: attempt?.id });
  expect(attempt).toMatchObject({ mobile: '0712345001', network: 'airtel', amount: 500_000n, state: 'QUEUED' });
  const [, queued] = await listEventRows(runtime().db, admin.scope, billId);
  expect(queued).toMatchObject({ type: 'attempt.queued', source: 'dashboard', by: `user:${admin.user.email}`, attemptId: attempt?.id });
  expect(await runtime().db.prisma.auditEntry.findFirst({ where: { subject: attempt?.id ?? '' } })).toMatchObject({
    action: 'attempt.requested',
    data: { bill: billId, network: 'airtel', amount: '500000' },
  });
  await sandbox.settle(billId);
  expect(await request(billId, '0712345001')).toMatchObject({ error: { kind: 'nothing_left' } });
});

test('a form that is submitted many times at once sends one prompt', async () => {
  const billId = await newBill();
  const formId = crypto.randomUUID();
  const result = await Promise.all(Array.from({ length: 20 }, () => request(billId, '0712345005', { formId })));
  const attempts = await listAttempts(runtime().db, billId);
  expect(attempts).toHaveLength(1);
  expect(new Set(result.map((one) => (one.ok ? one.value : one.error.kind)))).toEqual(new Set([attempts[0]?.id]));
});

test('forms of several members at once never request more than is left, nor two prompts for one number', async () => {
  const billId = await newBill();
  const result = await Promise.all(['0712345005', '0712345005', '0754345005', '0784345005'].map((mobile) => request(billId, mobile)));
  expect(result.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await listAttempts(runtime().db, billId)).toHaveLength(1);
});

test('a number with an open attempt gets no second prompt, but another number can get one for the remaining amount', async () => {
  const billId = await newBill();
  await updateProfile(runtime().db, admin.scope, { partialPayments: true });
  expect(await request(billId, '0712345005', { amount: '2,000' })).toMatchObject({ ok: true });
  expect(await request(billId, '0712345005')).toMatchObject({ error: { kind: 'already_open' } });
  expect(await request(billId, '0754345005', { amount: '4,000' })).toMatchObject({
    error: { kind: 'amount_wrong', problem: 'amountTooLarge' },
  });
  expect(await request(billId, '0754345005', { amount: '2,700' })).toMatchObject({ error: { problem: 'amountLeavesTooLittle' } });
  expect(await request(billId, '0754345005', { amount: 'elfu' })).toMatchObject({ error: { problem: 'amountInvalid' } });
  expect(await request(billId, '0754345005', { amount: '3,000' })).toMatchObject({ ok: true });
  expect(await request(billId, '0784345005')).toMatchObject({ error: { kind: 'all_asked' } });
  await updateProfile(runtime().db, admin.scope, { partialPayments: false });
  expect((await listAttempts(runtime().db, billId)).map(({ amount }) => amount)).toEqual([200_000n, 300_000n]);
});

test('an amount from an old form is rejected if the merchant allows no part payments any more', async () => {
  expect(await request(await newBill(), '0712345005', { amount: '2,000' })).toMatchObject({ error: { problem: 'amountNoLonger' } });
});

test('a blocked number gets no prompt', async () => {
  await blockNumber(runtime(), {
    environment: 'sandbox',
    mobile: number('0712999005'),
    code: null,
    reason: 'asked us',
    actor: TEST_OPERATOR,
  });
  expect(await request(await newBill(), '0712999005')).toMatchObject({ error: { kind: 'refused' } });
});

test('the limits of a number are those of the API', async () => {
  const billId = await newBill();
  const refused = async () => {
    const result = await request(billId, '0712345002');
    if (result.ok) await sandbox.settle(billId);
    return result;
  };
  for (let times = 0; times < 6; times += 1) expect(await refused()).toMatchObject({ ok: true });
  expect(await refused()).toMatchObject({ error: { kind: 'too_many', until: expect.any(Date) } });
  runtime().advance(11 * MINUTE_MS);
  expect(await refused()).toMatchObject({ ok: true });
  runtime().advance(DAY_MS);
});

test('invalid or impossible values are rejected with a reason', async () => {
  const billId = await newBill();
  expect(await request(billId, '12')).toMatchObject({ error: { kind: 'mobile_invalid' } });
  expect(await request(billId, '0712345005', { network: 'tigo' })).toMatchObject({ error: { kind: 'network_invalid' } });
  expect(await request(billId, '0712345005', { formId: 'x' })).toMatchObject({ error: { kind: 'form_invalid' } });
  const large = await newBill(6_000_000);
  expect(await request(large, '0712345005', { network: 'airtel', amount: '6000000' })).toMatchObject({
    error: { kind: 'above_wallet', network: 'airtel' },
  });
  await runtime().db.query({ text: "UPDATE merchant_profile SET status = 'suspended' WHERE merchant_id = $1" }, [admin.scope.merchantId]);
  expect(await request(billId, '0712345005')).toMatchObject({ error: { kind: 'inactive' } });
  await runtime().db.query({ text: "UPDATE merchant_profile SET status = 'active' WHERE merchant_id = $1" }, [admin.scope.merchantId]);
});

test("a viewer is rejected, and a collector who did not create the bill and another merchant's member do not find it", async () => {
  const billId = await newBill();
  const viewer = await joinAs(runtime(), merchant, 'viewer');
  expect(await request(billId, '0712345005', { access: viewer })).toMatchObject({ error: { kind: 'not_allowed' } });
  const collector = await joinAs(runtime(), merchant, 'collector');
  expect(await request(billId, '0712345005', { access: collector })).toMatchObject({ error: { kind: 'not_found' } });
  const stranger = await joinAs(runtime(), await makeMerchant(runtime()), 'owner');
  expect(await request(billId, '0712345005', { access: stranger })).toMatchObject({ error: { kind: 'not_found' } });
  expect(await listAttempts(runtime().db, billId)).toEqual([]);
});
