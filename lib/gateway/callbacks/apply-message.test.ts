import { describe, expect, test } from 'vitest';
import { describeReview } from '@/lib/cli/commands/review-commands';
import { examine } from '@/lib/entry/doctor/examine';
import { type ClaimedAttempt, claimAttempts } from '@/lib/gateway/attempts/claim-attempts';
import { noteAccount } from '@/lib/gateway/attempts/lease-store';
import { findPaymentsOfBill } from '@/lib/gateway/ledger/payment-store';
import { claimMessages, insertProviderMessage, type ProviderMessageRow } from '@/lib/gateway/messages/message-store';
import type { Attempt } from '@/lib/gateway/payments/rules';
import { listAttempts } from '@/lib/gateway/payments/store';
import { claimRefunds, findRefund } from '@/lib/gateway/refund-states/store';
import { requestReversal } from '@/lib/gateway/refunds/ask-refund';
import { resolveReview } from '@/lib/gateway/reviews/resolve-review';
import { listReviews } from '@/lib/gateway/reviews/store';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { newId } from '@/lib/platform/core/ids';
import { findAccountById, openAccount } from '@/lib/providers/accounts/account-store';
import type { ProviderAccount } from '@/lib/providers/port/port';
import { type SandboxReport, SIGNATURE_HEADER, signCallback } from '@/lib/providers/sandbox/wire';
import { testSandbox } from '@/testing/data/sandbox';
import { makeAccount, makeBill, makeMerchant, TEST_OPERATOR, testRuntime } from '@/testing/runtime';
import { applyMessage } from './apply-message';
import { receiveCallback } from './receive-callback';

// No server receives the simulated provider's callbacks.
const runtime = testRuntime({ SANDBOX_BASE_URL: 'http://127.0.0.1:9' });
const sandbox = testSandbox(runtime);
const ACCOUNT = '00000000-0000-7000-8000-5a0db0c00001';

const rows = (text: string, ...values: readonly unknown[]) => runtime().db.query({ text }, values);
const claim = () => claimMessages(runtime().db, { now: runtime().clock(), limit: 100 });

async function sandboxAccount(): Promise<ProviderAccount> {
  const account = await findAccountById(runtime().db, ACCOUNT);
  if (!account) throw new Error('the migrations make the sandbox account');
  return openAccount(runtime(), account);
}

async function attemptOf(billId: string): Promise<Attempt> {
  const [attempt] = await listAttempts(runtime().db, billId);
  if (!attempt) throw new Error('the bill has no prompt');
  return attempt;
}

const bill = async (ends: string) => makeBill(runtime(), await makeMerchant(runtime()), { amount: 5000, mobile: `0712345${ends}` });

/** Creates a bill and works on its attempt until it has the given state. */
async function billIn(state: Attempt['state'], ends: string): Promise<Attempt> {
  const billId = await bill(ends);
  for (let round = 0; round < 40 && (await attemptOf(billId)).state !== state; round += 1) {
    await sandbox.step();
    runtime().advance(6 * SECOND_MS);
  }
  expect(await attemptOf(billId)).toMatchObject({ state });
  return attemptOf(billId);
}

async function claimed(ends: string): Promise<ClaimedAttempt> {
  const billId = await bill(ends);
  const { db, clock } = runtime();
  const due = await claimAttempts(db, { now: clock(), leaseUntil: addMs(clock(), MINUTE_MS), limit: 100 });
  const attempt = due.find((one) => one.billId === billId);
  if (!attempt) throw new Error('the attempt was not due');
  expect(await noteAccount(db, attempt, { accountId: ACCOUNT, leaseUntil: addMs(clock(), MINUTE_MS) })).toBe('noted');
  return attempt;
}

