import { beforeEach, expect, test } from 'vitest';
import { claimAttempts } from '@/lib/gateway/attempts/claim-attempts';
import { noteAccount } from '@/lib/gateway/attempts/lease-store';
import type { Attempt } from '@/lib/gateway/payments/rules';
import { listAttempts } from '@/lib/gateway/payments/store';
import { addMs, MINUTE_MS } from '@/lib/platform/core/clock';
import { findAccountById, openAccount } from '@/lib/providers/accounts/account-store';
import { createRegistry } from '@/lib/providers/registry';
import { SIGNATURE_HEADER, signCallback } from '@/lib/providers/sandbox/wire';
import { makeAccount, makeBill, makeMerchant, testRuntime } from '@/testing/runtime';
import { receiveCallback } from './receive-callback';

const runtime = testRuntime();
const ACCOUNT = '00000000-0000-7000-8000-5a0db0c00001';
let token: string;
let attempt: Attempt;

beforeEach(async () => {
  const { db, clock } = runtime();
  const account = await findAccountById(db, ACCOUNT);
  if (!account) throw new Error('the migrations make the sandbox account');
  token = openAccount(runtime(), account).callbackUrl.split('/').at(-1) ?? '';
  const billId = await makeBill(runtime(), await makeMerchant(runtime()), { mobile: '0712345001' });
  const claimed = await claimAttempts(db, { now: clock(), leaseUntil: addMs(clock(), MINUTE_MS), limit: 1_000 });
  const mine = claimed.find((one) => one.billId === billId);
  if (!mine) throw new Error('the attempt was not due');
  attempt = mine;
  expect(await noteAccount(db, attempt, { accountId: ACCOUNT, leaseUntil: addMs(clock(), MINUTE_MS) })).toBe('noted');
});

async function callback(body: object | string, { signature, at = token }: { signature?: string; at?: string } = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const key = runtime().secrets.key('sandbox-provider');
  const answer = await receiveCallback(
    { ...runtime(), providers: createRegistry(runtime(), null) },
    {
      provider: 'sandbox',
      token: at,
      callback: { headers: { [SIGNATURE_HEADER]: signature ?? signCallback(key, text) }, body: new Uint8Array(Buffer.from(text)) },
    },
  );
  return answer.ok ? answer.value.status : answer.error;
}

const paid = (reference = attempt.ourReference, receipt = `SBX${attempt.ourReference.slice(0, 9)}`) => ({
  reference,
  status: 'PAID',
  receipt,
  amount: 5001,
});
const state = async () => (await listAttempts(runtime().db, attempt.billId))[0]?.state;
const rows = (text: string, values: readonly unknown[]) => runtime().db.query({ text }, values);

test('a signed payment is booked, and its message is stored with the attempt', async () => {
  expect(await callback(paid())).toBe(200);
  expect(await state()).toBe('SUCCEEDED');
  expect(await rows("SELECT kind, convert_from(body, 'UTF8') AS body FROM provider_message WHERE attempt_id = $1", [attempt.id])).toEqual([
    { kind: 'callback', body: JSON.stringify(paid()) },
  ]);
});

test('a callback with a wrong signature is stored and rejected, and changes nothing', async () => {
  expect(await callback(paid(), { signature: 'ab'.repeat(32) })).toBe(401);
  expect(await state()).toBe('SENDING');
  expect(await rows('SELECT 1 AS stored FROM provider_message WHERE attempt_id = $1', [attempt.id])).toEqual([{ stored: 1 }]);
});

test.each(['', 'not json', '[]', '{"reference":5}', '{"reference":"X","status":"RICH","receipt":null,"amount":null}'])(
  'the unreadable callback %j is stored and changes nothing',
  async (body) => {
    expect(await callback(body)).toBe(200);
    expect(await state()).toBe('SENDING');
    expect(
      await rows('SELECT count(*)::int AS n FROM provider_message WHERE body = $1 AND attempt_id IS NULL', [Buffer.from(body)]),
    ).toEqual([{ n: 1 }]);
  },
);

test('a callback address with a wrong token is not found', async () => {
  for (const at of ['', 'nonsense', `${ACCOUNT}.`, `${ACCOUNT}.${'A'.repeat(22)}`, token.slice(0, -1), `${token}x`]) {
    expect(await callback(paid(), { at }), at).toBe('unknown_token');
  }
});

test('a payment with an unknown reference is stored once, as unmatched', async () => {
  const stray = paid('Z'.repeat(20), `STRAY${attempt.ourReference.slice(0, 6)}`);
  expect(await callback(stray)).toBe(200);
  expect(await callback(stray)).toBe(200);
  expect(await rows('SELECT merchant_id, attempt_id, amount FROM payment WHERE provider_transaction_id = $1', [stray.receipt])).toEqual([
    { merchant_id: null, attempt_id: null, amount: 500100n },
  ]);
});

