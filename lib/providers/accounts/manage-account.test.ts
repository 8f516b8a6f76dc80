import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startAttempts } from '@/lib/entry/worker/jobs';
import { claimAttempts } from '@/lib/gateway/attempts/claim-attempts';
import { LEASE_MS } from '@/lib/gateway/attempts/hold-lease';
import { workAttempt } from '@/lib/gateway/attempts/work-attempt';
import { showPayPage } from '@/lib/gateway/payment-page/show-pay-page';
import { listAttempts } from '@/lib/gateway/payments/store';
import { addMs, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { newId } from '@/lib/platform/core/ids';
import { ENVIRONMENTS, type Environment } from '@/lib/platform/core/scope';
import { type MpesaSimulator, startMpesaSimulator } from '@/lib/providers/mpesa/simulator';
import type { ProviderAccount } from '@/lib/providers/port/port';
import { createPrivateSessions } from '@/lib/providers/port/sessions';
import { createRegistry } from '@/lib/providers/registry';
import { makeBill, makeMerchant, TEST_OPERATOR, type TestMerchant, testRuntime } from '@/testing/runtime';
import { encryptCredentials, insertAccount } from './account-store';
import { addAccount, disableAccount, updateAccount } from './manage-account';

const runtime = testRuntime();
const actor = TEST_OPERATOR;
let numbers = 0;
let simulator: MpesaSimulator;
beforeAll(async () => {
  simulator = await startMpesaSimulator({ ...runtime(), mode: 'sync', delayFactor: 0.05, keyBits: 2048 });
  ({ apiKey } = simulator.credentials);
});
afterAll(() => simulator.stop());
afterEach(async () => {
  await runtime().db.query({ text: 'UPDATE push_attempt SET due_at = NULL' });
  await runtime().db.query({ text: 'UPDATE provider_account SET disabled_at = now() WHERE disabled_at IS NULL' });
});

let apiKey: string;

/** Creates a runtime with its own registry, as a separate worker process has. */
const worker = () => ({ ...runtime(), providers: createRegistry(runtime(), null), heartbeatMs: 20 });
const credentials = (change: object = {}) => JSON.stringify({ ...simulator.credentials, apiKey, env: 'openapi', ...change });

/** The provider's name of each environment. */
const ENV = { live: 'openapi', sandbox: 'sandbox' } as const;

/** Adds an account of the operator. */
async function add(change: object = {}, environment: Environment = 'live'): Promise<ProviderAccount> {
  const about = { provider: 'mpesa', environment, merchantId: null, label: 'Till', networks: null, actor } as const;
  const added = await addAccount(worker(), { ...about, credentials: credentials(change) });
  if (!added.ok) throw new Error(added.error.join(' '));
  return added.value;
}

async function makeShop(): Promise<{ merchant: TestMerchant; account: ProviderAccount }> {
  return { merchant: await makeMerchant(runtime()), account: await add() };
}

const update = (id: string, change: object = {}) =>
  updateAccount(
    { ...runtime(), providers: createRegistry(runtime(), null, createPrivateSessions()) },
    { id, credentials: credentials(change), actor },
  );
/** Creates a bill with a phone number that no other bill has. The simulator approves prompts to this number. */
const newBill = (merchant: TestMerchant) => {
  numbers += 1;
  return makeBill(runtime(), merchant, { mobile: `0754${String(numbers).padStart(3, '0')}001`, environment: 'live' });
};
const attemptOf = async (billId: string) => (await listAttempts(runtime().db, billId))[0];
const sentTo = async (billId: string) => {
  const reference = (await attemptOf(billId))?.ourReference;
  return simulator.transactions.filter((transaction) => transaction.thirdPartyConversationId === reference).length;
};

async function workOnce(): Promise<void> {
  const { db, clock } = runtime();
  for (const attempt of await claimAttempts(db, { now: clock(), leaseUntil: addMs(clock(), LEASE_MS), limit: 100 }))
    await workAttempt(worker(), attempt, new AbortController().signal);
}

describe('new credentials of an active account', () => {
  test('are not stored if the provider refuses them, and the current ones stay in use', async () => {
    const { merchant, account } = await makeShop();
    expect(await update(account.id, { apiKey: 'not-the-key-of-the-portal' })).toEqual({
      ok: false,
      error: [
        expect.stringMatching(/^The provider does not accept these credentials, so the current ones stay in use: no session: HTTP 401/),
      ],
    });
    expect(await update(account.id, { apiKey: 'short' })).toMatchObject({ ok: false, error: [expect.stringContaining('apiKey')] });
    const billId = await newBill(merchant);
    await workOnce();
    expect(await attemptOf(billId)).toMatchObject({ state: 'SUCCEEDED' });
    await disableAccount(runtime(), { id: account.id, actor });
    expect(await update(account.id)).toEqual({ ok: false, error: [expect.stringContaining('There is no active account')] });
  });

  test.each(ENVIRONMENTS)('must be for the same shortcode in %s', async (environment) => {
    const env = ENV[environment];
    const account = await add({ env }, environment);
    expect(await update(account.id, { env, serviceProviderCode: '123456' })).toEqual({
      ok: false,
      error: ['These credentials are for the shortcode 123456, the account is for the shortcode 000000: add another account.'],
    });
    expect(await update(account.id, { env })).toMatchObject({ ok: true });
  });

  test('are refused in live while an account of another owner has the shortcode', async () => {
    const account = await add();
    const { merchant } = await makeMerchant(runtime());
    const id = newId(runtime());
    await insertAccount(runtime().db, {
      id,
      environment: 'live',
      merchantId: merchant.id,
      provider: 'mpesa',
      label: 'Their till',
      networks: ['vodacom'],
      encryptedCredentials: encryptCredentials(runtime(), id, credentials()),
      createdAt: runtime().clock(),
    });
    const shared = `The account "Their till" of the merchant "${merchant.slug}" has the shortcode 000000: if two owners have the same shortcode, each payment is booked twice.`;
    expect(await update(account.id)).toEqual({ ok: false, error: [shared] });
    await disableAccount(runtime(), { id, actor });
    expect(await update(account.id)).toMatchObject({ ok: true });
  });

  test('lose no attempt and send none twice, even if the portal revokes the old key before they are stored', async () => {
    const { merchant, account } = await makeShop();
    const pump = startAttempts(worker(), { log: runtime().log, name: 'attempts', concurrency: 20, idleMs: 10, graceMs: 0 });
    const bills: string[] = [];
    const create = async (count: number) => {
      for (let number = 0; number < count; number += 1) bills.push(await newBill(merchant));
    };
    await create(10);
    apiKey = 'the-second-key-0001';
    simulator.control({ apiKey, endSessions: true });
    await create(20);
    // Attempts whose request was refused are queued again.
    await expect.poll(async () => (await Promise.all(bills.map(attemptOf))).some((attempt) => attempt?.state === 'QUEUED')).toBe(true);
    const updated = await update(account.id);
    expect(updated).toMatchObject({ ok: true, value: { id: account.id, callbackUrl: account.callbackUrl } });
    await create(10);
    await expect
      .poll(
        async () => {
          runtime().advance(SECOND_MS);
          return (await Promise.all(bills.map(attemptOf))).filter((attempt) => attempt?.state === 'SUCCEEDED').length;
        },
        { interval: 50 },
      )
      .toBe(40);
    await pump.stop();
    expect(await Promise.all(bills.map(sentTo))).toEqual(bills.map(() => 1));
    expect(
      await runtime().db.query({ text: "SELECT data FROM audit_entry WHERE subject = $1 AND action = 'provider_account.updated'" }, [
        account.id,
      ]),
    ).toEqual([{ data: { provider: 'mpesa' } }]);
  });
});

describe('a live attempt for a network without an account', () => {
  test('waits, shows that on the payment page, and is sent when an account is added', async () => {
    const { merchant, account } = await makeShop();
    await disableAccount(runtime(), { id: account.id, actor });
    const billId = await newBill(merchant);
    await workOnce();
    expect(await attemptOf(billId)).toMatchObject({ state: 'QUEUED', sendCount: 0 });
    runtime().advance(20 * SECOND_MS);
    await workOnce();
    const page = await showPayPage(worker(), 'live', billId);
    expect(page).toMatchObject({ state: { kind: 'queued' } });
    const { id } = await add();
    runtime().advance(30 * SECOND_MS);
    await workOnce();
    expect(await attemptOf(billId)).toMatchObject({ state: 'SUCCEEDED', providerAccountId: id, sendCount: 1 });
  });

  test('fails after five minutes', async () => {
    const { merchant, account } = await makeShop();
    await disableAccount(runtime(), { id: account.id, actor });
    const billId = await newBill(merchant);
    for (let waited = 0; waited < 290; waited += 10) {
      await workOnce();
      runtime().advance(10 * SECOND_MS);
    }
    expect(await attemptOf(billId)).toMatchObject({ state: 'QUEUED' });
    runtime().advance(MINUTE_MS);
    await workOnce();
    expect(await attemptOf(billId)).toMatchObject({ state: 'FAILED', failureReason: 'no_provider' });
  });
});
