import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { describeReview } from '@/lib/cli/commands/review-commands';
import { applyOutcome } from '@/lib/gateway/attempts/apply-outcome';
import { claimAttempts } from '@/lib/gateway/attempts/claim-attempts';
import { noteAccount } from '@/lib/gateway/attempts/lease-store';
import { findUnqueryable } from '@/lib/gateway/attempts/query-attempt';
import { settleAttempt } from '@/lib/gateway/attempts/settle-attempt';
import { workAttempt } from '@/lib/gateway/attempts/work-attempt';
import { receiveCallback } from '@/lib/gateway/callbacks/receive-callback';
import { verifyLedger } from '@/lib/gateway/ledger/verify-ledger';
import { listReviews } from '@/lib/gateway/reviews/store';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { newId } from '@/lib/platform/core/ids';
import { encryptCredentials, findAccountById, insertAccount, openAccount } from '@/lib/providers/accounts/account-store';
import { startAzampaySimulator } from '@/lib/providers/azampay/simulator';
import { createRegistry } from '@/lib/providers/registry';
import { PACE } from '@/testing/data/attempts';
import { makeBill, makeMerchant, TEST_OPERATOR, testRuntime } from '@/testing/runtime';
import { decide } from './rules';
import { listAttempts } from './store';

// AzamPay finds a payment only by AzamPay's own id. If the answer with this id was lost, only an unsigned callback contains the id.
const runtime = testRuntime({ SANDBOX_BASE_URL: 'http://127.0.0.1:9' });
let simulator: Awaited<ReturnType<typeof startAzampaySimulator>>;
let accountId: string;
let token: string;

beforeAll(async () => {
  const { db, clock, random } = runtime();
  simulator = await startAzampaySimulator({ clock, random });
  accountId = newId(runtime());
  await db.query({ text: 'UPDATE provider_account SET disabled_at = $1' }, [clock()]);
  await insertAccount(db, {
    id: accountId,
    environment: 'sandbox',
    merchantId: null,
    provider: 'azampay',
    label: 'azampay',
    networks: ['vodacom'],
    encryptedCredentials: encryptCredentials(runtime(), accountId, JSON.stringify(simulator.credentials)),
    createdAt: clock(),
  });
  const stored = await findAccountById(db, accountId);
  if (!stored) throw new Error('the account was made');
  token = openAccount(runtime(), stored).callbackUrl.split('/').at(-1) ?? '';
});
afterAll(() => simulator.stop());
beforeEach(() => runtime().db.query({ text: 'UPDATE push_attempt SET due_at = NULL' }));

const worker = () => ({ ...runtime(), providers: createRegistry(runtime(), null) });
const claim = () => claimAttempts(runtime().db, { now: runtime().clock(), leaseUntil: addMs(runtime().clock(), MINUTE_MS), limit: 10 });
let customers = 0;

async function newBill(ends: string): Promise<string> {
  customers += 1;
  return makeBill(runtime(), await makeMerchant(runtime()), { mobile: `0754${String(customers).padStart(3, '0')}${ends}` });
}

/** Works on all attempts that are due now. Returns their number. */
async function work(): Promise<number> {
  const due = await claim();
  for (const attempt of due) await workAttempt(worker(), attempt, new AbortController().signal);
  return due.length;
}

async function attemptOf(billId: string) {
  const [attempt] = await listAttempts(runtime().db, billId);
  if (!attempt) throw new Error('the bill has no attempt');
  return attempt;
}

async function announce(reference: string, transid: string, transactionstatus = 'success'): Promise<void> {
  const body = JSON.stringify({ utilityref: reference, transid, transactionstatus, operator: 'Mpesa', amount: '5001' });
  const callback = { headers: {}, body: new Uint8Array(Buffer.from(body)) };
  expect(await receiveCallback(worker(), { provider: 'azampay', token, callback })).toMatchObject({ ok: true, value: { status: 200 } });
}

const reviewsOf = async (attemptId: string) =>
  (await listReviews(runtime().db, { all: false })).filter((one) => one.attemptId === attemptId);
const idAt = (reference: string) => simulator.payments.find((payment) => payment.reference === reference)?.id ?? '';

