import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { claimAttempts } from '@/lib/gateway/attempts/claim-attempts';
import { workAttempt } from '@/lib/gateway/attempts/work-attempt';
import { listAttempts } from '@/lib/gateway/payments/store';
import { readNetworks } from '@/lib/gateway/prompts/read-networks';
import { addMs, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { newId } from '@/lib/platform/core/ids';
import { encryptCredentials, insertAccount } from '@/lib/providers/accounts/account-store';
import { createRegistry } from '@/lib/providers/registry';
import { startSnippeSimulator } from '@/lib/providers/snippe/simulator';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { claimDueProbes, probeAccount } from './probe-account';

// One account serves M-Pesa customers, and its provider refuses its owner.
const runtime = testRuntime();
const { signal } = new AbortController();
let snippe: Awaited<ReturnType<typeof startSnippeSimulator>>;
let merchant: TestMerchant;

beforeAll(async () => {
  snippe = await startSnippeSimulator({ clock: runtime().clock, random: runtime().random });
});
afterAll(() => snippe.stop());
beforeEach(async () => {
  snippe.control({ suspended: false });
  await runtime().db.query({ text: 'UPDATE provider_account SET disabled_at = now() WHERE disabled_at IS NULL' });
  merchant = await makeMerchant(runtime());
});

async function account(changes: object): Promise<string> {
  const id = newId(runtime());
  const owner = { environment: 'sandbox', merchantId: null, provider: 'snippe', label: 'Snippe' } as const;
  const encryptedCredentials = encryptCredentials(runtime(), id, JSON.stringify({ ...snippe.credentials, ...changes }));
  await insertAccount(runtime().db, { ...owner, id, networks: ['vodacom'], encryptedCredentials, createdAt: runtime().clock() });
  return id;
}

const worker = () => ({ ...runtime(), providers: createRegistry(runtime(), null) });

/** Sends a payment request. Returns its attempt. */
async function pay() {
  const { db, clock } = runtime();
  const billId = await makeBill(runtime(), merchant, { mobile: '0754000001' });
  for (const attempt of await claimAttempts(db, { now: clock(), leaseUntil: addMs(clock(), MINUTE_MS), limit: 10 }))
    await workAttempt(worker(), attempt, signal);
  return (await listAttempts(db, billId))[0];
}

/** Runs the due probes every half minute, for `minutes` minutes. Returns the status of the network after each half minute. */
async function statuses(minutes: number): Promise<(string | undefined)[]> {
  const seen: (string | undefined)[] = [];
  for (let half = 0; half < 2 * minutes; half += 1) {
    runtime().advance(30 * SECOND_MS);
    for (const id of await claimDueProbes(runtime(), 10)) await probeAccount(worker(), id, signal);
    const { networks } = await readNetworks(runtime(), merchant.scope('sandbox'));
    seen.push(networks.find(({ network }) => network === 'vodacom')?.status);
  }
  return seen;
}

test('an account whose credentials are refused stays suspended until a probe is accepted, although nobody tries to pay', async () => {
  const id = await account({ apiKey: 'snp_expired_key_1' });
  expect(await pay()).toMatchObject({ state: 'FAILED', failureReason: 'merchant_config' });
  expect(new Set(await statuses(30))).toEqual(new Set(['problems']));
  const encrypted = encryptCredentials(runtime(), id, JSON.stringify(snippe.credentials));
  await runtime().db.query({ text: 'UPDATE provider_account SET encrypted_credentials = $2 WHERE id = $1' }, [id, encrypted]);
  expect((await statuses(4)).at(-1)).toBe('working');
  expect(snippe.payments).toEqual([]);
  runtime().advance(5 * MINUTE_MS);
  expect(await claimDueProbes(runtime(), 10)).toEqual([]);
  expect(await pay()).toMatchObject({ state: 'AWAITING_CUSTOMER', providerAccountId: id });
});

test('an accepted probe does not shorten the pause of an account whose payment requests are refused', async () => {
  await account({});
  snippe.control({ suspended: true });
  expect(await pay()).toMatchObject({ failureReason: 'merchant_config' });
  expect(await statuses(2)).toEqual(['problems', 'working', 'working', 'working']);
  expect(await pay()).toMatchObject({ failureReason: 'merchant_config' });
  expect(await statuses(2)).toEqual(['problems', 'problems', 'problems', 'working']);
});
