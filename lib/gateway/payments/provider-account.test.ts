import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ClaimedAttempt, claimAttempts } from '@/lib/gateway/attempts/claim-attempts';
import { workAttempt } from '@/lib/gateway/attempts/work-attempt';
import { receiveCallback } from '@/lib/gateway/callbacks/receive-callback';
import { insertUnmatchedPayment } from '@/lib/gateway/ledger/bookings';
import { requestPrompt } from '@/lib/gateway/prompts/request-prompt';
import { addMs, SECOND_MS } from '@/lib/platform/core/clock';
import { parseMobile } from '@/lib/platform/core/mobile';
import type { Network } from '@/lib/platform/core/network';
import { listAccounts } from '@/lib/providers/accounts/account-store';
import { addAccount, checkAccount, disableAccount } from '@/lib/providers/accounts/manage-account';
import { type MpesaSimulator, startMpesaSimulator } from '@/lib/providers/mpesa/simulator';
import type { ProviderAccount } from '@/lib/providers/port/port';
import { createRegistry } from '@/lib/providers/registry';
import { testReceiver } from '@/testing/fakes/receiver';
import { makeBill, makeMerchant, TEST_OPERATOR, type TestMerchant, testRuntime } from '@/testing/runtime';
import { listAttempts } from './store';

const runtime = testRuntime();
const receiver = testReceiver();
let simulator: MpesaSimulator;
let merchant: TestMerchant;
beforeAll(async () => {
  const { clock, random } = runtime();
  simulator = await startMpesaSimulator({ clock, random, mode: 'async', callbackUrl: receiver.url(), delayFactor: 0.01, keyBits: 2048 });
});
afterAll(() => simulator.stop());
beforeEach(async () => {
  merchant = await makeMerchant(runtime());
});

// All tests share one registry, as in a real process, because the registry remembers the access tokens of the providers' APIs.
let providers: ReturnType<typeof createRegistry> | undefined;
const withProviders = () => {
  providers ??= createRegistry(runtime(), null);
  return { ...runtime(), providers };
};
const add = (change: object = {}, environment: 'live' | 'sandbox' = 'sandbox', networks: readonly Network[] | null = null) =>
  addAccount(withProviders(), {
    provider: 'mpesa',
    environment,
    merchantId: merchant.merchant.id,
    label: 'Till',
    networks,
    credentials: JSON.stringify({ ...simulator.credentials, ...change }),
    actor: TEST_OPERATOR,
  });

async function added(change: object = {}): Promise<ProviderAccount> {
  const account = await add(change);
  if (!account.ok) throw new Error(account.error.join(' '));
  return account.value;
}

async function claimed(billId: string): Promise<ClaimedAttempt> {
  const { db, clock } = runtime();
  const due = await claimAttempts(db, { now: clock(), leaseUntil: addMs(clock(), 30 * SECOND_MS), limit: 100 });
  const attempt = due.find((one) => one.billId === billId);
  if (!attempt) throw new Error('the attempt was not due');
  return attempt;
}

const work = (attempt: ClaimedAttempt, signal = new AbortController().signal) => workAttempt(withProviders(), attempt, signal);
const billTo = (mobile: string) => makeBill(runtime(), merchant, { mobile });
const attemptOf = async (billId: string) => (await listAttempts(runtime().db, billId))[0];

