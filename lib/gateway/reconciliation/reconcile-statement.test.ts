import { describe, expect, test } from 'vitest';
import { allocatePayment } from '@/lib/gateway/ledger/allocate-payment';
import { movePayment } from '@/lib/gateway/ledger/correct-payment';
import { verifyLedger } from '@/lib/gateway/ledger/verify-ledger';
import { addMs, DAY_MS, HOUR_MS } from '@/lib/platform/core/clock';
import type { Database } from '@/lib/platform/db/database';
import { type Till, testReconciling, uniqueId } from '@/testing/data/reconciling';
import { TEST_OPERATOR, testRuntime } from '@/testing/runtime';
import { type MissingShare, shareOf, totalsOf } from './rules';

const runtime = testRuntime();
const {
  makeTill,
  refuse,
  reviewsOf,
  attempt: tryReconcile,
  preview,
  unknownAttempt,
  report,
  paidAttempt,
  keep,
  today,
  payment,
  reversal,
  csv,
  reconcile,
  linesOf,
  billOf,
  stateOf,
  rows,
} = testReconciling(runtime);

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
      { amount: 800_000n, mobile: '0712345678', merchant_id: till.merchant.merchant.id, attempt_id: null },
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

describe('a line whose receipt number is not exactly that of the ledger', () => {
  test.each([
    ['without its leading zeros', '00123', (id: string) => id.replace(/^0+/, '')],
    ['with leading zeros that the ledger lacks', '7', (id: string) => `000${id}`],
    ['in lower case', 'SBX', (id: string) => id.toLowerCase()],
  ])('%s is about the same payment', async (_what, prefix, changed) => {
    const till = await makeTill();
    const id = `${prefix}${BigInt(`0x${uniqueId('').toLowerCase()}`)}`;
    const paid = await paidAttempt(till, id);
    const back = uniqueId('BACK');
    const file = csv(payment(changed(id), 5000, paid.ourReference), reversal(back, 2000, changed(id)));
    const { run } = await reconcile({ accountId: till.id, file, period: today() });
    expect(await linesOf(run.id)).toMatchObject([
      { finding: 'matched', action: 'none', transactionId: id, raw: { transaction_id: changed(id) } },
      { finding: 'theirs_only', action: 'booked_reversal' },
    ]);
    expect(await rows('SELECT kind FROM payment WHERE provider_account_id = $1 ORDER BY kind', till.id)).toEqual([
      { kind: 'payment' },
      { kind: 'reversal' },
    ]);
  });

  test('opens a review if the attempt, the amount and the time are the same, and books nothing', async () => {
    const till = await makeTill();
    const [ours, theirs] = [uniqueId('OURS'), uniqueId('THEIRS')];
    const paid = await paidAttempt(till, ours);
    const read = (...more: string[]) =>
      reconcile({ accountId: till.id, file: csv(payment(theirs, 5000, paid.ourReference), ...more), period: today() });
    const { run, tallies } = await read();
    expect(await linesOf(run.id)).toMatchObject([{ finding: 'receipt_differs', action: 'opened_review', paymentId: expect.any(String) }]);
    expect(shareOf(tallies)).toEqual({ missing: 0, entries: 1, empty: false });
    expect(await reviewsOf(theirs)).toMatchObject([{ kind: 'statement_differs', open: true }]);
    expect(await rows('SELECT provider_transaction_id AS id FROM payment WHERE attempt_id = $1', paid.id)).toEqual([{ id: ours }]);
    // A statement that contains both receipt numbers shows that the customer has paid twice.
    const second = await read(payment(ours, 5000, paid.ourReference));
    expect(await linesOf(second.run.id)).toMatchObject([{ finding: 'theirs_only', action: 'kept_unmatched' }, { finding: 'matched' }]);
  });
});