function callbackOf(report: Partial<SandboxReport> & { reference: string }) {
  const body = JSON.stringify({ status: 'PAID', receipt: null, amount: null, reversalReceipt: null, ...report });
  const signature = signCallback(runtime().secrets.key('sandbox-provider'), body);
  return { headers: { [SIGNATURE_HEADER]: signature }, body: new Uint8Array(Buffer.from(body)) };
}

/** Stores a message without applying it, like a process that dies in between. */
async function store(message: Pick<ProviderMessageRow, 'kind' | 'message'> & Partial<ProviderMessageRow>): Promise<string> {
  const id = newId(runtime());
  const account = await sandboxAccount();
  const receivedAt = runtime().clock();
  await insertProviderMessage(runtime().db, { id, account, attemptId: null, leaseToken: null, receivedAt, ...message });
  return id;
}

const answerOf = (body: object, status = 200) => ({
  status,
  headers: {},
  body: new Uint8Array(Buffer.from(JSON.stringify(body))),
  lost: null,
  error: null,
});

/** Applies the due messages like a worker. Returns their ids. */
async function work(): Promise<string[]> {
  const messages = await claim();
  for (const message of messages) await applyMessage(sandbox.runtime(), message);
  return messages.map(({ id }) => id);
}

const handled = async (id: string) =>
  (await rows('SELECT handled_at IS NOT NULL AS handled FROM provider_message WHERE id = $1', id))[0]?.handled;

describe('a callback that was stored and not applied', () => {
  test('is applied by a worker after ten seconds, here late money for an expired attempt', async () => {
    const attempt = await billIn('EXPIRED', '005');
    const id = await store({ kind: 'callback', message: callbackOf({ reference: attempt.ourReference, receipt: 'LATE', amount: 5000 }) });
    runtime().advance(9 * SECOND_MS);
    expect(await work()).not.toContain(id);
    runtime().advance(2 * SECOND_MS);
    expect(await work()).toContain(id);
    expect(await attemptOf(attempt.billId)).toMatchObject({ state: 'SUCCEEDED' });
    expect(await findPaymentsOfBill(runtime().db, attempt.billId)).toMatchObject([{ transactionId: 'LATE', amount: 500_000n }]);
    expect(await rows('SELECT attempt_id, handled_at IS NOT NULL AS handled FROM provider_message WHERE id = $1', id)).toEqual([
      { attempt_id: attempt.id, handled: true },
    ]);
    runtime().advance(DAY_MS);
    expect(await work()).not.toContain(id);
  });

  test('is applied once when several workers claim at the same time', async () => {
    const ids = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        store({ kind: 'callback', message: callbackOf({ reference: `NOBODYS${index}`, receipt: `STRAY${index}`, amount: 70 }) }),
      ),
    );
    runtime().advance(11 * SECOND_MS);
    const taken = (await Promise.all([work(), work(), work()])).flat();
    expect(taken.toSorted()).toEqual(ids.toSorted());
    expect(await rows("SELECT count(*)::int AS n FROM payment WHERE provider_transaction_id LIKE 'STRAY%'")).toEqual([{ n: 6 }]);
  });

  test('makes the status query of its reversal due', async () => {
    const paid = await billIn('SUCCEEDED', '001');
    const [payment] = await findPaymentsOfBill(runtime().db, paid.billId);
    const requested = await requestReversal(sandbox.runtime(), {
      paymentId: payment?.id ?? '',
      amount: null,
      reason: 'wrong goods',
      actor: TEST_OPERATOR,
    });
    if (!requested.ok) throw new Error(requested.error);
    await rows("UPDATE refund SET state = 'UNKNOWN', due_at = $2 WHERE id = $1", requested.value, addMs(runtime().clock(), HOUR_MS));
    const request = await findRefund(runtime().db, requested.value);
    await store({ kind: 'callback', message: callbackOf({ reference: request?.ourReference ?? '', status: 'PENDING' }) });
    runtime().advance(11 * SECOND_MS);
    await work();
    const now = runtime().clock();
    expect(await claimRefunds(runtime().db, { now, leaseUntil: addMs(now, MINUTE_MS), limit: 10 })).toMatchObject([
      { id: requested.value },
    ]);
  });

  test('because of a lock timeout on the bill is applied by a worker', async () => {
    const attempt = await billIn('EXPIRED', '005');
    const { db } = runtime();
    const token = (await sandboxAccount()).callbackUrl.split('/').at(-1) ?? '';
    const callback = callbackOf({ reference: attempt.ourReference, receipt: 'BUSY', amount: 5000 });
    await db.transaction(async (tx) => {
      await tx.query({ text: 'SELECT 1 FROM bill WHERE id = $1 FOR UPDATE' }, [attempt.billId]);
      await expect(receiveCallback(sandbox.runtime(), { provider: 'sandbox', token, callback })).rejects.toThrow('lock timeout');
    });
    expect(await attemptOf(attempt.billId)).toMatchObject({ state: 'EXPIRED' });
    runtime().advance(11 * SECOND_MS);
    await work();
    expect(await attemptOf(attempt.billId)).toMatchObject({ state: 'SUCCEEDED' });
    expect(await findPaymentsOfBill(db, attempt.billId)).toMatchObject([{ transactionId: 'BUSY' }]);
  });
});

