import { describe, expect, test } from 'vitest';
import { applyOutcome } from '@/lib/gateway/attempts/apply-outcome';
import { queryAttempt } from '@/lib/gateway/attempts/query-attempt';
import { releaseAttempt } from '@/lib/gateway/attempts/release-attempt';
import { settleAttempt } from '@/lib/gateway/attempts/settle-attempt';
import { findBill } from '@/lib/gateway/bills/store';
import { allocatePayment } from '@/lib/gateway/ledger/allocate-payment';
import { insertUnmatchedPayment } from '@/lib/gateway/ledger/bookings';
import { listUnknownAttempts, listUnmatched } from '@/lib/gateway/ledger/listing-store';
import { verifyLedger } from '@/lib/gateway/ledger/verify-ledger';
import { requestPrompt } from '@/lib/gateway/prompts/request-prompt';
import { refundOutside } from '@/lib/gateway/refunds/ask-refund';
import { resolveReview } from '@/lib/gateway/reviews/resolve-review';
import { listReviews } from '@/lib/gateway/reviews/store';
import { operatorAccess } from '@/lib/identity/accounts/access/grant-access';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { type Mobile, parseMobile } from '@/lib/platform/core/mobile';
import type { Scope } from '@/lib/platform/core/scope';
import { testSandbox } from '@/testing/data/sandbox';
import { makeBill, makeMerchant, TEST_OPERATOR, type TestMerchant, testRuntime } from '@/testing/runtime';
import type { Attempt } from './rules';
import { listAttempts } from './store';

const runtime = testRuntime({ SANDBOX_BASE_URL: 'http://127.0.0.1:9' });
const sandbox = testSandbox(runtime);
const ACCOUNT = '00000000-0000-7000-8000-5a0db0c00001';
const actor = TEST_OPERATOR;

const bill = (merchant: TestMerchant, id: string) => findBill(runtime().db, merchant.scope('sandbox'), id);
function mobile(text: string): Mobile {
  const parsed = parseMobile(text);
  if (parsed === null) throw new Error(`${text} is no mobile number`);
  return parsed;
}

const breaches = async () => (await verifyLedger(runtime().db)).filter(({ count }) => count > 0);

async function onlyAttempt(billId: string): Promise<Attempt> {
  const [attempt, ...others] = await listAttempts(runtime().db, billId);
  if (!attempt || others.length > 0) throw new Error('there is not exactly one attempt');
  return attempt;
}

/** Creates a bill with an UNKNOWN attempt that is not queried for 300 days. */
async function unknownBill(): Promise<{ billId: string; merchant: TestMerchant; attempt: Attempt }> {
  const merchant = await makeMerchant(runtime());
  const billId = await makeBill(runtime(), merchant, { amount: 5000, mobile: '0712345005' });
  await sandbox.step();
  await runtime().db.query({ text: "UPDATE push_attempt SET state = 'UNKNOWN', unknown_since = $2, due_at = $3 WHERE bill_id = $1" }, [
    billId,
    runtime().clock(),
    new Date(runtime().clock().getTime() + 300 * DAY_MS),
  ]);
  return { billId, merchant, attempt: await onlyAttempt(billId) };
}