/** Creates a bill and sends its payment request. The customer pays, but the provider's answer is lost. Returns the attempt. */
async function lostAnswer() {
  const billId = await newBill('010');
  await work();
  const attempt = await attemptOf(billId);
  expect(attempt).toMatchObject({ state: 'UNKNOWN', providerReference: null, sendCount: 1 });
  expect(await findUnqueryable(worker(), attempt.id)).toBe(attempt.ourReference);
  return attempt;
}

test('a callback is no proof of a payment that cannot be queried: a person gets its id, and settles the attempt', async () => {
  const { billId, id, ourReference } = await lostAnswer();
  const transactionId = idAt(ourReference);
  await announce(ourReference, transactionId);
  await work();
  await announce(ourReference, transactionId);
  await work();
  expect(await attemptOf(billId)).toMatchObject({ state: 'UNKNOWN', providerReference: null });
  const reviews = await reviewsOf(id);
  expect(reviews).toMatchObject([{ kind: 'attempt_unresolved', data: { providerReference: transactionId, otherAttempt: null } }]);
  expect(reviews[0]?.data).not.toHaveProperty('more');
  const text = reviews.flatMap(describeReview).join('\n');
  expect(text).toContain(`under the id ${transactionId}; it proves nothing`);
  expect(text).toContain(`bili attempt settle ${id} --failed`);
  expect(simulator.payments.find((payment) => payment.reference === ourReference)).toMatchObject({ queriedAt: null });

  const outcome = { kind: 'paid', transactionId, amount: 500_100n } as const;
  const settled = await settleAttempt(worker(), { attemptId: id, outcome, reason: 'seen in the dashboard', actor: TEST_OPERATOR });
  expect(settled).toMatchObject({ ok: true, value: { state: 'SUCCEEDED' } });
  expect(await reviewsOf(id)).toEqual([]);
  expect((await verifyLedger(runtime().db)).filter(({ count }) => count > 0)).toEqual([]);
});

test('a callback that comes before the answer is lost leads to the same review', async () => {
  const billId = await newBill('010');
  const [attempt] = await claim();
  if (attempt?.billId !== billId) throw new Error('the attempt was not due');
  await noteAccount(runtime().db, attempt, { accountId, leaseUntil: addMs(runtime().clock(), MINUTE_MS) });
  await announce(attempt.ourReference, 'EARLY');
  await workAttempt(worker(), attempt, new AbortController().signal);
  await work();
  expect(await attemptOf(billId)).toMatchObject({ state: 'UNKNOWN' });
  expect(await reviewsOf(attempt.id)).toMatchObject([{ data: { providerReference: 'EARLY' } }]);
});

test("the review says if the id is another attempt's, and keeps every id that callbacks name", async () => {
  const other = await newBill('001');
  await work();
  const { id: otherAttempt, providerReference } = await attemptOf(other);
  const { id, ourReference } = await lostAnswer();
  await announce(ourReference, providerReference ?? '');
  await work();
  await announce(ourReference, 'ANOTHER');
  await work();
  const [review] = await reviewsOf(id);
  expect(review?.data).toMatchObject({ providerReference, otherAttempt, more: [{ providerReference: 'ANOTHER', otherAttempt: null }] });
  expect(review && describeReview(review).join()).toContain(`which belongs to the attempt ${otherAttempt}`);
});

test('a claimed failure opens no review, and changes nothing', async () => {
  const { billId, id, ourReference } = await lostAnswer();
  await announce(ourReference, 'FAILED', 'failure');
  await work();
  expect(await attemptOf(billId)).toMatchObject({ state: 'UNKNOWN' });
  expect(await reviewsOf(id)).toEqual([]);
});

test('a claim about an attempt that was refused opens a review, which closes when the attempt is settled', async () => {
  const billId = await newBill('006');
  await work();
  const { id, ourReference, state } = await attemptOf(billId);
  expect(state).toBe('FAILED');
  await announce(ourReference, 'LATE');
  await work();
  const reviews = await reviewsOf(id);
  expect(reviews).toMatchObject([{ kind: 'attempt_unresolved', data: { state: 'FAILED', providerReference: 'LATE' } }]);
  expect(reviews.flatMap(describeReview).join('\n')).toContain(`if it was not paid: bili review resolve ${reviews[0]?.id}`);
  const outcome = { kind: 'paid', transactionId: 'LATE', amount: 500_100n } as const;
  await settleAttempt(worker(), { attemptId: id, outcome, reason: 'seen in the dashboard', actor: TEST_OPERATOR });
  expect(await attemptOf(billId)).toMatchObject({ state: 'SUCCEEDED' });
  expect(await reviewsOf(id)).toEqual([]);
});

