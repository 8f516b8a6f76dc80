import { expect, test } from 'vitest';
import { allocatePayment } from '@/lib/gateway/ledger/allocate-payment';
import { bookReversal } from '@/lib/gateway/ledger/book-reversal';
import { correctPayment } from '@/lib/gateway/ledger/correct-payment';
import { findPayment, type LedgerPayment } from '@/lib/gateway/ledger/payment-store';
import { findRefund } from '@/lib/gateway/refund-states/store';
import { type Till, testReconciling, uniqueId } from '@/testing/data/reconciling';
import { makeBill, TEST_OPERATOR, testRuntime } from '@/testing/runtime';
import { refundOutside, requestReversal } from './ask-refund';
import { settleRefund } from './decide-refund';
import { describeRefund } from './work-refund';

const runtime = testRuntime();
const tools = testReconciling(runtime);
const origin = { reason: 'he showed the receipt', actor: TEST_OPERATOR };
const reverse = (paymentId: string, amount: bigint | null = null) => requestReversal(runtime(), { paymentId, amount, ...origin });

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
  expect(await refundOutside(runtime(), { paymentId: payment.id, amount: null, ...origin })).toMatchObject({ ok: true });
  expect(await reverse(payment.id)).toEqual({ ok: false, error: 'nothing_to_refund' });
});

test('a payment with an open reversal can be neither refunded outside nor allocated', async () => {
  const { till, payment } = await unmatched();
  const billId = await makeBill(runtime(), till.merchant, { amount: 5000 });
  expect(await reverse(payment.id)).toMatchObject({ ok: true });
  expect(await refundOutside(runtime(), { paymentId: payment.id, amount: null, ...origin })).toEqual({ ok: false, error: 'refund_open' });
  expect(await allocatePayment(runtime(), { paymentId: payment.id, billId, amount: null, ...origin })).toEqual({
    ok: false,
    error: 'refund_open',
  });
});

test.each([
  ['less', 400_000n],
  ['more', 600_000n],
])('a reversal of a payment that was corrected to %s asks for exactly the requested amount', async (_name, to) => {
  const { till, payment } = await unmatched();
  expect(await correctPayment(runtime(), { entryId: payment.id, to, reviewId: null, ...origin })).toMatchObject({ ok: true });
  const atProvider = (name: string) => tools.rows('UPDATE provider_account SET provider = $2 WHERE id = $1', till.id, name);
  // Mixx reverses only whole payments.
  await atProvider('mixx');
  for (const amount of [null, to]) expect(await reverse(payment.id, amount)).toEqual({ ok: false, error: 'only_whole' });
  await atProvider('pawapay');
  const requested = await reverse(payment.id, to);
  if (!requested.ok) throw new Error(requested.error);
  const request = await findRefund(runtime().db, requested.value);
  if (!request) throw new Error('the request is not stored');
  expect(request).toMatchObject({ amount: to, whole: false });
  expect(await describeRefund(runtime().db, request, payment)).toMatchObject({ amount: to });
});

test('the rest of a payment of which a part was reversed is not the whole payment', async () => {
  const { till, payment } = await unmatched();
  const account = { id: till.id, environment: 'sandbox' } as const;
  const part = { reversalTransactionId: uniqueId('R'), amount: 100_000n, source: 'statement' } as const;
  expect(await bookReversal(runtime(), { account, transactionId: payment.transactionId, ...part })).toBe('booked');
  expect(await correctPayment(runtime(), { entryId: payment.id, to: 600_000n, reviewId: null, ...origin })).toMatchObject({ ok: true });
  await tools.rows("UPDATE provider_account SET provider = 'mixx' WHERE id = $1", till.id);
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
  expect(await findRefund(runtime().db, requested.value)).toMatchObject({ state: 'QUEUED' });
  const settled = await settleRefund(runtime(), { id: requested.value, outcome: { kind: 'refunded', transactionId: back }, ...origin });
  expect(settled).toEqual({ ok: true, value: null });
  expect(await findRefund(runtime().db, requested.value)).toMatchObject({ state: 'DONE' });
});
