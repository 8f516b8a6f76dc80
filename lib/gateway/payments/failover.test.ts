import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { applyOutcome } from '@/lib/gateway/attempts/apply-outcome';
import { type ClaimedAttempt, claimAttempts } from '@/lib/gateway/attempts/claim-attempts';
import { workAttempt } from '@/lib/gateway/attempts/work-attempt';
import { applyMessage } from '@/lib/gateway/callbacks/apply-message';
import { receiveCallback } from '@/lib/gateway/callbacks/receive-callback';
import { claimMessages } from '@/lib/gateway/messages/message-store';
import { readNetworks } from '@/lib/gateway/prompts/read-networks';
import { listReviews } from '@/lib/gateway/reviews/store';
import { addMs, MINUTE_MS } from '@/lib/platform/core/clock';
import { newId } from '@/lib/platform/core/ids';
import { encryptCredentials, findAccountById, insertAccount, openAccount } from '@/lib/providers/accounts/account-store';
import { listRecentHistory } from '@/lib/providers/accounts/history-store';
import { setRoute } from '@/lib/providers/accounts/manage-account';
import { createRegistry } from '@/lib/providers/registry';
import { type Simulator, startSimulator } from '@/lib/providers/sandbox/simulator';
import { SNIPPE_CAPABILITIES } from '@/lib/providers/snippe/adapter';
import { startSnippeSimulator } from '@/lib/providers/snippe/simulator';
import { SIGNATURE_HEADER, signWebhook, TIMESTAMP_HEADER } from '@/lib/providers/snippe/wire';
import { makeBill, makeMerchant, TEST_OPERATOR, type TestMerchant, testRuntime } from '@/testing/runtime';
import { listAttempts } from './store';

// Two accounts serve M-Pesa customers. Bili uses the one at Snippe first, then the one at the sandbox provider.
const runtime = testRuntime({ SANDBOX_BASE_URL: 'http://127.0.0.1:9' });
let sandbox: Simulator;
let snippe: Awaited<ReturnType<typeof startSnippeSimulator>>;
let merchant: TestMerchant;
let first: string;
let second: string;

beforeAll(async () => {
  const { clock, random } = runtime();
  sandbox = await startSimulator({ ...runtime(), callbackKey: runtime().secrets.key('sandbox-provider') });
  snippe = await startSnippeSimulator({ clock, random });
});
afterAll(async () => {
  await Promise.all([sandbox.stop(), snippe.stop()]);
});

beforeEach(async () => {
  const { db, clock } = runtime();
  snippe.control({ suspended: false });
  await db.query({ text: 'UPDATE provider_account SET disabled_at = $1 WHERE disabled_at IS NULL' }, [clock()]);
  await db.query({ text: 'UPDATE push_attempt SET due_at = NULL' });
  merchant = await makeMerchant(runtime());
  first = await account('snippe', JSON.stringify(snippe.credentials));
  second = await account('sandbox', null);
});

async function account(provider: string, credentials: string | null): Promise<string> {
  const id = newId(runtime());
  const encryptedCredentials = credentials === null ? null : encryptCredentials(runtime(), id, credentials);
  const owner = { environment: 'sandbox', merchantId: null } as const;
  await insertAccount(runtime().db, {
    ...owner,
    id,
    provider,
    label: provider,
    networks: ['vodacom'],
    encryptedCredentials,
    createdAt: runtime().clock(),
  });
  runtime().advance(1);
  return id;
}

const newBill = (ends: string) => makeBill(runtime(), merchant, { mobile: `0754000${ends}` });

const worker = () => ({ ...runtime(), providers: createRegistry(runtime(), sandbox.url) });

function claim(): Promise<ClaimedAttempt[]> {
  const { db, clock } = runtime();
  return claimAttempts(db, { now: clock(), leaseUntil: addMs(clock(), MINUTE_MS), limit: 10 });
}

async function claimOf(billId: string): Promise<ClaimedAttempt> {
  const claimed = (await claim()).find((attempt) => attempt.billId === billId);
  if (!claimed) throw new Error('the attempt is not due');
  return claimed;
}

