import { expect, test } from 'vitest';
import { findBillByLink } from '@/lib/gateway/bills/linked-bill';
import { correctPayment } from '@/lib/gateway/ledger/correct-payment';
import { firstKeys } from '@/lib/platform/config/secrets';
import { parseShortCode } from '@/lib/platform/core/ids';
import { pay } from '@/testing/data/paying';
import { makeBill, makeMerchant, TEST_OPERATOR, testRuntime } from '@/testing/runtime';
import { groupCode, receiptCodes } from './rules';
import { showReceipt } from './show-receipt';
import { verifyReceipt } from './verify-receipt';

const runtime = testRuntime();
const UNKNOWN = { kind: 'unknown' };
const verify = (typed: string, environment: 'live' | 'sandbox' = 'sandbox') => verifyReceipt(runtime(), environment, typed);

async function findBill(id: string) {
  const bill = await findBillByLink(runtime().db, 'sandbox', id);
  if (!bill) throw new Error('the bill does not exist');
  return bill;
}

async function receiptOf(billId: string) {
  const receipt = await showReceipt(runtime(), await findBill(billId));
  if (!receipt) throw new Error('nothing is paid');
  return receipt;
}

async function paidBill(...parts: readonly bigint[]): Promise<string> {
  const billId = await makeBill(runtime(), await makeMerchant(runtime(), 'Duka <b>&'), { amount: 5000, reference: 'AGIZO-7' });
  for (const part of parts) await pay(runtime(), billId, part);
  return billId;
}

const insertCode = (code: string, billId: string) =>
  runtime().db.query(
    {
      text: 'INSERT INTO receipt (code, merchant_id, environment, bill_id, created_at) SELECT $1, merchant_id, environment, id, now() FROM bill WHERE id = $2',
    },
    [code, billId],
  );

test('a receipt is genuine in each notation of its code, and shows the current state of the bill', async () => {
  const billId = await paidBill(200_000n, 300_000n);
  const { code, payments } = await receiptOf(billId);
  for (const typed of [code, code.toLowerCase(), code.replaceAll('-', ' '), code.replaceAll('0', 'o').replaceAll('1', 'l')]) {
    expect(await verify(typed)).toMatchObject({
      kind: 'genuine',
      receipt: {
        code,
        environment: 'sandbox',
        merchant: { merchantName: 'Duka <b>&', brandColour: null, logoHash: null },
        reference: 'AGIZO-7',
        amount: 500_000n,
        paidAmount: 500_000n,
        remaining: 0n,
        status: 'paid',
        payments: payments.map(({ transactionId, received }) => ({ receiptNumber: `…${transactionId.slice(-4)}`, received, reversed: 0n })),
      },
    });
  }
});

test('an unpaid bill has no receipt, and its possible codes are unknown', async () => {
  const bill = await findBill(await paidBill());
  expect(await showReceipt(runtime(), bill)).toBeUndefined();
  for (const code of receiptCodes(runtime().secrets.key('receipt'), bill)) expect(await verify(code)).toEqual(UNKNOWN);
});

test('a mistyped code and a code of the other environment are unknown, and other text is malformed', async () => {
  const { code } = await receiptOf(await paidBill(500_000n));
  const mistyped = code.slice(0, -1) + (code.endsWith('2') ? '3' : '2');
  expect(await verify(mistyped)).toEqual(UNKNOWN);
  expect(await verify(code, 'live')).toEqual(UNKNOWN);
  expect(await verify(code.slice(1))).toEqual({ kind: 'malformed' });
  expect(await verify("' OR 1=1 --\0")).toEqual({ kind: 'malformed' });
});

test('a code with a wrong signature is unknown, even if the database contains it', async () => {
  const billId = await paidBill(500_000n);
  const foreignKey = firstKeys(Buffer.alloc(32, 9).toString('base64')).get('receipt') ?? Buffer.alloc(32);
  const foreign = receiptCodes(foreignKey, await findBill(billId))[0] ?? '';
  for (const forged of [foreign, 'FAKEFAKEFAKE']) {
    expect(await verify(forged)).toEqual(UNKNOWN);
    await insertCode(forged, billId);
    expect(await verify(forged)).toEqual(UNKNOWN);
  }
});

test('if another bill already has the code, the bill gets its next one', async () => {
  const [earlier, later] = [await paidBill(500_000n), await paidBill(400_000n)];
  const [taken = '', next = ''] = receiptCodes(runtime().secrets.key('receipt'), await findBill(later));
  await insertCode(taken, earlier);
  expect((await receiptOf(later)).code).toBe(groupCode(next));
  expect(await verify(next)).toMatchObject({ kind: 'genuine', receipt: { status: 'part', remaining: 100_000n } });
});

test('parallel first calls create one code and one row', async () => {
  const billId = await paidBill(500_000n);
  const codes = (await Promise.all(Array.from({ length: 12 }, () => receiptOf(billId)))).map(({ code }) => code);
  expect(new Set(codes).size).toBe(1);
  const rows = await runtime().db.query({ text: 'SELECT code FROM receipt WHERE bill_id = $1' }, [billId]);
  expect(rows).toEqual([{ code: parseShortCode(codes[0] ?? '') }]);
});

test('shows reversed payments and the part that is left', async () => {
  const billId = await paidBill(200_000n, 300_000n);
  const { code } = await receiptOf(billId);
  await pay(runtime(), billId, -300_000n);
  expect(await verify(code)).toMatchObject({
    receipt: { status: 'backAndPart', paidAmount: 200_000n, remaining: 300_000n, payments: [{ reversed: 0n }, { reversed: 300_000n }] },
  });
  expect((await receiptOf(billId)).payments).toHaveLength(1);
  expect(await verify(code)).toMatchObject({ receipt: { returns: [{ amount: 300_000n, returnedAt: expect.any(Date) }] } });
  await pay(runtime(), billId, -200_000n);
  expect(await verify(code)).toMatchObject({
    kind: 'genuine',
    receipt: {
      status: 'back',
      paidAmount: 0n,
      remaining: 500_000n,
      payments: [{ received: 200_000n, reversed: 200_000n }, { reversed: 300_000n }],
    },
  });
});

test('does not show a correction as a reversal', async () => {
  const billId = await paidBill(500_000n);
  const { code } = await receiptOf(billId);
  const [payment] = await runtime().db.query<{ id: string }>(
    { text: 'SELECT payment_id AS id FROM payment_allocation WHERE bill_id = $1' },
    [billId],
  );
  const correct = (to: bigint) =>
    correctPayment(runtime(), { entryId: payment?.id ?? '', to, reason: 'typed wrong', actor: TEST_OPERATOR, reviewId: null });
  expect(await correct(200_000n)).toMatchObject({ ok: true });
  expect(await verify(code)).toMatchObject({
    receipt: { status: 'part', paidAmount: 200_000n, payments: [{ received: 200_000n, reversed: 0n }] },
  });
  expect(await correct(0n)).toMatchObject({ ok: true });
  expect(await verify(code)).toMatchObject({ receipt: { status: 'uncounted', paidAmount: 0n, payments: [] } });
});
