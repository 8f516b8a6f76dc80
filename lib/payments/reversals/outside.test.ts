import { expect, test } from 'vitest';
import { allocatePayment } from '@/lib/payments/ledger/allocate-payment';
import { bookReversal } from '@/lib/payments/ledger/book-reversal';
import { correctPayment } from '@/lib/payments/ledger/correct-payment';
import { markRefund } from '@/lib/payments/ledger/mark-refund';
import { findPayment, type LedgerPayment } from '@/lib/payments/ledger/payment-store';
import { findRequest } from '@/lib/payments/reversals/requests/store';
import { createRegistry } from '@/lib/providers/registry';
import { type Till, testReconciling, uniqueId } from '@/lib/testing/data/reconciling';
import { makeBill, TEST_OPERATOR, testRuntime } from '@/lib/testing/runtime';
import { describeReversal } from './describe-reversal';
import { requestReversal } from './request-reversal';
import { settleReversal } from './settle-reversal';

const runtime = testRuntime();
const tools = testReconciling(runtime);
const origin = { reason: 'he showed the receipt', actor: TEST_OPERATOR };
const reverse = (paymentId: string, amount: bigint | null = null) =>
  requestReversal({ ...runtime(), providers: createRegistry(runtime(), null) }, { paymentId, amount, ...origin });

async function paymentAt({ id }: Till, transactionId: string): Promise<LedgerPayment> {
  const payment = await findPayment(runtime().db, id, transactionId);
  if (!payment) throw new Error(`${transactionId} is not in the ledger`);
  return payment;
}

async function unmatched(): Promise<{ till: Till; payment: LedgerPayment }> {
  const till = await tools.makeTill();
  const receipt = uniqueId('T');
  await tools.keep(till, receipt);
  return { till, payment: await paymentAt(till, receipt) };
}

test('a payment that is refunded outside Bili cannot be reversed as well', async () => {
  const { payment } = await unmatched();
  expect(await markRefund(runtime(), { paymentId: payment.id, amount: null, ...origin })).toMatchObject({ ok: true });
  expect(await reverse(payment.id)).toEqual({ ok: false, error: 'more_than_left' });
});

test('a payment with an open reversal can be neither marked as refunded nor allocated', async () => {
  const { till, payment } = await unmatched();
  const billId = await makeBill(runtime(), till.merchant, { amount: 5000 });
  expect(await reverse(payment.id)).toMatchObject({ ok: true });
  expect(await markRefund(runtime(), { paymentId: payment.id, amount: null, ...origin })).toEqual({ ok: false, error: 'reversal_open' });
  expect(await allocatePayment(runtime(), { paymentId: payment.id, billId, amount: null, ...origin })).toEqual({
    ok: false,
    error: 'reversal_open',
  });
});

test.each([
  ['less', 400_000n],
  ['more', 600_000n],
])('a reversal of a payment that was corrected to %s asks for exactly the requested amount', async (_name, to) => {
  const { till, payment } = await unmatched();
  expect(await correctPayment(runtime(), { entryId: payment.id, to, reviewId: null, ...origin })).toMatchObject({ ok: true });
  // The simulated provider reverses only whole payments.
  for (const amount of [null, to]) expect(await reverse(payment.id, amount)).toEqual({ ok: false, error: 'only_whole' });
  await tools.rows("UPDATE provider_account SET provider = 'pawapay' WHERE id = $1", till.id);
  const requested = await reverse(payment.id, to);
  if (!requested.ok) throw new Error(requested.error);
  const request = await findRequest(runtime().db, requested.value);
  if (!request) throw new Error('the request is not stored');
  expect(request).toMatchObject({ amount: to, whole: false });
  expect(await describeReversal(runtime().db, request, payment)).toMatchObject({ amount: to });
});

test('the rest of a payment of which a part was reversed is not the whole payment', async () => {
  const { till, payment } = await unmatched();
  const account = { id: till.id, environment: 'sandbox' } as const;
  const part = { reversalTransactionId: uniqueId('R'), amount: 100_000n, source: 'statement' } as const;
  expect(await bookReversal(runtime(), { account, transactionId: payment.transactionId, ...part })).toBe('booked');
  expect(await correctPayment(runtime(), { entryId: payment.id, to: 600_000n, reviewId: null, ...origin })).toMatchObject({ ok: true });
  expect(await reverse(payment.id)).toEqual({ ok: false, error: 'only_whole' });
});

test('an operator settles a reversal that a statement has booked with another amount', async () => {
  const till = await tools.makeTill();
  const [receipt, back] = [uniqueId('T'), uniqueId('R')];
  await tools.paidAttempt(till, receipt);
  const { id, providerAccountId } = await paymentAt(till, receipt);
  const requested = await reverse(id);
  if (!requested.ok) throw new Error(requested.error);
  await bookReversal(runtime(), {
    account: { id: providerAccountId, environment: 'sandbox' },
    transactionId: receipt,
    reversalTransactionId: back,
    amount: 400_000n,
    source: 'statement',
  });
  expect(await findRequest(runtime().db, requested.value)).toMatchObject({ state: 'QUEUED' });
  const settled = await settleReversal(runtime(), { id: requested.value, outcome: { kind: 'reversed', transactionId: back }, ...origin });
  expect(settled).toEqual({ ok: true, value: null });
  expect(await findRequest(runtime().db, requested.value)).toMatchObject({ state: 'SUCCEEDED' });
});