/** Does the due work several times, once per second of the test's clock. Returns the attempt of the bill. */
async function work(billId: string, rounds = 3) {
  for (let round = 0; round < rounds; round += 1) {
    for (const attempt of await claim()) await workAttempt(worker(), attempt, new AbortController().signal);
    runtime().advance(1_000);
  }
  const [attempt] = await listAttempts(runtime().db, billId);
  if (!attempt) throw new Error('the bill has no attempt');
  return attempt;
}

const sentBySnippe = (reference: string) => snippe.payments.some((payment) => payment.reference === reference);

async function sentBySandbox(reference: string): Promise<boolean> {
  return (await runtime().db.query({ text: 'SELECT 1 FROM sandbox_prompt WHERE reference = $1' }, [reference])).length > 0;
}

const reroutings = (billId: string) =>
  runtime().db.query(
    {
      text: "SELECT data->>'provider' AS provider, data->>'reason' AS reason FROM bill_event WHERE bill_id = $1 AND type = 'attempt.rerouted'",
    },
    [billId],
  );

test('an account that the provider refuses is left at once, and its history says so; later attempts avoid it for a while', async () => {
  snippe.control({ suspended: true });
  const billId = await newBill('001');
  const attempt = await work(billId);
  expect(attempt).toMatchObject({ state: 'AWAITING_CUSTOMER', providerAccountId: second, refusedAccountIds: [first] });
  expect([sentBySnippe(attempt.ourReference), await sentBySandbox(attempt.ourReference)]).toEqual([false, true]);
  expect(await reroutings(billId)).toEqual([{ provider: 'snippe', reason: 'merchant_config' }]);

  const recent = await listRecentHistory(runtime().db, runtime().clock());
  expect(recent.get(first)?.refusals).toEqual([{ reason: 'merchant_config', count: 1 }]);
  expect(recent.get(second)?.refusals).toEqual([]);

  const next = await work(await newBill('001'));
  expect(next).toMatchObject({ providerAccountId: second, refusedAccountIds: [] });
  snippe.control({ suspended: false });
  runtime().advance(2 * MINUTE_MS);
  expect(await work(await newBill('001'))).toMatchObject({ providerAccountId: first });
  expect(await work(await newBill('001'))).toMatchObject({ providerAccountId: first });
});

describe('a signed callback of an account that has refused the request', () => {
  /** Sends a callback of Snippe that says that the customer has paid. */
  async function announcePaid(reference: string, transactionId: string): Promise<void> {
    const stored = await findAccountById(runtime().db, first);
    if (!stored) throw new Error('the account was made');
    const token = openAccount(runtime(), stored).callbackUrl.split('/').at(-1) ?? '';
    const amount = { value: 5_001, currency: 'TZS' };
    const data = { reference: transactionId, status: 'completed', amount, metadata: { reference }, customer: { phone: '+255754000001' } };
    const body = Buffer.from(JSON.stringify({ id: 'evt', type: 'payment.completed', data }));
    const timestamp = String(Math.floor(runtime().clock().getTime() / 1_000));
    const signature = signWebhook(snippe.credentials.webhookSecret, timestamp, body);
    const callback = { headers: { [TIMESTAMP_HEADER]: timestamp, [SIGNATURE_HEADER]: signature }, body: new Uint8Array(body) };
    expect(await receiveCallback(worker(), { provider: 'snippe', token, callback })).toMatchObject({ ok: true });
  }

  const paymentsOf = (receipt: string) =>
    runtime().db.query({ text: 'SELECT attempt_id AS attempt, mobile FROM payment WHERE provider_transaction_id = $1' }, [receipt]);

  test('pays the attempt if no other account has sent it since', async () => {
    snippe.control({ suspended: true });
    const billId = await newBill('001');
    await workAttempt(worker(), await claimOf(billId), new AbortController().signal);
    const [left] = await listAttempts(runtime().db, billId);
    expect(left).toMatchObject({ state: 'QUEUED', refusedAccountIds: [first] });
    await announcePaid(left?.ourReference ?? '', 'LEFT1');
    expect(await work(billId)).toMatchObject({ state: 'SUCCEEDED', providerAccountId: first });
    expect(await paymentsOf('LEFT1')).toMatchObject([{ attempt: left?.id }]);
    expect(await sentBySandbox(left?.ourReference ?? '')).toBe(false);
  });

  test('is booked as unmatched, with a review, if another account has sent it since', async () => {
    snippe.control({ suspended: true });
    const attempt = await work(await newBill('001'));
    expect(attempt).toMatchObject({ state: 'AWAITING_CUSTOMER', providerAccountId: second });
    await announcePaid(attempt.ourReference, 'LEFT2');
    expect(await paymentsOf('LEFT2')).toEqual([{ attempt: null, mobile: '0754000001' }]);
    const reviews = (await listReviews(runtime().db, { all: false })).filter(({ attemptId }) => attemptId === attempt.id);
    expect(reviews).toMatchObject([{ kind: 'attempt_unresolved', data: { providerReference: 'LEFT2', leftAccount: first } }]);
  });
});

