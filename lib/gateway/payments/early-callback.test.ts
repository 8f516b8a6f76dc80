import { expect, test } from 'vitest';
import { claimAttempts } from '@/lib/gateway/attempts/claim-attempts';
import { noteAccount } from '@/lib/gateway/attempts/lease-store';
import { receiveCallback } from '@/lib/gateway/callbacks/receive-callback';
import { addMs, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { newId } from '@/lib/platform/core/ids';
import { encryptCredentials, findAccountById, insertAccount, openAccount } from '@/lib/providers/accounts/account-store';
import { signWebhook } from '@/lib/providers/snippe/wire';
import { makeBill, makeMerchant, testRuntime } from '@/testing/runtime';
import { listAttempts } from './store';

const runtime = testRuntime();
const WEBHOOK_SECRET = 'whk_of_this_test';
const THEIR_REFERENCE = '5f0c5e3c-6a70-4b9e-8c0c-2a4a4b1a0001';

// Snippe finds a payment only by Snippe's own id. If Bili does not know this id, no status query finds money that arrives after a failure.
test('a signed callback that comes before the answer to the request tells the id for later status queries', async () => {
  const { db, clock } = runtime();
  await db.query({ text: 'UPDATE provider_account SET disabled_at = $1' }, [clock()]);
  const credentials = {
    apiKey: 'snp_of_this_test',
    webhookSecret: WEBHOOK_SECRET,
    payerEmail: 'duka@example.com',
    baseUrl: 'http://127.0.0.1:9',
  };
  const id = newId(runtime());
  const encryptedCredentials = encryptCredentials(runtime(), id, JSON.stringify(credentials));
  const owned = { id, environment: 'sandbox', merchantId: null } as const;
  await insertAccount(db, {
    ...owned,
    provider: 'snippe',
    label: 'snippe',
    networks: ['vodacom'],
    encryptedCredentials,
    createdAt: clock(),
  });
  const stored = await findAccountById(db, id);
  if (!stored) throw new Error('the account was made');
  const token = openAccount(runtime(), stored).callbackUrl.split('/').at(-1) ?? '';

  const billId = await makeBill(runtime(), await makeMerchant(runtime()), { mobile: '0754000001' });
  const leaseUntil = addMs(clock(), MINUTE_MS);
  const [attempt] = await claimAttempts(db, { now: clock(), leaseUntil, limit: 1 });
  if (!attempt) throw new Error('the attempt is due');
  expect(await noteAccount(db, attempt, { accountId: id, leaseUntil })).toBe('noted');

  const timestamp = String(Math.floor(clock().getTime() / SECOND_MS));
  const body = JSON.stringify({
    id: 'evt_1',
    type: 'payment.failed',
    data: { reference: THEIR_REFERENCE, status: 'failed', failure_reason: 'Internal error', metadata: { reference: attempt.ourReference } },
  });
  const callback = {
    headers: { 'x-webhook-timestamp': timestamp, 'x-webhook-signature': signWebhook(WEBHOOK_SECRET, timestamp, body) },
    body: new Uint8Array(Buffer.from(body)),
  };
  await receiveCallback(runtime(), { provider: 'snippe', token, callback });
  expect(await listAttempts(db, billId)).toMatchObject([
    { state: 'FAILED', failureReason: 'rejected', providerReference: THEIR_REFERENCE },
  ]);
});
