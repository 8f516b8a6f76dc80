import { beforeEach, describe, expect, test } from 'vitest';
import { setPrefix } from '@/lib/gateway/networks/change-prefix';
import { showPayPage } from '@/lib/gateway/payment-page/show-pay-page';
import { requestPrompt } from '@/lib/gateway/prompts/request-prompt';
import { newId } from '@/lib/platform/core/ids';
import { parseMobile } from '@/lib/platform/core/mobile';
import { type Network, type OperatedNetwork, parsePrefix } from '@/lib/platform/core/network';
import type { Environment } from '@/lib/platform/core/scope';
import { insertAccount } from '@/lib/providers/accounts/account-store';
import { disableAccount } from '@/lib/providers/accounts/manage-account';
import { findProviderAccount } from '@/lib/providers/accounts/route-store';
import { makeBill, makeMerchant, TEST_OPERATOR, type TestMerchant, testRuntime } from '@/testing/runtime';
import { listAttempts } from './store';

const runtime = testRuntime();
const actor = TEST_OPERATOR;
let merchant: TestMerchant;

beforeEach(async () => {
  await runtime().db.query({ text: 'UPDATE provider_account SET disabled_at = $1 WHERE disabled_at IS NULL' }, [runtime().clock()]);
  merchant = await makeMerchant(runtime());
});

/** Creates an account and returns its id. Without an owner it belongs to the operator. */
async function account(networks: readonly Network[], owner?: TestMerchant, environment: Environment = 'sandbox'): Promise<string> {
  const id = newId(runtime());
  await insertAccount(runtime().db, {
    id,
    environment,
    merchantId: owner?.merchant.id ?? null,
    provider: 'sandbox',
    label: id,
    networks,
    encryptedCredentials: null,
    createdAt: runtime().clock(),
  });
  return id;
}

const route = async (network: Network, environment: Environment = 'sandbox') =>
  (await findProviderAccount(runtime().db, { ...merchant.scope(environment), network }))?.id;

describe('the account that serves a network', () => {
  test("is the merchant's own account rather than the operator's, even if the operator's is older", async () => {
    const operators = await account(['vodacom', 'airtel']);
    const own = await account(['vodacom'], merchant);
    expect(await route('vodacom')).toBe(own);
    expect(await route('airtel')).toBe(operators);
  });

  test('is never a disabled account', async () => {
    const operators = await account(['vodacom']);
    const own = await account(['vodacom'], merchant);
    await disableAccount(runtime(), { id: own, actor });
    expect(await route('vodacom')).toBe(operators);
    await disableAccount(runtime(), { id: operators, actor });
    expect(await route('vodacom')).toBeUndefined();
  });

  test("is never another merchant's account, nor one of the other environment", async () => {
    await account(['vodacom'], await makeMerchant(runtime()));
    const live = await account(['vodacom'], merchant, 'live');
    expect(await route('vodacom')).toBeUndefined();
    expect(await route('vodacom', 'live')).toBe(live);
  });
});

async function request(billId: string, number: string, chosenNetwork: OperatedNetwork | null) {
  const mobile = parseMobile(number);
  if (mobile === null) throw new Error(`${number} is not a valid number`);
  return requestPrompt(runtime(), { environment: 'sandbox', billId, mobile, chosenNetwork });
}

const lastAttempt = async (billId: string) => (await listAttempts(runtime().db, billId)).at(-1);
const offer = async (billId: string, own?: string) => (await showPayPage(runtime(), 'sandbox', billId, own))?.offer;
const offerToOwnDevice = async (billId: string) => offer(billId, (await lastAttempt(billId))?.id);

/** Fails the attempt as if the customer had declined the prompt. */
async function decline(billId: string): Promise<void> {
  const { db } = runtime();
  await db.query(
    { text: "UPDATE push_attempt SET state = 'FAILED', failure_reason = 'user_cancelled', due_at = NULL WHERE bill_id = $1" },
    [billId],
  );
  await db.query({ text: 'UPDATE bill SET reserved_amount = 0 WHERE id = $1' }, [billId]);
}