test('an account whose provider cannot be reached is left at once', async () => {
  const credentials = JSON.stringify({ ...snippe.credentials, baseUrl: 'http://127.0.0.1:9' });
  const dead = await account('snippe', credentials);
  const order = { environment: 'sandbox', merchantId: null, network: 'vodacom', accountIds: [dead, second], actor: TEST_OPERATOR } as const;
  expect(await setRoute(runtime(), order)).toEqual({ ok: true, value: null });
  const billId = await newBill('001');
  expect(await work(billId)).toMatchObject({ state: 'AWAITING_CUSTOMER', providerAccountId: second, refusedAccountIds: [dead] });
  expect(await reroutings(billId)).toEqual([{ provider: 'snippe', reason: null }]);
});

test('an amount below the minimum of a provider is sent through another account, and this does not suspend the first', async () => {
  const billId = await makeBill(runtime(), merchant, { mobile: '0754000001', amount: 300 });
  const attempt = await work(billId);
  expect(attempt).toMatchObject({ state: 'AWAITING_CUSTOMER', providerAccountId: second, refusedAccountIds: [first] });
  expect(await reroutings(billId)).toEqual([{ provider: 'snippe', reason: 'amount_invalid' }]);
  expect(await work(await newBill('001'))).toMatchObject({ providerAccountId: first });
});

test.each([
  ['declined by the customer at once', '006', 'FAILED'],
  ['with a lost answer', '017', 'UNKNOWN'],
  ['answered by a gateway with an error', '018', 'UNKNOWN'],
])('an attempt %s is not sent through another account', async (_name, ends, state) => {
  const attempt = await work(await newBill(ends));
  expect(attempt).toMatchObject({ state, providerAccountId: first, refusedAccountIds: [] });
  expect(await sentBySandbox(attempt.ourReference)).toBe(false);
});

test('an attempt whose answer was lost is settled by repeating the same request', async () => {
  const billId = await newBill('010');
  const lost = await work(billId, 1);
  expect(lost).toMatchObject({ state: 'UNKNOWN', providerAccountId: first, providerReference: null });
  runtime().advance(20_000);
  const known = await work(billId, 1);
  expect(known.providerReference).toBe(snippe.payments.find(({ reference }) => reference === lost.ourReference)?.id);
  runtime().advance(20_000);
  expect(await work(billId, 1)).toMatchObject({ state: 'SUCCEEDED' });
  const payments = await runtime().db.query({ text: 'SELECT amount, fee FROM payment WHERE attempt_id = $1' }, [lost.id]);
  expect(payments).toEqual([{ amount: 500_100n, fee: 2_500n }]);
  expect(snippe.payments.filter(({ reference }) => reference === lost.ourReference)).toHaveLength(1);
  expect(snippe.complaints).toEqual([]);
});

