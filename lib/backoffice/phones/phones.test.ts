import { expect, test } from 'vitest';
import { listAttempts } from '@/lib/gateway/payments/store';
import { addMs, DAY_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { joinAs } from '@/testing/data/access';
import { testSandbox } from '@/testing/data/sandbox';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { operatePhone, type PhoneUse } from './operate-phone';
import { endPhoneLinks, readPhoneToken, signPhonePath } from './phone-link';
import { showPhones } from './show-phones';

const runtime = testRuntime({ SANDBOX_BASE_URL: 'http://127.0.0.1:9' });
const sandbox = testSandbox(runtime);
/** The simulator approves prompts to this number after a second, if no test phone receives them. */
const MOBILE = '0754345001';

const visitOf = (merchant: TestMerchant) => ({ scope: merchant.scope('sandbox'), merchantName: 'Duka' });
const look = async (merchant: TestMerchant, mobile = MOBILE) => {
  const [phone] = await showPhones(runtime(), visitOf(merchant), [mobile]);
  if (!phone) throw new Error('there is a phone');
  return phone;
};

/** Sends a prompt to a merchant's test phone. Returns the bill and the reference of the prompt. */
async function ring(merchant: TestMerchant) {
  await look(merchant);
  const billId = await makeBill(runtime(), merchant, { amount: 5_000, mobile: MOBILE });
  await sandbox.step();
  return { billId, reference: (await look(merchant)).ringing?.reference ?? '' };
}

async function ending(merchant: TestMerchant, billId: string) {
  await sandbox.settle(billId);
  const [attempt] = await listAttempts(runtime().db, billId);
  return { state: attempt?.state, reason: attempt?.failureReason, shown: (await look(merchant)).past[0]?.status };
}

const ANSWERS: readonly [string, (reference: string) => PhoneUse, object][] = [
  ['a PIN', (reference) => ({ kind: 'answer', reference, pin: '1234' }), { state: 'SUCCEEDED', reason: null, shown: 'PAID' }],
  [
    'a wrong PIN',
    (reference) => ({ kind: 'answer', reference, pin: '0000' }),
    { state: 'FAILED', reason: 'wrong_pin', shown: 'WRONG_PIN' },
  ],
  ['Cancel', (reference) => ({ kind: 'decline', reference }), { state: 'FAILED', reason: 'user_cancelled', shown: 'DECLINED' }],
];

test.each(ANSWERS)('a prompt rings on the open phone, and %s decides', async (_, answer, expected) => {
  const merchant = await makeMerchant(runtime());
  const { billId, reference } = await ring(merchant);
  runtime().advance(5 * SECOND_MS);
  expect((await look(merchant)).ringing?.reference).toBe(reference);
  expect(await operatePhone(runtime(), visitOf(merchant), answer(reference))).toBe(true);
  expect(await operatePhone(runtime(), visitOf(merchant), { kind: 'decline', reference })).toBe(false);
  expect(await ending(merchant, billId)).toEqual(expected);
});

test('an empty wallet cannot pay, and a phone that is off misses its prompts', async () => {
  const merchant = await makeMerchant(runtime());
  const first = await ring(merchant);
  const change = { kind: 'switch', mobile: MOBILE, isOn: null, hasMoney: false } as const;
  await operatePhone(runtime(), visitOf(merchant), change);
  await operatePhone(runtime(), visitOf(merchant), { kind: 'answer', reference: first.reference, pin: '1234' });
  expect(await ending(merchant, first.billId)).toMatchObject({ reason: 'insufficient_funds' });
  await operatePhone(runtime(), visitOf(merchant), { ...change, isOn: false });
  const second = await ring(merchant);
  expect(second.reference).toBe('');
  runtime().advance(60 * SECOND_MS);
  await look(merchant);
  expect(await ending(merchant, second.billId)).toMatchObject({ state: 'EXPIRED', shown: 'EXPIRED' });
});

test("another merchant's phone with the same number neither rings nor answers", async () => {
  const [merchant, other] = [await makeMerchant(runtime()), await makeMerchant(runtime())];
  await look(other);
  const { billId, reference } = await ring(merchant);
  expect(await look(other)).toMatchObject({ ringing: null, past: [] });
  expect(await operatePhone(runtime(), visitOf(other), { kind: 'answer', reference, pin: '1234' })).toBe(false);
  await operatePhone(runtime(), visitOf(merchant), { kind: 'decline', reference });
  expect(await ending(merchant, billId)).toMatchObject({ state: 'FAILED' });
  expect((await look(other)).past).toEqual([]);
});

test('a number whose page is closed, or was left alone, is answered as the test numbers say', async () => {
  const merchant = await makeMerchant(runtime());
  for (const close of [
    async () => {
      await operatePhone(runtime(), visitOf(merchant), { kind: 'close', mobiles: [MOBILE] });
      runtime().advance(4 * SECOND_MS);
    },
    () => runtime().advance(91_000),
  ]) {
    await look(merchant);
    await close();
    const billId = await makeBill(runtime(), merchant, { amount: 5_000, mobile: MOBILE });
    await sandbox.settle(billId);
    expect((await listAttempts(runtime().db, billId))[0]?.state).toBe('SUCCEEDED');
    expect((await look(merchant)).past).toEqual([]);
  }
});

test('a phone still rings while a page is loaded again, which closes it and shows it again', async () => {
  const merchant = await makeMerchant(runtime());
  await look(merchant);
  await operatePhone(runtime(), visitOf(merchant), { kind: 'close', mobiles: [MOBILE] });
  const billId = await makeBill(runtime(), merchant, { amount: 5_000, mobile: MOBILE });
  await sandbox.step();
  const { ringing } = await look(merchant);
  expect(ringing).not.toBeNull();
  runtime().advance(10 * SECOND_MS);
  await operatePhone(runtime(), visitOf(merchant), { kind: 'decline', reference: ringing?.reference ?? '' });
  expect(await ending(merchant, billId)).toMatchObject({ reason: 'user_cancelled' });
});

test('a text that is no reference answers nothing', async () => {
  const merchant = await makeMerchant(runtime());
  for (const reference of ['', '\u0000', 'ABCDEFGHIJKLMNOPQRS\u0000'])
    expect(await operatePhone(runtime(), visitOf(merchant), { kind: 'decline', reference })).toBe(false);
});

test('a PIN has four digits', async () => {
  const merchant = await makeMerchant(runtime());
  const { reference } = await ring(merchant);
  for (const pin of ['', '123', '12345', '12a4'])
    expect(await operatePhone(runtime(), visitOf(merchant), { kind: 'answer', reference, pin })).toBe(false);
  expect((await look(merchant)).ringing?.reference).toBe(reference);
});

test('a link belongs to one merchant, expires, and can be ended', async () => {
  const [merchant, other] = [await makeMerchant(runtime()), await makeMerchant(runtime())];
  const tokenOf = async ({ merchant: { id } }: TestMerchant) => (await signPhonePath(runtime(), id)).replace('/phone/', '');
  const token = await tokenOf(merchant);
  expect((await readPhoneToken(runtime(), token))?.scope).toEqual(merchant.scope('sandbox'));
  for (const end of ['.', ')', '%E2%80%8B']) expect(await readPhoneToken(runtime(), token + end)).not.toBeNull();
  const [, expires, signed] = token.split('.');
  const [stranger] = (await tokenOf(other)).split('.');
  for (const forged of [`${stranger}.${expires}.${signed}`, `${token.slice(0, -1)}~`, token.replace(`.${expires}.`, '.zzzzzz9.'), ''])
    expect(await readPhoneToken(runtime(), forged)).toBeNull();
  expect(await readPhoneToken({ ...runtime(), clock: () => addMs(runtime().clock(), 31 * DAY_MS) }, token)).toBeNull();
  await endPhoneLinks(runtime(), await joinAs(runtime(), merchant, 'owner', 'sandbox'));
  expect(await readPhoneToken(runtime(), token)).toBeNull();
  expect(await readPhoneToken(runtime(), await tokenOf(merchant))).not.toBeNull();
});