describe('a prompt from the payment page', () => {
  test("uses the network of the number's prefix, unless the customer has chosen one", async () => {
    await account(['vodacom']);
    const airtel = await account(['airtel']);
    const byNumber = await makeBill(runtime(), merchant);
    expect(await request(byNumber, '0754000001', null)).toMatchObject({ kind: 'requested' });
    expect(await lastAttempt(byNumber)).toMatchObject({ network: 'vodacom' });

    const ported = await makeBill(runtime(), merchant);
    expect(await request(ported, '0754000001', 'airtel')).toMatchObject({ kind: 'requested' });
    const attempt = await lastAttempt(ported);
    expect(attempt).toMatchObject({ mobile: '0754000001', network: 'airtel' });
    expect(attempt && (await findProviderAccount(runtime().db, attempt))?.id).toBe(airtel);
  });

  test('is not queued if no account serves the network, and the bill does not change', async () => {
    await account(['airtel'], merchant);
    const billId = await makeBill(runtime(), merchant);
    expect(await request(billId, '0754000001', null)).toEqual({ kind: 'not_served', network: 'vodacom' });
    expect(await request(billId, '0784000001', 'yas')).toEqual({ kind: 'not_served', network: 'yas' });
    expect(await request(billId, '0724000001', null)).toEqual({ kind: 'not_served', network: 'other' });
    expect(await listAttempts(runtime().db, billId)).toEqual([]);
    expect(await runtime().db.query({ text: 'SELECT reserved_amount, event_count FROM bill WHERE id = $1' }, [billId])).toEqual([
      { reserved_amount: 0n, event_count: 1 },
    ]);
    expect(await request(billId, '0784000001', null)).toMatchObject({ kind: 'requested' });
  });

  test('uses a prefix that was changed at run time', async () => {
    const airtel = await account(['airtel']);
    const billId = await makeBill(runtime(), merchant);
    expect(await request(billId, '0794000001', null)).toEqual({ kind: 'not_served', network: 'vodacom' });
    const prefix = parsePrefix('79');
    if (prefix) await setPrefix(runtime(), { prefix, network: 'airtel', actor });
    expect(await request(billId, '0794000001', null)).toMatchObject({ kind: 'requested' });
    const attempt = await lastAttempt(billId);
    expect(attempt && (await findProviderAccount(runtime().db, attempt))?.id).toBe(airtel);
  });
});

describe('the networks that the payment page offers', () => {
  test("are those that the merchant's and the operator's active accounts serve", async () => {
    await account(['airtel', 'other']);
    await account(['vodacom', 'airtel'], merchant);
    await account(['yas'], await makeMerchant(runtime()));
    await account(['ttcl'], merchant, 'live');
    const halotel = await account(['halotel'], merchant);
    const billId = await makeBill(runtime(), merchant);
    expect(await offer(billId)).toEqual({ networks: ['vodacom', 'airtel', 'halotel'], down: [], chosen: null });
    await disableAccount(runtime(), { id: halotel, actor });
    expect(await offer(billId)).toEqual({ networks: ['vodacom', 'airtel'], down: [], chosen: null });
  });

  test("include the last choice of the customer's own device, as long as the network is served", async () => {
    await account(['vodacom']);
    const airtel = await account(['airtel']);
    const billId = await makeBill(runtime(), merchant);
    await request(billId, '0754000001', 'airtel');
    expect(await offer(billId)).toBeNull();
    await decline(billId);
    expect(await offerToOwnDevice(billId)).toEqual({ networks: ['vodacom', 'airtel'], down: [], chosen: 'airtel' });
    expect(await offer(billId)).toEqual({ networks: ['vodacom', 'airtel'], down: [], chosen: null });
    await request(billId, '0754000001', null);
    await decline(billId);
    expect(await offerToOwnDevice(billId)).toEqual({ networks: ['vodacom', 'airtel'], down: [], chosen: null });
    await request(billId, '0754000001', 'airtel');
    await decline(billId);
    await disableAccount(runtime(), { id: airtel, actor });
    expect(await offerToOwnDevice(billId)).toEqual({ networks: ['vodacom'], down: [], chosen: null });
  });

  test('include no choice for an attempt that the API requested', async () => {
    await account(['vodacom']);
    const billId = await makeBill(runtime(), merchant, { mobile: '0754000001' });
    await decline(billId);
    expect(await offer(billId)).toEqual({ networks: ['vodacom'], down: [], chosen: null });
  });
});