describe('an answer that was stored and not applied', () => {
  test('fails the attempt if it is a refusal, before the lease of the dead worker expires', async () => {
    const attempt = await claimed('006');
    const id = await store({
      kind: 'answer',
      attemptId: attempt.id,
      leaseToken: attempt.leaseToken,
      message: answerOf({ status: 'NOT_REGISTERED' }, 400),
    });
    runtime().advance(11 * SECOND_MS);
    await work();
    expect(await attemptOf(attempt.billId)).toMatchObject({ state: 'FAILED', failureReason: 'mobile_not_registered', sendCount: 1 });
    expect(await handled(id)).toBe(true);
  });

  test('queues the attempt again if the request was not sent, unless another worker has claimed it since', async () => {
    const message = { status: null, headers: {}, body: new Uint8Array(), lost: 'not_sent', error: 'refused' } as const;
    const [first, second] = [await claimed('001'), await claimed('001')];
    for (const { id, leaseToken } of [first, second]) await store({ kind: 'answer', attemptId: id, leaseToken, message });
    await rows('UPDATE push_attempt SET lease_token = lease_token + 1 WHERE id = $1', second.id);
    runtime().advance(11 * SECOND_MS);
    await work();
    expect(await attemptOf(first.billId)).toMatchObject({ state: 'QUEUED' });
    expect(await attemptOf(second.billId)).toMatchObject({ state: 'SENDING' });
  });

  test('to a status query is booked', async () => {
    const attempt = await billIn('AWAITING_CUSTOMER', '005');
    const report = { reference: attempt.ourReference, status: 'PAID', receipt: 'ASKED', amount: 5000, reversalReceipt: null };
    await store({ kind: 'status', attemptId: attempt.id, leaseToken: attempt.leaseToken, message: answerOf(report) });
    runtime().advance(11 * SECOND_MS);
    await work();
    expect(await findPaymentsOfBill(runtime().db, attempt.billId)).toMatchObject([{ transactionId: 'ASKED' }]);
  });

  test('to a reversal request settles the request', async () => {
    const paid = await billIn('SUCCEEDED', '001');
    const [payment] = await findPaymentsOfBill(runtime().db, paid.billId);
    const requested = await requestReversal(sandbox.runtime(), {
      paymentId: payment?.id ?? '',
      amount: null,
      reason: 'wrong goods',
      actor: TEST_OPERATOR,
    });
    if (!requested.ok) throw new Error(requested.error);
    const now = runtime().clock();
    const [request] = await claimRefunds(runtime().db, { now, leaseUntil: addMs(now, MINUTE_MS), limit: 10 });
    await store({
      kind: 'refund',
      attemptId: paid.id,
      refundId: requested.value,
      leaseToken: request?.leaseToken ?? -1,
      message: answerOf({ status: 'NOT_PAID' }, 409),
    });
    runtime().advance(11 * SECOND_MS);
    await work();
    expect(await findRefund(runtime().db, requested.value)).toMatchObject({ state: 'FAILED', failureReason: 'rejected' });
  });
});