describe('an attempt that stays unknown', () => {
  const release = (attempt: Attempt, scope: Scope = attempt, reason = 'the customer waits') =>
    releaseAttempt(runtime(), operatorAccess(actor, scope), { attemptId: attempt.id, reason });

  test('keeps its reservation, and can be released after 15 minutes with a reason', async () => {
    const { billId, merchant, attempt } = await unknownBill();
    expect(await bill(merchant, billId)).toMatchObject({ reservedAmount: 500_000n });
    const again = { environment: 'sandbox', billId, mobile: mobile('0712345005') } as const;
    expect(await requestPrompt(runtime(), again)).toEqual({ kind: 'all_asked' });
    expect(await release(attempt)).toMatchObject({ ok: false, error: { code: 'too_early' } });

    runtime().advance(15 * MINUTE_MS);
    expect(await release(attempt, attempt, ' ')).toMatchObject({ error: { code: 'reason_required' } });
    const { merchantId } = merchant.scope('live');
    expect(await release(attempt, { merchantId, environment: 'live' })).toMatchObject({ error: { code: 'not_found' } });
    expect(await release(attempt, { merchantId: crypto.randomUUID(), environment: 'sandbox' })).toMatchObject({
      error: { code: 'not_found' },
    });
    const results = await Promise.all(Array.from({ length: 10 }, () => release(attempt, merchant.scope('sandbox'))));
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await bill(merchant, billId)).toMatchObject({ reservedAmount: 0n });
    expect(await requestPrompt(runtime(), again)).toMatchObject({ kind: 'requested' });
    expect(await breaches()).toEqual([]);
  });

  test('can still succeed after the release: the payment is booked, even if the bill is then overpaid', async () => {
    const { billId, merchant, attempt } = await unknownBill();
    runtime().advance(15 * MINUTE_MS);
    await release(attempt);
    await requestPrompt(runtime(), { environment: 'sandbox', billId, mobile: mobile('0712345001') });
    for (let round = 0; round < 5; round += 1) {
      await sandbox.step();
      runtime().advance(10 * SECOND_MS);
    }
    const outcome = { kind: 'paid', transactionId: `LATE-${billId}`, amount: 500_000n } as const;
    const pace = sandbox.runtime().providers.find('sandbox')?.capabilities;
    if (!pace) throw new Error('there is no sandbox');
    await applyOutcome(runtime(), { attempt, providerAccountId: ACCOUNT, outcome, pace, source: 'callback', leaseToken: null });
    expect(await bill(merchant, billId)).toMatchObject({ status: 'FULLY_PAID', paidAmount: 1_000_000n, reservedAmount: 0n });
    expect(await breaches()).toEqual([]);
  });

  test('is queried for 72 hours, then gets a review, and is settled by an operator', async () => {
    const merchant = await makeMerchant(runtime());
    const billId = await makeBill(runtime(), merchant, { amount: 5000, mobile: '0712345005' });
    await sandbox.step();
    // The simulated provider no longer finds the payment.
    await runtime().db.query({ text: 'DELETE FROM sandbox_step' });
    for (let hour = 0; hour < 80; hour += 1) {
      await sandbox.step();
      runtime().advance(HOUR_MS);
    }
    const attempt = await onlyAttempt(billId);
    expect(attempt).toMatchObject({ state: 'UNKNOWN' });
    const reviews = await listReviews(runtime().db, { all: false });
    expect(reviews).toMatchObject([{ kind: 'attempt_unresolved', attemptId: attempt.id, billId, resolvedAt: null }]);
    // A person cannot close this review: no query is due any more, so without the review nobody would settle the attempt.
    const resolved = await resolveReview(runtime(), { id: reviews[0]?.id ?? '', resolution: 'I called them', actor });
    expect(resolved).toEqual({ ok: false, error: 'attempt_unresolved' });
    expect((await listUnknownAttempts(runtime().db)).find(({ id }) => id === attempt.id)).toMatchObject({ dueAt: null });
    expect(await breaches()).toEqual([]);

    expect(await queryAttempt(runtime(), { attemptId: attempt.id, actor })).toBe(true);
    await sandbox.step();
    expect(await onlyAttempt(billId)).toMatchObject({ state: 'UNKNOWN' });
    const settlement = { attemptId: attempt.id, reason: 'ticket 4711', actor };
    const outcome = { kind: 'paid', transactionId: `T-${billId}`, amount: 450_000n } as const;
    expect(await settleAttempt(sandbox.runtime(), { ...settlement, outcome })).toMatchObject({ ok: true, value: { state: 'SUCCEEDED' } });
    expect(await bill(merchant, billId)).toMatchObject({ status: 'PARTIALLY_PAID', paidAmount: 450_000n, reservedAmount: 0n });
    expect(await listReviews(runtime().db, { all: false })).toEqual([]);
    expect(await listReviews(runtime().db, { all: true })).toMatchObject([{ resolvedBy: 'gateway' }]);
    expect(await settleAttempt(sandbox.runtime(), { ...settlement, outcome: { kind: 'failed', reason: 'rejected' } })).toEqual({
      ok: false,
      error: 'already_settled',
    });
    const [payment] = await runtime().db.query({ text: 'SELECT amount_differs, late FROM payment WHERE provider_transaction_id = $1' }, [
      `T-${billId}`,
    ]);
    expect(payment).toEqual({ amount_differs: true, late: false });
    expect(await breaches()).toEqual([]);
  });

  test('that is denied after it succeeded stays paid: the provider is queried again, and the review stays open if it does not confirm', async () => {
    const merchant = await makeMerchant(runtime());
    const billId = await makeBill(runtime(), merchant, { amount: 5000, mobile: '0712345001' });
    await sandbox.settle(billId);
    const attempt = await onlyAttempt(billId);
    const pace = sandbox.runtime().providers.find('sandbox')?.capabilities;
    if (!pace) throw new Error('there is no sandbox');
    const deny = () =>
      applyOutcome(runtime(), {
        attempt,
        providerAccountId: ACCOUNT,
        outcome: { kind: 'expired' },
        pace,
        source: 'callback',
        leaseToken: null,
      });
    await deny();
    expect(await listReviews(runtime().db, { all: false })).toMatchObject([{ kind: 'contradiction', attemptId: attempt.id }]);
    await sandbox.step();
    expect(await listReviews(runtime().db, { all: false })).toEqual([]);
    expect(await onlyAttempt(billId)).toMatchObject({ state: 'SUCCEEDED', queryCount: 1 });

    // The simulated provider no longer finds the payment.
    await runtime().db.query({ text: 'DELETE FROM sandbox_step' });
    await deny();
    await deny();
    for (let round = 0; round < 3; round += 1) {
      await sandbox.step();
      runtime().advance(HOUR_MS);
    }
    expect(await onlyAttempt(billId)).toMatchObject({ state: 'SUCCEEDED' });
    expect(await bill(merchant, billId)).toMatchObject({ status: 'FULLY_PAID' });
    const [review, ...more] = await listReviews(runtime().db, { all: false });
    expect(more).toEqual([]);
    expect(review).toMatchObject({ kind: 'contradiction', attemptId: attempt.id });
    const id = review?.id ?? '';
    expect(await resolveReview(runtime(), { id, resolution: 'it was paid', actor })).toEqual({ ok: true, value: null });
    expect(await resolveReview(runtime(), { id, resolution: 'twice', actor })).toEqual({ ok: false, error: 'not_found' });
    expect(await resolveReview(runtime(), { id: 'nonsense', resolution: 'x', actor })).toEqual({ ok: false, error: 'not_found' });
  });
});