describe('an account at a provider', () => {
  test('is stored with its credentials encrypted, and listed without them', async () => {
    const { id } = await added();
    const [row] = await runtime().db.query<{ sealed: Uint8Array }>(
      { text: 'SELECT encrypted_credentials AS sealed FROM provider_account WHERE id = $1' },
      [id],
    );
    expect(Buffer.from(row?.sealed ?? []).includes(simulator.credentials.apiKey)).toBe(false);
    const listed = (await listAccounts(runtime().db)).find((account) => account.id === id);
    expect(listed).toMatchObject({ label: 'Till', merchant: merchant.merchant.slug, networks: ['vodacom'], disabledAt: null });
  });

  test('is rejected in live if another owner has its shortcode', async () => {
    const code = (serviceProviderCode: string) => ({ env: 'openapi', serviceProviderCode });
    const first = await add(code('abc123'), 'live');
    if (!first.ok) throw new Error(first.error.join(' '));
    const owner = merchant.merchant.slug;
    merchant = await makeMerchant(runtime());
    const refused = `The account "Till" of the merchant "${owner}" has the shortcode ABC123: if two owners have the same shortcode, each payment is booked twice.`;
    expect(await add(code('ABC123'), 'live')).toEqual({ ok: false, error: [refused] });
    expect(await add(code('ABC124'), 'live')).toMatchObject({ ok: true });

    const account = { id: first.value.id, environment: 'live' } as const;
    const money = { id: crypto.randomUUID(), account, transactionId: 'ABC', amount: 100n, mobile: null, recordedAt: runtime().clock() };
    await insertUnmatchedPayment(runtime().db, money);
    await disableAccount(runtime(), { id: account.id, actor: TEST_OPERATOR });
    merchant = await makeMerchant(runtime());
    expect(await add(code('ABC123'), 'live')).toEqual({ ok: false, error: [refused] });
  });

  const applications = {
    airtel: { clientId: 'app-1', clientSecret: 'secret-secret' },
    azampay: { appName: 'Duka', clientId: 'app-1', clientSecret: 'secret-secret' },
    clickpesa: { clientId: 'app-1', apiKey: 'key-key-key-1' },
    mixx: {
      username: 'user',
      password: 'password',
      billerMsisdn: '255712345678',
      billerCode: 'DUKA',
      tokenUrl: 'https://yas.example/token',
      pushUrl: 'https://yas.example/push',
      statusUrl: 'https://yas.example/status',
      statusPin: '1234',
    },
    pawapay: { apiToken: 'token-token-1' },
    selcom: { apiKey: 'key-key-1', apiSecret: 'secret-secret', vendor: 'TILL1', buyerEmail: 'shop@example.com' },
    snippe: { apiKey: 'key-key-1', webhookSecret: 'whsec-secret', payerEmail: 'shop@example.com' },
  };
  test.each(Object.entries(applications))(
    'at %s is rejected in live if another owner has its application',
    async (provider, credentials) => {
      const settings = { ...runtime().settings, LIVE_BASE_URL: new URL('https://bili.example') };
      const addTo = (merchantId: string | null) =>
        addAccount(
          { ...runtime(), settings },
          {
            provider,
            environment: 'live',
            merchantId,
            label: 'Till',
            networks: null,
            credentials: JSON.stringify(credentials),
            actor: TEST_OPERATOR,
          },
        );
      const [owner, other] = [await makeMerchant(runtime()), await makeMerchant(runtime())];
      const first = await addTo(owner.merchant.id);
      if (!first.ok) throw new Error(first.error.join(' '));
      const { name } = runtime().providers.find(provider)?.tillOf(JSON.stringify(credentials)) ?? {};
      const refused = {
        ok: false,
        error: [expect.stringMatching(new RegExp(`^The account "Till" of the merchant "${owner.merchant.slug}" has .*${name}`))],
      };
      expect(await addTo(other.merchant.id)).toEqual(refused);
      expect(await addTo(null)).toEqual(refused);
      await expect(
        runtime().db.query(
          {
            text: `INSERT INTO provider_account (id, environment, provider, label, created_at, till_identity)
                 SELECT gen_random_uuid(), environment, provider, 'Copy', now(), till_identity FROM provider_account WHERE id = $1`,
          },
          [first.value.id],
        ),
      ).rejects.toThrow('another owner has the till identity');
      // An account that was added before identities were stored conflicts too.
      await runtime().db.query({ text: 'UPDATE provider_account SET till_identity = NULL WHERE id = $1' }, [first.value.id]);
      expect(await addTo(other.merchant.id)).toEqual(refused);
      await disableAccount(runtime(), { id: first.value.id, actor: TEST_OPERATOR });
      expect(await addTo(owner.merchant.id)).toMatchObject({ ok: true });
    },
  );

  test('is accepted if the only other account with its shortcode was disabled before any payment', async () => {
    const code = { env: 'openapi', serviceProviderCode: '777777' };
    const mistaken = await add(code, 'live');
    if (!mistaken.ok) throw new Error(mistaken.error.join(' '));
    await disableAccount(runtime(), { id: mistaken.value.id, actor: TEST_OPERATOR });
    merchant = await makeMerchant(runtime());
    expect(await add(code, 'live')).toMatchObject({ ok: true });
  });

  test('is rejected with a message if it is malformed, has the wrong environment, or serves an already served network', async () => {
    expect(await add({ publicKey: 'x', mode: 'both' })).toEqual({
      ok: false,
      error: ['publicKey must be an RSA public key of at least 2048 bits in base64 (DER, SPKI).', 'mode must be "sync" or "async".'],
    });
    expect(await add({}, 'live')).toEqual({ ok: false, error: ['env must be "openapi" for an account in live.'] });
    expect(await add({ env: 'openapi' })).toEqual({ ok: false, error: ['env must be "sandbox" for an account in sandbox.'] });
    const { id } = await added();
    expect(await add()).toEqual({ ok: false, error: ['The account "Till" already serves vodacom: disable it first.'] });
    expect(await disableAccount(runtime(), { id, actor: TEST_OPERATOR })).toBe(true);
    expect(await disableAccount(runtime(), { id, actor: TEST_OPERATOR })).toBe(false);
    expect(await add()).toMatchObject({ ok: true });
  });

  test('serves the requested networks if its provider supports them', async () => {
    expect(await add({}, 'sandbox', ['vodacom', 'airtel', 'yas'])).toEqual({
      ok: false,
      error: ['mpesa cannot serve airtel, yas: it serves vodacom.'],
    });
    expect(await add({}, 'sandbox', [])).toEqual({ ok: false, error: ['An account must serve at least one network.'] });
    expect(await add({}, 'sandbox', ['vodacom', 'vodacom'])).toMatchObject({ ok: true, value: { networks: ['vodacom'] } });
  });

  test('is checked without moving money', async () => {
    const before = simulator.transactions.length;
    const { id } = await added();
    expect(await checkAccount(withProviders(), id)).toEqual({ ok: true, value: null });
    merchant = await makeMerchant(runtime());
    const broken = await added({ apiKey: 'not-the-key' });
    expect(await checkAccount(withProviders(), broken.id)).toEqual({ ok: true, value: 'no session: HTTP 401' });
    expect(await checkAccount(withProviders(), 'nonsense')).toEqual({ ok: false, error: 'not_found' });
    expect(simulator.transactions).toHaveLength(before);
  });
});