test('a claim about a payment whose id is known is checked with that id, not with the id in the callback', async () => {
  const { ourReference: paidReference } = await lostAnswer();
  const billId = await newBill('005');
  await work();
  const { id, ourReference } = await attemptOf(billId);
  await announce(ourReference, idAt(paidReference));
  expect(await findUnqueryable(worker(), id)).toBeNull();
  runtime().advance(5_000);
  expect(await work()).toBe(1);
  expect(await attemptOf(billId)).toMatchObject({ state: 'AWAITING_CUSTOMER', providerReference: idAt(ourReference) });
  expect(await reviewsOf(id)).toEqual([]);
});

test('an attempt that cannot be queried is looked at ever more rarely, is never sent again, and gets a review after 72 hours', async () => {
  const { billId, id, ourReference } = await lostAnswer();
  let looks = 0;
  for (let hour = 0; hour < 71; hour += 1) {
    for (let round = 0; round < 4; round += 1) looks += await work();
    runtime().advance(HOUR_MS);
  }
  expect(looks).toBeLessThan(80);
  expect(await reviewsOf(id)).toEqual([]);
  runtime().advance(DAY_MS);
  await work();
  expect(await reviewsOf(id)).toMatchObject([{ kind: 'attempt_unresolved' }]);
  expect(await attemptOf(billId)).toMatchObject({ state: 'UNKNOWN', sendCount: 1 });
  expect(simulator.payments.filter(({ reference }) => reference === ourReference)).toHaveLength(1);
});

test('an attempt that cannot be queried is not sent again by a worker whose clock is behind', async () => {
  const { billId, ourReference } = await lostAnswer();
  const { db, clock } = runtime();
  await db.query({ text: 'UPDATE push_attempt SET sent_at = $1 WHERE bill_id = $2' }, [addMs(clock(), MINUTE_MS), billId]);
  await announce(ourReference, idAt(ourReference));
  expect(await work()).toBe(1);
  expect(await attemptOf(billId)).toMatchObject({ state: 'UNKNOWN', sendCount: 1 });
  expect(simulator.complaints).toEqual([]);
});

test('an accepted request whose answer has no id waits for the customer, and is then unknown', async () => {
  const billId = await newBill('005');
  await work();
  const { id } = await attemptOf(billId);
  await runtime().db.query({ text: 'UPDATE push_attempt SET provider_reference = NULL WHERE id = $1' }, [id]);
  runtime().advance(MINUTE_MS);
  expect([await work(), await work()]).toEqual([1, 0]);
  expect(await attemptOf(billId)).toMatchObject({ state: 'AWAITING_CUSTOMER' });
  runtime().advance(5 * MINUTE_MS);
  await work();
  expect(await attemptOf(billId)).toMatchObject({ state: 'UNKNOWN', sendCount: 1 });
});

