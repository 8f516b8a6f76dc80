import { beforeAll, beforeEach, expect, test } from 'vitest';
import { receiveCallback } from '@/lib/gateway/callbacks/receive-callback';
import { listAttempts } from '@/lib/gateway/payments/store';
import { findAccountById, openAccount } from '@/lib/providers/accounts/account-store';
import { listMissingProofs, type Proof } from '@/lib/providers/accounts/history-store';
import { SIGNATURE_HEADER, signCallback } from '@/lib/providers/sandbox/wire';
import { testSandbox } from '@/testing/data/sandbox';
import { makeBill, makeMerchant, testRuntime } from '@/testing/runtime';
import { proofsOf } from './apply-outcome';

const runtime = testRuntime({ SANDBOX_BASE_URL: 'http://127.0.0.1:9' });
const sandbox = testSandbox(runtime);
const ACCOUNT = '00000000-0000-7000-8000-5a0db0c00001';
let token: string;

beforeAll(async () => {
  const account = await findAccountById(runtime().db, ACCOUNT);
  if (!account) throw new Error('the migrations make the sandbox account');
  token = openAccount(runtime(), account).callbackUrl.split('/').at(-1) ?? '';
});
beforeEach(async () => {
  await runtime().db.query({ text: 'UPDATE push_attempt SET due_at = NULL' });
});

const missing = async () => (await listMissingProofs(runtime().db, [ACCOUNT])).get(ACCOUNT);

async function newAttempt(mobile: string) {
  const billId = await makeBill(runtime(), await makeMerchant(runtime()), { mobile });
  await sandbox.step();
  const [attempt] = await listAttempts(runtime().db, billId);
  if (!attempt) throw new Error('the bill has no attempt');
  return { ...attempt, billId };
}

async function settled(mobile: string): Promise<void> {
  await sandbox.settle((await newAttempt(mobile)).billId);
}

/** Sends the callback of a payment to Bili. Returns the HTTP status. */
async function callback(reference: string, signed: boolean) {
  const text = JSON.stringify({ reference, status: 'PAID', receipt: `SBX${reference.slice(0, 9)}`, amount: 5001 });
  const signature = signed ? signCallback(runtime().secrets.key('sandbox-provider'), text) : 'ab'.repeat(32);
  const raw = { headers: { [SIGNATURE_HEADER]: signature }, body: new Uint8Array(Buffer.from(text)) };
  const answer = await receiveCallback(sandbox.runtime(), { provider: 'sandbox', token, callback: raw });
  return answer.ok ? answer.value.status : answer.error;
}

test('an account is unproven until its own history contains each kind of outcome', async () => {
  expect(await missing()).toEqual(['callback', 'query', 'refusal', 'unknown']);

  // A callback with a wrong signature comes, then a status query finds the payment. Such a callback proves nothing. The query proves
  // nothing either, because only a payment that is found without any callback counts.
  const announced = await newAttempt('0754001001');
  expect(await callback(announced.ourReference, false)).toBe(401);
  await sandbox.settle(announced.billId);
  expect((await listAttempts(runtime().db, announced.billId))[0]).toMatchObject({ state: 'SUCCEEDED' });
  expect(await missing()).toEqual(['callback', 'query', 'refusal', 'unknown']);

  await settled('0754002007');
  expect(await missing()).toEqual(['callback', 'refusal', 'unknown']);

  const reported = await newAttempt('0754003001');
  expect(await callback(reported.ourReference, true)).toBe(200);
  expect(await missing()).toEqual(['refusal', 'unknown']);

  await settled('0754004003');
  expect(await missing()).toEqual(['unknown']);

  await settled('0754005010');
  expect(await missing()).toEqual([]);
  const proofs = await runtime().db.query({
    text: 'SELECT p.kind, a.mobile FROM provider_proof p JOIN push_attempt a ON a.id = p.attempt_id ORDER BY p.kind',
  });
  expect(proofs).toEqual([
    { kind: 'callback', mobile: '0754003001' },
    { kind: 'query', mobile: '0754002007' },
    { kind: 'refusal', mobile: '0754004003' },
    { kind: 'unknown', mobile: '0754005010' },
  ]);
});

type Told = Parameters<typeof proofsOf>[0];
const PAID = { kind: 'paid', transactionId: 'R1', amount: 100n } as const;

test.each<[string, Told['source'], Told['outcome'], Partial<Told['attempt']>, Told['decision']['state'], Proof[]]>([
  ['an unsigned callback that a query confirmed', 'status', PAID, { claimedPaidAt: new Date(0) }, 'SUCCEEDED', ['callback']],
  ['an answer that contains the payment', 'answer', PAID, {}, 'SUCCEEDED', []],
  ['a refusal of the account', 'answer', { kind: 'failed', reason: 'merchant_config' }, {}, 'FAILED', []],
  ['a refusal of the number', 'answer', { kind: 'failed', reason: 'mobile_not_registered' }, {}, 'FAILED', ['refusal']],
  ['a failure that Bili decided', 'gateway', { kind: 'failed', reason: 'wrong_pin' }, {}, 'FAILED', []],
  [
    'an unknown outcome that a query settled as refused',
    'status',
    { kind: 'failed', reason: 'wrong_pin' },
    { state: 'UNKNOWN' },
    'FAILED',
    ['unknown', 'refusal'],
  ],
  ['an unknown outcome that a person settled', 'operator', PAID, { state: 'UNKNOWN' }, 'SUCCEEDED', ['unknown']],
  ['an unknown outcome that is still open', 'status', { kind: 'pending' }, { state: 'UNKNOWN' }, 'AWAITING_CUSTOMER', []],
  ['a payment that was already booked', 'callback', PAID, { state: 'SUCCEEDED' }, 'SUCCEEDED', []],
])('%s', async (_name, source, outcome, changes, state, proofs) => {
  const [attempt] = await listAttempts(runtime().db, (await newAttempt('0754009002')).billId);
  if (!attempt) throw new Error('the bill has no attempt');
  const decision = {
    state,
    failureReason: null,
    providerReference: null,
    dueAt: null,
    payment: null,
    evidence: null,
    leaves: false,
    review: null,
  };
  expect(proofsOf({ attempt: { ...attempt, ...changes }, decision, outcome, source })).toEqual(proofs);
});