test('an attempt whose answer was lost is not repeated after some minutes: a person is asked in the end', async () => {
  const lost = await work(await newBill('010'), 1);
  runtime().advance(11 * MINUTE_MS);
  const before = snippe.requestsInMinute();
  expect(await work(lost.billId, 1)).toMatchObject({ state: 'UNKNOWN', providerReference: null });
  expect(snippe.requestsInMinute()).toBe(before);
  runtime().advance(73 * 60 * MINUTE_MS);
  await work(lost.billId, 1);
  const reviews = await runtime().db.query({ text: 'SELECT kind FROM review WHERE attempt_id = $1' }, [lost.id]);
  expect(reviews).toEqual([{ kind: 'attempt_unresolved' }]);
});

test.each([
  ['its bill has expired', 'UPDATE bill SET expires_at = created_at WHERE id = $1'],
  [
    'its merchant was suspended',
    "UPDATE merchant_profile SET status = 'suspended' WHERE merchant_id = (SELECT merchant_id FROM bill WHERE id = $1)",
  ],
])('an attempt whose answer was lost is not repeated if %s meanwhile', async (_name, text) => {
  const lost = await work(await newBill('010'), 1);
  await runtime().db.query({ text }, [lost.billId]);
  runtime().advance(20_000);
  const before = snippe.requestsInMinute();
  expect(await work(lost.billId, 1)).toMatchObject({ state: 'UNKNOWN', providerReference: null });
  expect(snippe.requestsInMinute()).toBe(before);
});

describe('a worker dies when it has stored that the account refuses the merchant, and another one repeats the request', () => {
  let billId: string;
  let repeats: ClaimedAttempt;
  let applyRefusal: () => Promise<void>;
  beforeEach(async () => {
    snippe.control({ suspended: true });
    billId = await newBill('001');
    const dead = await claimOf(billId);
    await runtime().db.query({ text: 'UPDATE push_attempt SET provider_account_id = $2, sent_at = $3 WHERE id = $1' }, [
      dead.id,
      first,
      runtime().clock(),
    ]);
    applyRefusal = () =>
      applyOutcome(runtime(), {
        attempt: dead,
        providerAccountId: first,
        outcome: { kind: 'failed', reason: 'merchant_config' },
        pace: SNIPPE_CAPABILITIES,
        source: 'answer',
        leaseToken: dead.leaseToken,
      });
    runtime().advance(MINUTE_MS + 1);
    expect(await work(billId, 1)).toMatchObject({ state: 'UNKNOWN', providerAccountId: first });
    runtime().advance(20_000);
    repeats = await claimOf(billId);
  });
  /** Lets the second worker repeat the request of the first. @param before runs right before the call to the provider. */
  const finish = (before = () => Promise.resolve()) => {
    const { find } = createRegistry(runtime(), sandbox.url);
    const delayed = (name: string) => {
      const adapter = find(name);
      if (!adapter) return undefined;
      const { send } = adapter;
      return { ...adapter, send: (...call: Parameters<typeof send>) => before().then(() => send(...call)) };
    };
    return workAttempt({ ...runtime(), providers: { find: delayed } }, repeats, new AbortController().signal);
  };

  test('the attempt has failed before the call: the request is not repeated', async () => {
    await applyRefusal();
    snippe.control({ suspended: false });
    await finish();
    expect(sentBySnippe(repeats.ourReference)).toBe(false);
    expect((await listAttempts(runtime().db, billId))[0]).toMatchObject({ state: 'FAILED', failureReason: 'merchant_config' });
  });

  test('it is refused again: the attempt has failed, and its request is never sent later', async () => {
    await finish(applyRefusal);
    snippe.control({ suspended: false });
    for (let minute = 0; minute < 5; minute += 1) {
      runtime().advance(MINUTE_MS);
      expect(await work(billId, 1)).toMatchObject({ state: 'FAILED', failureReason: 'merchant_config' });
    }
    expect(sentBySnippe(repeats.ourReference)).toBe(false);
  });

  test('it is accepted after the attempt has failed: the payment is found and booked', async () => {
    snippe.control({ suspended: false });
    await finish(applyRefusal);
    const taken = snippe.payments.find(({ reference }) => reference === repeats.ourReference);
    expect((await work(billId, 1)).providerReference).toBe(taken?.id);
    runtime().advance(MINUTE_MS);
    expect(await work(billId, 1)).toMatchObject({ state: 'SUCCEEDED' });
  });

  test('it is accepted, but the worker dies when it has stored that: the answer is applied from there', async () => {
    snippe.control({ suspended: false });
    await finish();
    const { db, clock } = runtime();
    // The worker stored the answer. Its later writes are reverted, as if it had died before them.
    await db.query(
      {
        text: `UPDATE push_attempt SET state = 'UNKNOWN', unknown_since = $2, provider_reference = NULL, acknowledged_at = NULL, due_at = NULL
               WHERE id = $1`,
      },
      [repeats.id, clock()],
    );
    await db.query({ text: 'UPDATE provider_message SET handled_at = NULL, due_at = $2 WHERE attempt_id = $1' }, [repeats.id, clock()]);
    runtime().advance(11 * MINUTE_MS);
    for (const message of await claimMessages(db, { now: clock(), limit: 10 })) await applyMessage(worker(), message);
    const taken = snippe.payments.find(({ reference }) => reference === repeats.ourReference);
    expect((await listAttempts(db, billId))[0]).toMatchObject({ state: 'AWAITING_CUSTOMER', providerReference: taken?.id });
  });

  test('it is sent as a second request, and its answer is lost: the refusal of the first says nothing about it', async () => {
    await runtime().db.query({ text: "UPDATE push_attempt SET state = 'SENDING', send_count = 2, unknown_since = NULL WHERE id = $1" }, [
      repeats.id,
    ]);
    const { leaseToken } = repeats;
    const lost = { outcome: { kind: 'unknown' }, source: 'answer', pace: SNIPPE_CAPABILITIES } as const;
    await applyOutcome(runtime(), { attempt: repeats, providerAccountId: first, leaseToken, ...lost });
    await applyRefusal();
    expect((await listAttempts(runtime().db, billId))[0]).toMatchObject({ state: 'UNKNOWN', failureReason: null });
  });

  test('it is accepted before the refusal is applied: the attempt waits for the customer', async () => {
    snippe.control({ suspended: false });
    await finish();
    await applyRefusal();
    expect((await listAttempts(runtime().db, billId))[0]).toMatchObject({ state: 'AWAITING_CUSTOMER', failureReason: null });
    runtime().advance(20_000);
    expect(await work(billId, 1)).toMatchObject({ state: 'SUCCEEDED' });
  });
});