describe('with another account that could send the attempt', () => {
  // The simulated provider cannot be called here, so an attempt that leaves AzamPay waits in the queue. The newer account comes second.
  const allow = (second: boolean) =>
    runtime().db.query(
      {
        text: "UPDATE provider_account SET disabled_at = CASE WHEN $1 THEN NULL ELSE now() END, created_at = now() + interval '1 day' WHERE provider = 'sandbox'",
      },
      [second],
    );
  beforeEach(async () => {
    await allow(true);
    await runtime().db.query({ text: 'UPDATE provider_account SET avoid_until = NULL' });
    simulator.control({ suspended: true });
  });
  afterEach(async () => {
    await allow(false);
    simulator.control({ suspended: false });
  });

  async function refused() {
    const billId = await newBill('001');
    expect(await work()).toBe(1);
    const attempt = await attemptOf(billId);
    expect(attempt).toMatchObject({ state: 'QUEUED', providerAccountId: null, refusedAccountIds: [accountId] });
    return attempt;
  }

  test('a claim at the account that the attempt has left opens a review at once, and the attempt is not sent again', async () => {
    const { id, billId, ourReference } = await refused();
    await announce(ourReference, 'AFTERALL');
    expect(await attemptOf(billId)).toMatchObject({ claimedPaidAt: expect.any(Date), providerAccountId: accountId, refusedAccountIds: [] });
    expect(await reviewsOf(id)).toMatchObject([
      { kind: 'attempt_unresolved', data: { problem: 'claimed_paid', providerReference: 'AFTERALL', leftAccount: accountId } },
    ]);
    for (let round = 0; round < 4; round += 1) {
      await work();
      runtime().advance(MINUTE_MS);
    }
    expect(await attemptOf(billId)).toMatchObject({ state: 'UNKNOWN', sendCount: 1 });
    const outcome = { kind: 'paid', transactionId: 'AFTERALL', amount: 500_100n } as const;
    await settleAttempt(worker(), { attemptId: id, outcome, reason: 'seen in the dashboard', actor: TEST_OPERATOR });
    expect(await attemptOf(billId)).toMatchObject({ state: 'SUCCEEDED' });
    expect(await reviewsOf(id)).toEqual([]);
  });

  test('a claim that comes after the other account has sent the attempt stays in review, although that account is paid', async () => {
    const { id, billId, ourReference } = await refused();
    const [second] = await runtime().db.query({
      text: "SELECT id FROM provider_account WHERE provider = 'sandbox' AND disabled_at IS NULL",
    });
    const sent = (await claim()).find((attempt) => attempt.id === id);
    if (!sent) throw new Error('the attempt was not due');
    expect(sent.accountId).toBe(second?.id);
    await noteAccount(runtime().db, sent, { accountId: sent.accountId ?? '', leaseUntil: addMs(runtime().clock(), MINUTE_MS) });
    await announce(ourReference, 'AFTERALL');
    expect(await attemptOf(billId)).toMatchObject({ claimedPaidAt: expect.any(Date), providerAccountId: second?.id });
    const pace = worker().providers.find('sandbox')?.capabilities;
    if (!pace) throw new Error('there is no sandbox');
    const about = { attempt: sent, providerAccountId: sent.accountId, leaseToken: sent.leaseToken, source: 'status', pace } as const;
    await applyOutcome(runtime(), { ...about, outcome: { kind: 'paid', transactionId: 'SECOND', amount: 500_100n } });
    expect(await attemptOf(billId)).toMatchObject({ state: 'SUCCEEDED' });
    expect(await reviewsOf(id)).toMatchObject([{ data: { leftAccount: accountId, providerReference: 'AFTERALL' } }]);
  });

  test('a claim that comes just before the other account is called stops the call', async () => {
    const { id, billId, ourReference } = await refused();
    const sent = (await claim()).find((attempt) => attempt.id === id);
    if (!sent) throw new Error('the attempt was not due');
    await announce(ourReference, 'AFTERALL');
    await workAttempt(worker(), sent, new AbortController().signal);
    expect(await attemptOf(billId)).toMatchObject({ state: 'UNKNOWN', providerAccountId: accountId });
  });
});

test.each(['QUEUED', 'CANCELLED'] as const)('a claim about an attempt that is %s is remembered, and leads to a query', async (state) => {
  const billId = await newBill('005');
  await work();
  const { id, ourReference } = await attemptOf(billId);
  await runtime().db.query({ text: 'UPDATE push_attempt SET state = $1::attempt_state, due_at = NULL WHERE id = $2' }, [state, id]);
  await announce(ourReference, idAt(ourReference));
  expect(await attemptOf(billId)).toMatchObject({ claimedPaidAt: expect.any(Date) });
  expect(await work()).toBe(1);
  expect(await attemptOf(billId)).toMatchObject({ state: state === 'QUEUED' ? 'UNKNOWN' : state, sendCount: state === 'QUEUED' ? 2 : 1 });
  expect(simulator.payments.filter(({ reference }) => reference === ourReference)).toHaveLength(1);
});

test('a later callback that claims nothing does not erase a claim', async () => {
  const { billId, ourReference } = await lostAnswer();
  await announce(ourReference, 'CLAIMED');
  await announce(ourReference, 'CLAIMED', 'failure');
  const attempt = await attemptOf(billId);
  expect(attempt).toMatchObject({ claimedPaidAt: expect.any(Date) });
  const later = addMs(runtime().clock(), HOUR_MS);
  expect(decide(attempt, { kind: 'not_found' }, { ...PACE, refusesDuplicates: true }, later)).toMatchObject({ state: 'UNKNOWN' });
});

test('the simulator has no complaint about all of this', () => {
  expect(simulator.complaints).toEqual([]);
});
