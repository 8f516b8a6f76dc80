import { expect, test } from 'vitest';
import { setEndpoint } from '@/lib/gateway/webhooks/endpoint/set-endpoint';
import { operatorAccess } from '@/lib/identity/accounts/access/grant-access';
import { findAccountById, openAccount } from '@/lib/providers/accounts/account-store';
import { SIGNATURE_HEADER, signCallback } from '@/lib/providers/sandbox/wire';
import { deliverAll } from '@/testing/data/deliveries';
import { testSandbox } from '@/testing/data/sandbox';
import { testListener } from '@/testing/fakes/listener';
import { testReceiver } from '@/testing/fakes/receiver';
import { collectLog } from '@/testing/log-lines';
import { makeMerchant, TEST_OPERATOR, type TestRuntime, testRuntime } from '@/testing/runtime';

const plain = testRuntime({ SANDBOX_BASE_URL: 'http://127.0.0.1:9', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' });
const { log, lines } = collectLog();
const runtime = (): TestRuntime => ({ ...plain(), log });
const origin = testListener(runtime);
const sandbox = testSandbox(runtime);
const receiver = testReceiver();

test('one payment can be followed from its request through prompt, callback and webhook', async () => {
  const merchant = await makeMerchant(runtime());
  const scope = merchant.scope('sandbox');
  await setEndpoint(runtime(), operatorAccess(TEST_OPERATOR, scope), receiver.url());
  const { id, secret } = await merchant.key('sandbox');
  const created = await fetch(`${origin()}/api/v3/bills/create`, {
    method: 'POST',
    headers: { authorization: `ApiKey ${id}:${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 5000, reference: 'TRACED', mobile: '0712345001' }),
  });
  const { id: billId } = await created.json();
  const requestId = created.headers.get('x-request-id');
  const line = (msg: string) => lines.find((one) => one.msg === msg && one.billId === billId);
  const ourReference = line('api')?.ourReference;
  expect(ourReference).toMatch(/^[A-Z0-9]{20}$/);
  expect(line('api')).toMatchObject({ requestId, merchantId: scope.merchantId, billId, ourReference, status: 200 });

  await sandbox.step();
  expect(line('provider answered')).toMatchObject({ billId, ourReference, merchantId: scope.merchantId });

  const { db, secrets } = runtime();
  const [account] = await db.query<{ id: string }>({ text: "SELECT id FROM provider_account WHERE provider = 'sandbox'" });
  const stored = await findAccountById(db, account?.id ?? '');
  if (!stored) throw new Error('the sandbox has no account');
  const body = JSON.stringify({ reference: ourReference, status: 'PAID', receipt: 'TRACED1', amount: 5000, reversalReceipt: null });
  const called = await fetch(origin() + new URL(openAccount(runtime(), stored).callbackUrl).pathname, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [SIGNATURE_HEADER]: signCallback(secrets.key('sandbox-provider'), body) },
    body,
  });
  expect(called.status).toBe(200);
  const traced = { billId, ourReference, merchantId: scope.merchantId, requestId: called.headers.get('x-request-id') };
  expect(line('callback received')).toMatchObject(traced);

  await deliverAll(runtime());
  expect(line('webhook delivery attempted')).toMatchObject({ billId, merchantId: scope.merchantId, status: 200 });
});