test('a message that can never be applied is given up after a day, with a review, and then doctor is content', async () => {
  const account = await makeAccount(runtime(), { provider: 'unheard-of', credentials: '{}', callbackUrl: '' });
  const attempt = await billIn('EXPIRED', '005');
  const stray = await store({ kind: 'callback', account, message: callbackOf({ reference: 'X', receipt: 'X', amount: 1 }) });
  const known = await store({ kind: 'status', account, attemptId: attempt.id, leaseToken: 1, message: answerOf({}) });
  for (let hour = 0; hour < 30; hour += 1) {
    runtime().advance(HOUR_MS);
    await work();
  }
  expect([await handled(stray), await handled(known)]).toEqual([true, true]);
  const reviews = (await listReviews(runtime().db, { all: false })).filter(({ data }) => data.problem === 'message_fails');
  expect(reviews.map(({ attemptId, messageId }) => ({ attemptId, messageId }))).toEqual([
    { attemptId: null, messageId: stray },
    { attemptId: attempt.id, messageId: null },
  ]);
  for (const review of reviews) expect(describeReview(review).join('\n')).toContain('bili review resolve');
  expect((await examine(sandbox.runtime())).find(({ name }) => name === 'messages_applied')).toMatchObject({ level: 'ok' });
  for (const { id } of reviews)
    expect(await resolveReview(sandbox.runtime(), { id, resolution: 'read the statement', actor: TEST_OPERATOR })).toMatchObject({
      ok: true,
    });
});

test('a callback with a reference that cannot be stored is handled at once', async () => {
  const account = await makeAccount(runtime(), { provider: 'airtel', credentials: '{}', callbackUrl: '' });
  const body = new Uint8Array(Buffer.from('{"transaction":{"id":"\\u0000","status_code":"TS"}}'));
  const id = await store({ kind: 'callback', account, message: { headers: {}, body } });
  runtime().advance(11 * SECOND_MS);
  await work();
  expect(await handled(id)).toBe(true);
});

test('a message that cannot be applied is retried with growing delays, delays no other, and is reported by bili doctor', async () => {
  const account = await makeAccount(runtime(), { provider: 'unheard-of', credentials: '{}', callbackUrl: '' });
  const message = callbackOf({ reference: 'X', receipt: 'X', amount: 1 });
  const bad = await store({ kind: 'callback', account, message });
  const examined = async () => (await examine(sandbox.runtime())).find(({ name }) => name === 'messages_applied');
  runtime().advance(11 * SECOND_MS);
  expect(await examined()).toMatchObject({ level: 'ok' });
  let tries = 0;
  for (let minute = 0; minute < 180; minute += 1) {
    const good = await store({ kind: 'callback', message: callbackOf({ reference: `G${minute}`, status: 'PENDING' }) });
    runtime().advance(MINUTE_MS + SECOND_MS);
    if ((await work()).includes(bad)) tries += 1;
    expect(await handled(good)).toBe(true);
  }
  expect(tries).toBeGreaterThan(6);
  expect(tries).toBeLessThan(10);
  expect(await examined()).toMatchObject({
    level: 'wrong',
    details: [expect.stringMatching(`${bad} from unheard-of, .*failed to apply ${tries} times`)],
  });
  await rows("UPDATE provider_account SET provider = 'sandbox' WHERE id = $1", account.id);
  runtime().advance(HOUR_MS);
  await work();
  expect(await examined()).toMatchObject({ level: 'ok' });
});
