import { expect, test } from 'vitest';
import { applyOutcome } from '@/lib/gateway/attempts/apply-outcome';
import { claimAttempts } from '@/lib/gateway/attempts/claim-attempts';
import { noteAccount } from '@/lib/gateway/attempts/lease-store';
import { makeQueryDue } from '@/lib/gateway/attempts/unsigned-callback';
import { workAttempt } from '@/lib/gateway/attempts/work-attempt';
import { findBill } from '@/lib/gateway/bills/store';
import { verifyLedger } from '@/lib/gateway/ledger/verify-ledger';
import { showPayPage } from '@/lib/gateway/payment-page/show-pay-page';
import { requestPrompt } from '@/lib/gateway/prompts/request-prompt';
import { addMs, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { parseMobile } from '@/lib/platform/core/mobile';
import { testReconciling, uniqueId } from '@/testing/data/reconciling';
import { testSandbox } from '@/testing/data/sandbox';
import { makeBill, makeMerchant, testRuntime } from '@/testing/runtime';
import { findAttempt, listAttempts } from './store';

const runtime = testRuntime({ SANDBOX_BASE_URL: 'http://127.0.0.1:9' });
const sandbox = testSandbox(runtime);
const tools = testReconciling(runtime);
const ours = (id: string) => findAttempt(runtime().db, id);

/** Claims one attempt. First clears the due times of all other attempts, so that they are not claimed. */
async function claimOnly(id: string) {
  await tools.rows('UPDATE push_attempt SET due_at = NULL WHERE id <> $1', id);
  const now = runtime().clock();
  const [claimed] = await claimAttempts(runtime().db, { now, leaseUntil: addMs(now, 30 * SECOND_MS), limit: 10 });
  if (!claimed) throw new Error('the attempt was not due');
  return claimed;
}

test('a waiting prompt is cancelled if the bill was paid meanwhile so far that less is left than the prompt asks for', async () => {
  const till = await tools.makeTill(await makeMerchant(runtime()));
  for (const [amount, becomes] of [
    [500_000n, 'CANCELLED'],
    [100_000n, 'CANCELLED'],
    [0n, 'AWAITING_CUSTOMER'],
  ] as const) {
    const first = await tools.unknownAttempt(till);
    await tools.report(till, first, { kind: 'expired' });
    const mobile = parseMobile('0712345005');
    if (mobile === null) throw new Error('the number is invalid');
    await requestPrompt(runtime(), { environment: 'sandbox', billId: first.billId, mobile });
    if (amount > 0n) await tools.report(till, first, { kind: 'paid', transactionId: uniqueId('LATE'), amount });
    await sandbox.step();
    const second = (await listAttempts(runtime().db, first.billId)).at(-1);
    expect(second?.state).toBe(becomes);
    const bill = await findBill(runtime().db, till.merchant.scope('sandbox'), first.billId);
    expect(bill?.reservedAmount).toBe(becomes === 'CANCELLED' ? 0n : 500_000n);
  }
  expect((await verifyLedger(runtime().db)).filter(({ count }) => count > 0)).toEqual([]);
});

test('late money that comes while the worker prepares the call cancels the prompt, as the last step before the call', async () => {
  const till = await tools.makeTill(await makeMerchant(runtime()));
  const first = await tools.unknownAttempt(till);
  await tools.report(till, first, { kind: 'expired' });
  const mobile = parseMobile('0712345005');
  if (mobile === null) throw new Error('the number is invalid');
  await requestPrompt(runtime(), { environment: 'sandbox', billId: first.billId, mobile });
  const second = (await listAttempts(runtime().db, first.billId)).at(-1);
  const claimed = await claimOnly(second?.id ?? '');
  const held = { accountId: claimed.accountId ?? '', leaseUntil: addMs(runtime().clock(), MINUTE_MS) };
  await tools.report(till, first, { kind: 'paid', transactionId: uniqueId('LATE'), amount: 100_000n });
  expect(await noteAccount(runtime().db, claimed, held)).toBe('overtaken');
  expect(await ours(claimed.id)).toMatchObject({ state: 'SENDING', providerAccountId: null });
});

test.each([
  { what: 'an unsigned callback', claimsPaid: false, first: null },
  { what: 'an unsigned claim of a payment, which the provider denies at first,', claimsPaid: true, first: 'EXPIRED' },
])('$what about an expired attempt makes a status query due, which finds the late payment', async ({ claimsPaid, first }) => {
  const merchant = await makeMerchant(runtime());
  const till = await tools.makeTill(merchant);
  const attempt = await tools.unknownAttempt(till);
  await tools.rows(
    `INSERT INTO sandbox_prompt (reference, mobile, amount, callback_url, receipt, created_at) VALUES ($1, '255712345011', 5000, 'http://127.0.0.1:9', $2, now())`,
    attempt.ourReference,
    uniqueId('SBX'),
  );
  await tools.report(till, attempt, { kind: 'expired' });
  expect(await makeQueryDue(runtime().db, attempt.id, { now: runtime().clock(), claimsPaid })).toBe(true);
  const setStatus = (status: string, number: number) =>
    tools.rows(
      'INSERT INTO sandbox_step (reference, number, status, announced, due_at, done_at) VALUES ($1, $2, $3, false, $4, $4)',
      attempt.ourReference,
      number,
      status,
      runtime().clock(),
    );
  if (first) await setStatus(first, 0);
  await sandbox.step();
  // The status is not final, so another query follows.
  expect(await ours(attempt.id)).toMatchObject({ state: 'EXPIRED', queryCount: 1 });
  await setStatus('PAID', 1);
  runtime().advance(MINUTE_MS);
  await sandbox.step();
  expect(await ours(attempt.id)).toMatchObject({ state: 'SUCCEEDED' });
  expect(await tools.rows('SELECT late FROM payment WHERE attempt_id = $1', attempt.id)).toEqual([{ late: true }]);
  const due = () => tools.rows('SELECT due_at FROM push_attempt WHERE id = $1', attempt.id);
  expect(await due()).toEqual([{ due_at: null }]);
});

test('an unsigned callback during a status query leads to another query', async () => {
  const till = await tools.makeTill();
  const attempt = await tools.unknownAttempt(till);
  await tools.rows('UPDATE push_attempt SET due_at = $2, query_count = 12 WHERE id = $1', attempt.id, runtime().clock());
  const claimed = await claimOnly(attempt.id);
  await makeQueryDue(runtime().db, attempt.id, { now: runtime().clock(), claimsPaid: false });
  const pace = sandbox.runtime().providers.find('sandbox')?.capabilities;
  if (!pace) throw new Error('there is no sandbox');
  const { leaseToken } = claimed;
  await applyOutcome(runtime(), { attempt, providerAccountId: till.id, outcome: { kind: 'pending' }, pace, source: 'status', leaseToken });
  expect((await claimOnly(attempt.id)).queryCount).toBe(14);
});

test('a worker that has lost its lease does not put a sent prompt back into the queue', async () => {
  const till = await tools.makeTill();
  const attempt = await tools.unknownAttempt(till);
  // The attempt was interrupted before it got an account.
  await tools.rows('UPDATE push_attempt SET provider_account_id = NULL, due_at = $2 WHERE id = $1', attempt.id, runtime().clock());
  const stale = await claimOnly(attempt.id);
  // Another worker has put the attempt back into the queue, sent it, and lost the answer.
  await tools.rows('UPDATE push_attempt SET provider_account_id = $2, lease_token = lease_token + 2 WHERE id = $1', attempt.id, till.id);
  await workAttempt(sandbox.runtime(), stale, new AbortController().signal);
  expect(await ours(attempt.id)).toMatchObject({ state: 'UNKNOWN' });
});

test('the page does not claim that a prompt was sent if it could not be sent yet', async () => {
  const merchant = await makeMerchant(runtime());
  const pageOf = async (ends: string) => {
    const billId = await makeBill(runtime(), merchant, { amount: 5000, mobile: `0712345${ends}` });
    const before = await showPayPage(runtime(), 'sandbox', billId);
    await sandbox.step();
    const after = await showPayPage(runtime(), 'sandbox', billId);
    return [before?.state.kind, after?.state.kind];
  };
  expect(await pageOf('005')).toEqual(['sending', 'prompted']);
  expect(await pageOf('013')).toEqual(['sending', 'queued']);
});