test('an unsigned callback changes nothing itself, but makes a status query due that books the payment', async () => {
  const { callbackUrl } = await added();
  const token = callbackUrl.split('/').at(-1) ?? '';
  const billId = await billTo('0754000001');
  await work(await claimed(billId));
  const sent = await attemptOf(billId);
  expect(sent?.state).toBe('AWAITING_CUSTOMER');

  const theirs = () => receiver.received.find(({ body }) => body.includes(sent?.ourReference ?? 'nothing'));
  await expect.poll(theirs).toBeDefined();
  const callback = { headers: {}, body: new Uint8Array(Buffer.from(theirs()?.body ?? '')) };
  const reply = await receiveCallback(withProviders(), { provider: 'mpesa', token, callback });
  expect(reply).toMatchObject({ ok: true, value: { status: 200, body: expect.stringContaining('"output_ResponseCode":"0"') } });
  expect((await attemptOf(billId))?.state).toBe('AWAITING_CUSTOMER');

  // The query is due at once, before the time of the first regular query.
  await work(await claimed(billId));
  expect((await attemptOf(billId))?.state).toBe('SUCCEEDED');
  expect(
    await runtime().db.query({ text: 'SELECT provider_transaction_id AS receipt, amount FROM payment WHERE attempt_id = $1' }, [sent?.id]),
  ).toEqual([{ receipt: simulator.transactions.at(-1)?.transactionId, amount: 500100n }]);
});

test('a prompt to a ported number uses the account of the network that the customer chose', async () => {
  const { id } = await added();
  const billId = await makeBill(runtime(), merchant);
  const mobile = parseMobile('0712000001');
  if (mobile === null) throw new Error('the number is invalid');
  expect(await requestPrompt(runtime(), { environment: 'sandbox', billId, mobile, chosenNetwork: 'vodacom' })).toMatchObject({
    kind: 'requested',
  });
  const before = simulator.transactions.length;
  await work(await claimed(billId));
  expect(simulator.transactions).toHaveLength(before + 1);
  expect(await attemptOf(billId)).toMatchObject({ state: 'AWAITING_CUSTOMER', network: 'vodacom', providerAccountId: id });
});

test('a synchronous answer with a receipt books the payment', async () => {
  await added({ mode: 'sync' });
  simulator.control({ mode: 'sync' });
  const billId = await billTo('0754000001');
  await work(await claimed(billId));
  simulator.control({ mode: 'async' });
  expect((await attemptOf(billId))?.state).toBe('SUCCEEDED');
});