test('an unmatched payment is booked when a callback reports it with the reference of an attempt', async () => {
  const receipt = `LATE${attempt.ourReference.slice(0, 6)}`;
  expect(await callback(paid('Y'.repeat(20), receipt))).toBe(200);
  expect(await callback(paid(undefined, receipt))).toBe(200);
  expect(await state()).toBe('SUCCEEDED');
  expect(await rows('SELECT status, paid_amount FROM bill WHERE id = $1', [attempt.billId])).toEqual([
    { status: 'FULLY_PAID', paid_amount: 500100n },
  ]);
  expect(await rows('SELECT count(*)::int AS n FROM payment WHERE provider_transaction_id = $1', [receipt])).toEqual([{ n: 1 }]);
});

test('the receipt of another attempt is not booked again, and adds one event to the history', async () => {
  expect(await callback(paid(undefined, 'SAME'))).toBe(200);
  const first = attempt;
  const billId = await makeBill(runtime(), await makeMerchant(runtime()), { mobile: '0712345001' });
  const { db, clock } = runtime();
  const second = (await claimAttempts(db, { now: clock(), leaseUntil: addMs(clock(), MINUTE_MS), limit: 1_000 })).find(
    (one) => one.billId === billId,
  );
  if (!second) throw new Error('the second attempt was not due');
  await noteAccount(db, second, { accountId: ACCOUNT, leaseUntil: addMs(clock(), MINUTE_MS) });
  for (let time = 0; time < 3; time += 1) expect(await callback(paid(second.ourReference, 'SAME'))).toBe(200);
  expect(await rows("SELECT attempt_id FROM payment WHERE provider_transaction_id = 'SAME'", [])).toEqual([{ attempt_id: first.id }]);
  expect(
    await rows(
      "SELECT paid_amount FROM bill WHERE id = $1 AND (SELECT count(*) FROM bill_event WHERE bill_id = $1 AND type = 'payment.conflict') = 1",
      [billId],
    ),
  ).toEqual([{ paid_amount: 0n }]);
});

test('the address names no provider, and addresses with the right provider work too', async () => {
  const account = await makeAccount(runtime(), { provider: 'mpesa', credentials: '{}', callbackUrl: '' });
  const stored = await findAccountById(runtime().db, account.id);
  if (!stored) throw new Error('the account was made');
  const [, , shown = '', at = ''] = new URL(openAccount(runtime(), stored).callbackUrl).pathname.split('/');
  expect(shown).not.toContain('mpesa');
  const answerAt = async (provider: string) => {
    const withProviders = { ...runtime(), providers: createRegistry(runtime(), null) };
    const answer = await receiveCallback(withProviders, { provider, token: at, callback: { headers: {}, body: new Uint8Array() } });
    return answer.ok ? 'received' : answer.error;
  };
  expect([await answerAt(shown), await answerAt('mpesa'), await answerAt('airtel')]).toEqual(['received', 'received', 'other_provider']);
});

test("an unsigned callback with the provider's reference instead of ours makes a status query due", async () => {
  const account = await makeAccount(runtime(), { provider: 'mpesa', credentials: '{}', callbackUrl: '' });
  const stored = await findAccountById(runtime().db, account.id);
  if (!stored) throw new Error('the account was made');
  await rows(
    "UPDATE push_attempt SET state = 'EXPIRED', due_at = NULL, lease_until = NULL, provider_account_id = $2, provider_reference = 'THEIRS' WHERE id = $1",
    [attempt.id, account.id],
  );
  const body = new Uint8Array(Buffer.from('{"input_OriginalConversationID":"THEIRS","input_ResultCode":0}'));
  const unsigned = {
    provider: 'mpesa',
    token: openAccount(runtime(), stored).callbackUrl.split('/').at(-1) ?? '',
    callback: { headers: {}, body },
  };
  expect(await receiveCallback({ ...runtime(), providers: createRegistry(runtime(), null) }, unsigned)).toMatchObject({ ok: true });
  const due = 'SELECT due_at IS NOT NULL AS due, claimed_paid_at IS NOT NULL AS claimed FROM push_attempt WHERE id = $1';
  expect(await rows(due, [attempt.id])).toEqual([{ due: true, claimed: true }]);
  expect(await rows('SELECT handled_at IS NOT NULL AS handled FROM provider_message WHERE attempt_id = $1', [attempt.id])).toEqual([
    { handled: true },
  ]);
});