test('an attempt that no account takes fails with the last refusal', async () => {
  snippe.control({ suspended: true });
  await runtime().db.query({ text: 'UPDATE provider_account SET disabled_at = now() WHERE id = $1' }, [second]);
  expect(await work(await newBill('001'))).toMatchObject({ state: 'FAILED', failureReason: 'merchant_config', providerAccountId: first });
  const { networks } = await readNetworks(runtime(), merchant.scope('sandbox'));
  expect(networks.find(({ network }) => network === 'vodacom')).toMatchObject({ status: 'problems' });
});

test('the order of accounts is checked', async () => {
  const order = { environment: 'sandbox', merchantId: null, network: 'vodacom', actor: TEST_OPERATOR } as const;
  expect(await setRoute(runtime(), { ...order, accountIds: [first, first] })).toMatchObject({ ok: false });
  expect(await setRoute(runtime(), { ...order, accountIds: ['nobody'] })).toMatchObject({ ok: false });
  expect(await setRoute(runtime(), { ...order, network: 'airtel', accountIds: [first] })).toMatchObject({ ok: false });
  expect(await setRoute(runtime(), { ...order, merchantId: merchant.merchant.id, accountIds: [first] })).toMatchObject({ ok: false });
  expect(await setRoute(runtime(), { ...order, accountIds: [second, first] })).toMatchObject({ ok: true });
  expect(await work(await newBill('001'))).toMatchObject({ providerAccountId: second });
});