describe('unmatched money', () => {
  const insertUnmatched = async (amount: bigint): Promise<string> => {
    const id = crypto.randomUUID();
    const account = { id: ACCOUNT, environment: 'sandbox' } as const;
    await insertUnmatchedPayment(runtime().db, {
      id,
      account,
      transactionId: `U-${id}`,
      amount,
      mobile: null,
      recordedAt: runtime().clock(),
    });
    return id;
  };
  const allocate = (paymentId: string, billId: string, amount: bigint | null = null) =>
    allocatePayment(runtime(), { paymentId, billId, amount, reason: 'he showed the receipt', actor });
  const unmatched = async () => (await listUnmatched(runtime().db, 100)).map(({ id, unmatched }) => [id, unmatched]);

  test('is listed, and can be allocated to bills until nothing is left', async () => {
    const merchant = await makeMerchant(runtime());
    const [first, second] = [await makeBill(runtime(), merchant, { amount: 3000 }), await makeBill(runtime(), merchant, { amount: 3000 })];
    const paymentId = await insertUnmatched(500_000n);
    expect(await unmatched()).toEqual([[paymentId, 500_000n]]);
    expect(await allocate(paymentId, first, 300_000n)).toEqual({ ok: true, value: 300_000n });
    expect(await unmatched()).toEqual([[paymentId, 200_000n]]);
    expect(await allocate(paymentId, second, 200_001n)).toEqual({ ok: false, error: 'more_than_unmatched' });
    expect(await allocate(paymentId, second)).toEqual({ ok: true, value: 200_000n });
    expect(await allocate(paymentId, second)).toEqual({ ok: false, error: 'more_than_unmatched' });
    expect(await bill(merchant, first)).toMatchObject({ status: 'FULLY_PAID', paidAmount: 300_000n });
    expect(await bill(merchant, second)).toMatchObject({ status: 'PARTIALLY_PAID', paidAmount: 200_000n });
    expect(await unmatched()).toEqual([]);
    expect(await breaches()).toEqual([]);
  });

  test('that was refunded outside Bili is neither listed nor allocated', async () => {
    const merchant = await makeMerchant(runtime());
    const paymentId = await insertUnmatched(100_000n);
    const refund = () => refundOutside(runtime(), { paymentId, amount: null, reason: 'sent back by hand', actor });
    expect(await refund()).toMatchObject({ ok: true });
    expect(await refund()).toEqual({ ok: false, error: 'nothing_to_refund' });
    expect(await unmatched()).toEqual([]);
    expect(await allocate(paymentId, await makeBill(runtime(), merchant))).toEqual({ ok: false, error: 'refunded' });
    expect(await breaches()).toEqual([]);
  });

  test('cannot be allocated to another merchant or environment', async () => {
    const [owner, stranger] = [await makeMerchant(runtime()), await makeMerchant(runtime())];
    const paidTwice = await makeBill(runtime(), owner, { amount: 5000, mobile: '0712345001' });
    await sandbox.settle(paidTwice);
    const attempt = await onlyAttempt(paidTwice);
    const pace = sandbox.runtime().providers.find('sandbox')?.capabilities;
    if (!pace) throw new Error('there is no sandbox');
    const outcome = { kind: 'paid', transactionId: `SECOND-${paidTwice}`, amount: 500_000n } as const;
    await applyOutcome(runtime(), { attempt, providerAccountId: ACCOUNT, outcome, pace, source: 'callback', leaseToken: null });
    const [second] = await listUnmatched(runtime().db, 100);
    expect(second).toMatchObject({ merchant: owner.merchant.slug, billId: paidTwice, transactionId: outcome.transactionId });
    const id = second?.id ?? '';
    expect(await allocate(id, await makeBill(runtime(), stranger))).toEqual({ ok: false, error: 'other_merchant' });
    expect(await allocate(id, 'nonsense')).toEqual({ ok: false, error: 'bill_not_found' });
    expect(await allocate('nonsense', paidTwice)).toEqual({ ok: false, error: 'payment_not_found' });
    const live = await makeBill(runtime(), owner);
    await runtime().db.query({ text: "UPDATE bill SET environment = 'live' WHERE id = $1" }, [live]);
    expect(await allocate(id, live)).toEqual({ ok: false, error: 'other_environment' });
    await runtime().db.query({ text: "UPDATE bill SET environment = 'sandbox' WHERE id = $1" }, [live]);
    expect(await allocate(id, paidTwice)).toEqual({ ok: true, value: 500_000n });
    expect(await bill(owner, paidTwice)).toMatchObject({ status: 'FULLY_PAID', paidAmount: 1_000_000n });
    expect(await breaches()).toEqual([]);
  });
});
