import { describe, expect, test } from 'vitest';
import { addMs, DAY_MS, HOUR_MS } from '@/lib/core/clock';
import type { Database } from '@/lib/db/database';
import { verifyLedger } from '@/lib/payments/ledger/verify-ledger';
import { testReconciling, uniqueId } from '@/lib/testing/data/reconciling';
import { testRuntime } from '@/lib/testing/runtime';
import { totalsOf } from './summary';

const runtime = testRuntime();
const { makeTill, unknownAttempt, report, paidAttempt, keep, today, payment, reversal, csv, reconcile, linesOf, billOf, stateOf, rows } =
  testReconciling(runtime);

describe('a statement', () => {
  test('is compared with the ledger: matched, amount differs, theirs only, ours only, outside the period', async () => {
    const till = await makeTill();
    const [same, differs, ours] = [uniqueId('SAME'), uniqueId('DIFF'), uniqueId('OURS')];
    const [theirs, old] = [uniqueId('THEIRS'), uniqueId('OLD')];
    const matched = await paidAttempt(till, same);
    await paidAttempt(till, differs);
    await paidAttempt(till, ours);
    const file = csv(
      payment(same, 5000, matched.ourReference),
      payment(differs, 6500),
      payment(theirs, 8000, '', undefined, '0712345678'),
      payment(old, 9000, '', addMs(runtime().clock(), -3 * DAY_MS).toISOString()),
    );
    const { run, tallies, repeated } = await reconcile({ accountId: till.id, file, period: today() });

    expect(repeated).toBe(false);
    expect(run).toMatchObject({ accountId: till.id, environment: 'sandbox', fileName: 'statement.csv', completedAt: expect.any(Date) });
    const paymentId = expect.any(String);
    expect(await linesOf(run.id)).toMatchObject([
      { number: 2, finding: 'matched', action: 'none', transactionId: same, statementAmount: 500_000n, ledgerAmount: 500_000n, paymentId },
      { number: 3, finding: 'amount_differs', action: 'opened_review', statementAmount: 650_000n, ledgerAmount: 500_000n, paymentId },
      {
        number: 4,
        finding: 'theirs_only',
        action: 'kept_unmatched',
        statementAmount: 800_000n,
        ledgerAmount: null,
        paymentId,
        raw: { transaction_id: theirs, mobile: '0712345678' },
      },
      { number: 5, finding: 'outside_period', action: 'none', statementAmount: 900_000n, ledgerAmount: null, paymentId: null },
      {
        number: 6,
        finding: 'ours_only',
        action: 'opened_review',
        transactionId: ours,
        statementAmount: null,
        ledgerAmount: 500_000n,
        raw: null,
        paymentId,
      },
    ]);
    expect(totalsOf(tallies)).toEqual([
      { kind: 'payment', statement: { lines: 3, amount: 1_950_000n }, ledger: { lines: 3, amount: 1_500_000n } },
      { kind: 'reversal', statement: { lines: 0, amount: 0n }, ledger: { lines: 0, amount: 0n } },
    ]);
    expect(await rows('SELECT amount, mobile, merchant_id, attempt_id FROM payment WHERE provider_transaction_id = $1', theirs)).toEqual([
      { amount: 800_000n, mobile: '0712345678', merchant_id: null, attempt_id: null },
    ]);
    expect(await rows('SELECT 1 FROM payment WHERE provider_transaction_id = $1', old)).toEqual([]);
    expect(await rows('SELECT amount FROM payment WHERE provider_transaction_id = $1', differs)).toEqual([{ amount: 500_000n }]);
    expect(
      await rows(
        'SELECT r.kind, r.merchant_id, r.data FROM review r JOIN payment p ON p.id = r.payment_id WHERE p.provider_transaction_id = $1',
        differs,
      ),
    ).toEqual([
      {
        kind: 'statement_differs',
        merchant_id: till.merchant.merchant.id,
        data: {
          transactionId: differs,
          kind: 'payment',
          statementAmount: '650000',
          ledgerAmount: '500000',
          reconciliation: run.id,
          line: 3,
        },
      },
    ]);
    expect(await rows('SELECT actor, action FROM audit_entry WHERE subject = $1', run.id)).toEqual([
      { actor: 'operator:test', action: 'statement.reconciled' },
    ]);
  });

  test('settles an unknown attempt and books its payment', async () => {
    const till = await makeTill();
    const attempt = await unknownAttempt(till);
    const id = uniqueId('SETTLES');
    const { run } = await reconcile({ accountId: till.id, file: csv(payment(id, 5000, attempt.ourReference)), period: today() });
    expect(await linesOf(run.id)).toMatchObject([{ finding: 'theirs_only', action: 'settled_attempt', paymentId: expect.any(String) }]);
    expect(await stateOf(attempt)).toBe('SUCCEEDED');
    expect(await billOf(till, attempt)).toMatchObject({ status: 'FULLY_PAID', paidAmount: 500_000n, reservedAmount: 0n });
  });

  test('books late money of an expired attempt and flags it', async () => {
    const till = await makeTill();
    const attempt = await unknownAttempt(till);
    await report(till, attempt, { kind: 'expired' });
    const id = uniqueId('LATE');
    await reconcile({ accountId: till.id, file: csv(payment(id, 5000, attempt.ourReference)), period: today() });
    expect(await billOf(till, attempt)).toMatchObject({ status: 'FULLY_PAID' });
    expect(await rows('SELECT late FROM payment WHERE provider_transaction_id = $1', id)).toEqual([{ late: true }]);
  });

  test('that contains two payments of an attempt books one and stores the other as unmatched', async () => {
    const till = await makeTill();
    const attempt = await unknownAttempt(till);
    const [first, second] = [uniqueId('FIRST'), uniqueId('SECOND')];
    const file = csv(payment(first, 5000, attempt.ourReference), payment(second, 5000, attempt.ourReference));
    const { run } = await reconcile({ accountId: till.id, file, period: today() });
    expect(await linesOf(run.id)).toMatchObject([
      { action: 'settled_attempt' },
      { action: 'kept_unmatched', paymentId: expect.any(String) },
    ]);
    expect(await billOf(till, attempt)).toMatchObject({ paidAmount: 500_000n });
  });

  test('allocates an unmatched payment to the attempt that the line names', async () => {
    const till = await makeTill();
    const attempt = await unknownAttempt(till);
    const id = uniqueId('KEPT');
    await keep(till, id);
    const { run } = await reconcile({ accountId: till.id, file: csv(payment(id, 5000, attempt.ourReference)), period: today() });
    expect(await linesOf(run.id)).toMatchObject([{ finding: 'matched', action: 'settled_attempt' }]);
    expect(await billOf(till, attempt)).toMatchObject({ status: 'FULLY_PAID' });
    expect(await rows('SELECT 1 FROM review WHERE attempt_id = $1', attempt.id)).toEqual([]);
  });

  test('books reversals, also of payments in the same statement', async () => {
    const till = await makeTill();
    const known = await paidAttempt(till, uniqueId('PAID'));
    const [paid] = await rows('SELECT provider_transaction_id AS id FROM payment WHERE attempt_id = $1', known.id);
    const [brought, back, backToo, lost] = [uniqueId('BROUGHT'), uniqueId('BACK'), uniqueId('BACK'), uniqueId('LOST')];
    const unknown = await unknownAttempt(till);
    const file = csv(
      reversal(back, 5000, String(paid?.id)),
      reversal(backToo, 2000, brought),
      reversal(lost, 1000, 'NOBODYKNOWS'),
      payment(brought, 5000, unknown.ourReference),
      payment(String(paid?.id), 5000),
    );
    const { run } = await reconcile({ accountId: till.id, file, period: today() });
    expect(await linesOf(run.id)).toMatchObject([
      { finding: 'theirs_only', action: 'booked_reversal', kind: 'reversal', paymentId: expect.any(String) },
      { finding: 'theirs_only', action: 'booked_reversal', kind: 'reversal', paymentId: expect.any(String) },
      { finding: 'theirs_only', action: 'none', kind: 'reversal', transactionId: lost, paymentId: null },
      { finding: 'theirs_only', action: 'settled_attempt' },
      { finding: 'matched' },
    ]);
    expect(await billOf(till, known)).toMatchObject({ status: 'NOT_PAID', paidAmount: 0n });
    expect(await billOf(till, unknown)).toMatchObject({ status: 'PARTIALLY_PAID', paidAmount: 300_000n });
    expect(await rows("SELECT 1 FROM bill_event WHERE bill_id = $1 AND type = 'bill.fully_paid'", unknown.billId)).toEqual([]);

    const again = await reconcile({
      accountId: till.id,
      file: { ...file, bytes: Buffer.concat([file.bytes, Buffer.from('\n')]) },
      period: today(),
    });
    expect((await linesOf(again.run.id)).map(({ finding }) => finding)).toEqual([
      'matched',
      'matched',
      'theirs_only',
      'matched',
      'matched',
    ]);
  });

  test('that reverses more than was paid opens a review', async () => {
    const till = await makeTill();
    const id = uniqueId('PAID');
    await paidAttempt(till, id);
    const { run } = await reconcile({
      accountId: till.id,
      file: csv(payment(id, 5000), reversal(uniqueId('BACK'), 6000, id)),
      period: today(),
    });
    expect(await linesOf(run.id)).toMatchObject([
      { finding: 'matched' },
      { finding: 'theirs_only', action: 'opened_review', paymentId: null },
    ]);
    expect(
      await rows('SELECT r.kind FROM review r JOIN payment p ON p.id = r.payment_id WHERE p.provider_transaction_id = $1', id),
    ).toEqual([{ kind: 'statement_differs' }]);
  });

  test('does not open a second review of a difference that was resolved', async () => {
    const till = await makeTill();
    const id = uniqueId('DIFF');
    await paidAttempt(till, id);
    const asked = () => rows('SELECT 1 FROM review r JOIN payment p ON p.id = r.payment_id WHERE p.provider_transaction_id = $1', id);
    await reconcile({ accountId: till.id, file: csv(payment(id, 5500)), period: today() });
    await rows(
      "UPDATE review SET resolved_at = now(), resolved_by = 'operator:test', resolution = 'theirs is wrong' WHERE payment_id = (SELECT id FROM payment WHERE provider_transaction_id = $1)",
      id,
    );
    await reconcile({ accountId: till.id, file: csv(payment(id, 5500), payment(uniqueId('MORE'), 1)), period: today() });
    expect(await asked()).toHaveLength(1);
    await reconcile({ accountId: till.id, file: csv(payment(id, 5600)), period: today() });
    expect(await asked()).toHaveLength(2);
  });

  test('does not report ledger entries as missing that the statement of the previous day contains', async () => {
    const till = await makeTill();
    const id = uniqueId('MIDNIGHT');
    await paidAttempt(till, id);
    const midnight = runtime().clock();
    const dayBefore = { from: addMs(midnight, -DAY_MS), to: midnight };
    const dayAfter = { from: addMs(midnight, -HOUR_MS), to: addMs(midnight, DAY_MS) };
    const yesterday = csv(payment(id, 5000, '', addMs(midnight, -2 * HOUR_MS).toISOString()));
    await reconcile({ accountId: till.id, file: yesterday, period: dayBefore });
    const { run } = await reconcile({ accountId: till.id, file: csv(payment(uniqueId('NEXT'), 100)), period: dayAfter });
    expect((await linesOf(run.id)).map(({ finding }) => finding)).toEqual(['theirs_only']);
  });

  test('matches payments of an earlier account of the same owner', async () => {
    const old = await makeTill();
    const id = uniqueId('ROTATED');
    const attempt = await unknownAttempt(old);
    await paidAttempt(old, id);
    const renewed = await makeTill(old.merchant);
    const settled = uniqueId('SETTLES');
    const file = csv(payment(id, 5000), payment(settled, 5000, attempt.ourReference));
    const { run } = await reconcile({ accountId: renewed.id, file, period: today() });
    expect(await linesOf(run.id)).toMatchObject([{ finding: 'matched' }, { finding: 'theirs_only', action: 'settled_attempt' }]);
    expect(await rows('SELECT provider_account_id AS id FROM payment WHERE provider_transaction_id = $1', settled)).toEqual([
      { id: old.id },
    ]);
  });

  test('with many unordered and mostly known lines is compared in batches', async () => {
    const till = await makeTill();
    const ids = Array.from({ length: 2_500 }, (_, index) => `BULK${till.id.slice(-6)}${index}`);
    await runtime().db.query(
      {
        text: `INSERT INTO payment (id, environment, provider_account_id, provider_transaction_id, kind, amount, recorded_at)
               SELECT gen_random_uuid(), 'sandbox', $1, id, 'payment', 500000, now() FROM unnest($2::text[]) AS id`,
      },
      [till.id, ids],
    );
    let statements = 0;
    const { db } = runtime();
    const query: Database['query'] = (statement, values) => {
      statements += 1;
      return db.query(statement, values);
    };
    const file = csv(...ids.map((id) => payment(id, 5000)), payment(uniqueId('NEW'), 1));
    const { tallies } = await reconcile({ accountId: till.id, file, period: today() }, { ...db, query });
    expect(tallies).toMatchObject([
      { finding: 'matched', lines: 2_500 },
      { finding: 'theirs_only', lines: 1 },
    ]);
    expect(statements).toBeLessThan(40);
  });
});

test('after all these tests, the invariants of the ledger hold', async () => {
  expect((await verifyLedger(runtime().db)).filter(({ count }) => count > 0)).toEqual([]);
});