describe('a line that names another attempt than the ledger', () => {
  async function swapped(till: Till) {
    const id = uniqueId('SWAPPED');
    const [wrong, right] = [await paidAttempt(till, id), await unknownAttempt(till)];
    const read = (...more: string[]) =>
      reconcile({ accountId: till.id, file: csv(payment(id, 5000, right.ourReference), ...more), period: today() });
    return { id, wrong, right, read };
  }

  test('opens a review of the conflict, which moving the payment settles', async () => {
    const till = await makeTill();
    const { id, wrong, right, read } = await swapped(till);
    const { run } = await read();
    expect(await linesOf(run.id)).toMatchObject([{ finding: 'attempt_differs', action: 'opened_review' }]);
    expect(await reviewsOf(id)).toMatchObject([{ kind: 'receipt_conflict', attempt_id: right.id, open: true }]);
    expect(await stateOf(right)).toBe('SUCCEEDED');
    expect(await billOf(till, right)).toMatchObject({ paidAmount: 0n });

    const [booked] = await rows(
      'SELECT p.id, r.id AS review FROM payment p, review r WHERE p.provider_transaction_id = $1 AND r.attempt_id = $2',
      id,
      right.id,
    );
    const moved = {
      paymentId: String(booked?.id),
      billId: right.billId,
      reason: 'ticket',
      actor: TEST_OPERATOR,
      reviewId: String(booked?.review),
    };
    expect(await movePayment(runtime(), moved)).toEqual({ ok: true, value: 500_000n });
    expect(await billOf(till, right)).toMatchObject({ paidAmount: 500_000n });
    expect(await billOf(till, wrong)).toMatchObject({ paidAmount: 0n });
    const again = await read(payment(uniqueId('MORE'), 1));
    expect(await linesOf(again.run.id)).toMatchObject([{ finding: 'matched', action: 'none' }, {}]);
    expect(await reviewsOf(id)).toMatchObject([{ open: false }]);
  });

  test('opens no second review', async () => {
    const { id, read } = await swapped(await makeTill());
    await read();
    expect(await linesOf((await read(payment(uniqueId('MORE'), 1))).run.id)).toMatchObject([{ action: 'opened_review' }, {}]);
    await rows(
      "UPDATE review SET resolved_at = now(), resolved_by = 'operator:test', resolution = 'ours is right' WHERE data->>'transactionId' = $1",
      id,
    );
    expect(await linesOf((await read(payment(uniqueId('MORE'), 2))).run.id)).toMatchObject([{ action: 'none' }, {}]);
    expect(await reviewsOf(id)).toMatchObject([{ open: false }]);
  });

  test('that an operator had allocated to another bill opens a review', async () => {
    const till = await makeTill();
    const [id, other, right] = [uniqueId('KEPT'), await unknownAttempt(till), await unknownAttempt(till)];
    await keep(till, id);
    const [kept] = await rows('SELECT id FROM payment WHERE provider_transaction_id = $1', id);
    const allocated = { paymentId: String(kept?.id), billId: other.billId, amount: null, reason: 'ticket', actor: TEST_OPERATOR };
    expect(await allocatePayment(runtime(), allocated)).toMatchObject({ ok: true });
    const { run } = await reconcile({ accountId: till.id, file: csv(payment(id, 5000, right.ourReference)), period: today() });
    expect(await linesOf(run.id)).toMatchObject([{ finding: 'attempt_differs', action: 'opened_review' }]);
  });
});

describe('a statement of an account that refused an attempt', () => {
  test('books the payment as unmatched money of the merchant, and opens a review', async () => {
    const [till, next] = [await makeTill(), await makeTill()];
    const [left, ownAttempt, id] = [await unknownAttempt(next), await unknownAttempt(till), uniqueId('REFUSED')];
    await refuse(left, till, next);
    const read = (...more: string[]) =>
      reconcile({ accountId: till.id, file: csv(payment(id, 5000, left.ourReference), ...more), period: today() });
    const { run } = await read(payment(uniqueId('OWN'), 5000, ownAttempt.ourReference));
    expect(await linesOf(run.id)).toMatchObject([
      { finding: 'theirs_only', action: 'kept_unmatched', paymentId: expect.any(String) },
      { action: 'settled_attempt' },
    ]);
    const merchantId = next.merchant.merchant.id;
    expect(await rows('SELECT merchant_id, attempt_id, provider_account_id FROM payment WHERE provider_transaction_id = $1', id)).toEqual([
      { merchant_id: merchantId, attempt_id: null, provider_account_id: till.id },
    ]);
    expect(await stateOf(left)).toBe('UNKNOWN');
    const review = { kind: 'contradiction', attempt_id: null, merchant_id: merchantId };
    expect(await reviewsOf(id)).toMatchObject([{ ...review, open: true }]);
    await rows(
      "UPDATE review SET resolved_at = now(), resolved_by = 'operator:test', resolution = 'refunded' WHERE data->>'transactionId' = $1",
      id,
    );
    await read();
    expect(await reviewsOf(id)).toMatchObject([{ ...review, open: false }]);
  });

  test('opens the review also if the payment is in the ledger as unmatched money', async () => {
    const [till, next] = [await makeTill(), await makeTill()];
    const [left, id] = [await unknownAttempt(next), uniqueId('REFUSED')];
    await refuse(left, till, next);
    await keep(till, id);
    const { run } = await reconcile({ accountId: till.id, file: csv(payment(id, 5000, left.ourReference)), period: today() });
    expect(await linesOf(run.id)).toMatchObject([{ finding: 'matched', action: 'opened_review' }]);
    expect(await reviewsOf(id)).toMatchObject([{ kind: 'contradiction', open: true }]);
  });
});

