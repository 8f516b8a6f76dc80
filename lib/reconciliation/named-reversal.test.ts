import { expect, test } from 'vitest';
import { bookReversal } from '@/lib/payments/book-reversal';
import { testReconciling, uniqueId } from '@/lib/testing/reconciling';
import { testRuntime } from '@/lib/testing/runtime';

const runtime = testRuntime();
const { makeTill, paidAttempt, payment, reversal, csv, today, reconcile, linesOf, billOf, rows } = testReconciling(runtime);

test('of two partial reversals alike, one booked without its receipt, a statement adds the other and no more', async () => {
  const till = await makeTill();
  const [receipt, first, second] = [uniqueId('T'), uniqueId('R'), uniqueId('R')];
  const attempt = await paidAttempt(till, receipt);
  const account = { id: till.id, environment: 'sandbox' } as const;
  const nameless = { account, transactionId: receipt, amount: 100_000n, reversalTransactionId: null, source: 'status' } as const;
  expect(await bookReversal(runtime(), nameless)).toBe('booked');

  const lines = [payment(receipt, 5000), reversal(first, 1000, receipt), reversal(second, 1000, receipt)];
  const { run } = await reconcile({ accountId: till.id, file: csv(...lines), period: today() });
  expect((await linesOf(run.id)).map(({ finding, action }) => `${finding} ${action}`)).toEqual([
    'matched none',
    'matched none',
    'theirs_only booked_reversal',
  ]);
  expect(await billOf(till, attempt)).toMatchObject({ paidAmount: 300_000n });

  expect(await bookReversal(runtime(), { ...nameless, reversalTransactionId: first })).toBe('known');
  await reconcile({ accountId: till.id, file: csv(...lines.toReversed()), period: today() });
  expect(await billOf(till, attempt)).toMatchObject({ paidAmount: 300_000n });
  expect(await rows('SELECT provider_transaction_id FROM reversal_receipt WHERE provider_transaction_id = $1', first)).toHaveLength(1);
});