test('one reference of another account does not refuse a file whose other references are ours', async () => {
  const [till, other] = [await makeTill(), await makeTill()];
  const [ours, foreign, id] = [await unknownAttempt(till), await unknownAttempt(other), uniqueId('FOREIGN')];
  const file = csv(payment(id, 5000, foreign.ourReference), payment(uniqueId('OURS'), 5000, ours.ourReference));
  const { run } = await reconcile({ accountId: till.id, file, period: today() });
  expect(await linesOf(run.id)).toMatchObject([{ action: 'kept_unmatched' }, { action: 'settled_attempt' }]);
  expect(await stateOf(foreign)).toBe('UNKNOWN');
});

describe('a statement that lacks many payments', () => {
  test('changes nothing unless somebody confirms it', async () => {
    const till = await makeTill();
    const ids = ['CUT', 'CUT', 'CUT', 'CUT'].map(uniqueId);
    for (const id of ids) await paidAttempt(till, id);
    const shares: MissingShare[] = [];
    const [file, period] = [csv(payment(ids[0] ?? '', 5000)), today()];
    const read = (answer: boolean) =>
      tryReconcile({
        accountId: till.id,
        file,
        period,
        ifIncomplete: async (share) => {
          shares.push(share);
          return answer;
        },
      });
    const runs = () => rows('SELECT 1 FROM reconciliation WHERE provider_account_id = $1', till.id);
    expect(await read(false)).toMatchObject({ ok: false });
    expect(await runs()).toEqual([]);
    expect(await read(true)).toMatchObject({ ok: true, value: { repeated: false } });
    expect(await read(false)).toMatchObject({ ok: true, value: { repeated: true } });
    expect(shares).toEqual(Array(2).fill({ missing: 3, entries: 4, empty: false }));
  });

  test('can be previewed, which changes nothing', async () => {
    const till = await makeTill();
    const [same, ours, theirs] = ['SAME', 'OURS', 'THEIRS'].map(uniqueId);
    for (const id of [same, ours]) await paidAttempt(till, id ?? '');
    const file = csv(payment(same ?? '', 5000), payment(theirs ?? '', 100));
    const before = await rows('SELECT count(*)::int AS n FROM payment');
    const found = await preview({ accountId: till.id, file, period: today() });
    expect(found).toMatchObject({
      ok: true,
      value: {
        tallies: [{ finding: 'matched', lines: 1 }, { finding: 'ours_only' }, { finding: 'theirs_only', action: 'kept_unmatched' }],
      },
    });
    expect(await rows('SELECT 1 FROM reconciliation WHERE provider_account_id = $1', till.id)).toEqual([]);
    expect(await rows('SELECT count(*)::int AS n FROM payment')).toEqual(before);

    const period = today();
    const { run, tallies } = await reconcile({ accountId: till.id, file, period });
    expect(await preview({ accountId: till.id, file, period })).toMatchObject({ ok: true, value: { tallies, repeated: true } });
    await rows('UPDATE reconciliation SET completed_at = NULL WHERE id = $1', run.id);
    expect(await preview({ accountId: till.id, file, period })).toMatchObject({
      ok: true,
      value: {
        tallies: [
          { finding: 'matched', lines: 2 },
          { finding: 'ours_only', lines: 1 },
        ],
        repeated: false,
      },
    });
  });
});

test('after all these tests, the invariants of the ledger hold', async () => {
  expect((await verifyLedger(runtime().db)).filter(({ count }) => count > 0)).toEqual([]);
});
