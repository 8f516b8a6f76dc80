import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { describeAttention } from '@/lib/backoffice/overview/attention-rules';
import { showOverview } from '@/lib/backoffice/overview/show-overview';
import { claimAttempts } from '@/lib/gateway/attempts/claim-attempts';
import { LEASE_MS } from '@/lib/gateway/attempts/hold-lease';
import { workAttempt } from '@/lib/gateway/attempts/work-attempt';
import { addMs, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import type { Locale } from '@/lib/platform/i18n/locale';
import { recordRefusal } from '@/lib/providers/accounts/health-store';
import { addAccount } from '@/lib/providers/accounts/manage-account';
import { type MpesaSimulator, startMpesaSimulator } from '@/lib/providers/mpesa/simulator';
import { createRegistry, type ProviderRegistry } from '@/lib/providers/registry';
import { letIn } from '@/testing/data/access';
import { testListener } from '@/testing/fakes/listener';
import { startTcpProxy, type TcpProxy } from '@/testing/fakes/tcp-proxy';
import { makeBill, makeMerchant, TEST_OPERATOR, type TestMerchant, testRuntime } from '@/testing/runtime';
import { notifyOutages } from './notify-outages';
import { claimDueProbes, probeAccount } from './probe-account';

// Different live accounts serve M-Pesa and Airtel Money customers. Only the account for M-Pesa has problems in these tests.
const runtime = testRuntime();
const origin = testListener(runtime, 'live');
const { signal } = new AbortController();
const SERVED = ['vodacom', 'airtel'];
const OTHERS = { halotel: 'not_served', ttcl: 'not_served', yas: 'not_served' };

let simulator: MpesaSimulator;
let proxy: TcpProxy;
let providers: ProviderRegistry;
let merchant: TestMerchant;
let key: { readonly id: string; readonly secret: string };
let mpesa: string;

beforeAll(async () => {
  const { clock, random, db } = runtime();
  simulator = await startMpesaSimulator({ clock, random, mode: 'sync', delayFactor: 0.001, keyBits: 2048 });
  proxy = await startTcpProxy(Number(new URL(simulator.url).port));
  providers = createRegistry(runtime(), null);
  const credentials = { ...simulator.credentials, env: 'openapi', baseUrl: `http://127.0.0.1:${proxy.port}` };
  mpesa = await account('M-Pesa', credentials);
  const second = await account('second', { ...credentials, serviceProviderCode: '000777' }, await makeMerchant(runtime()));
  // The second account only has to exist: no attempt is sent through it.
  await db.query({ text: "UPDATE provider_account SET networks = '{airtel}', merchant_id = NULL WHERE id = $1" }, [second]);
});
afterAll(async () => {
  proxy.close();
  await simulator.stop();
});
beforeEach(async () => {
  merchant = await makeMerchant(runtime());
  key = await merchant.key('live');
});

async function account(label: string, credentials: object, owner: TestMerchant | null = null): Promise<string> {
  const about = { provider: 'mpesa', environment: 'live', label, networks: null, actor: TEST_OPERATOR } as const;
  const merchantId = owner?.merchant.id ?? null;
  const added = await addAccount({ ...runtime(), providers }, { ...about, merchantId, credentials: JSON.stringify(credentials) });
  if (!added.ok) throw new Error(added.error.join(' '));
  return added.value.id;
}

/** Does the work that is due, and advances the clock by two seconds. */
async function step(): Promise<void> {
  const worker = { ...runtime(), providers, heartbeatMs: 20 };
  const { db, clock } = worker;
  for (const attempt of await claimAttempts(db, { now: clock(), leaseUntil: addMs(clock(), LEASE_MS), limit: 10 }))
    await workAttempt(worker, attempt, signal);
  await notifyOutages(worker);
  for (const id of await claimDueProbes(worker, 10)) await probeAccount(worker, id, signal);
  runtime().advance(2 * SECOND_MS);
}

async function statuses(): Promise<Record<string, string>> {
  const headers = { authorization: `ApiKey ${key.id}:${key.secret}` };
  const answer: { networks: { network: string; status: string }[] } = await (
    await fetch(`${origin()}/api/v3/networks`, { headers })
  ).json();
  return Object.fromEntries(answer.networks.map(({ network, status }) => [network, status]));
}

async function payPage(billId: string, locale: Locale): Promise<string> {
  return (await fetch(`${origin()}/pay?bill=${billId}&lang=${locale}`)).text();
}

async function dashboard(locale: Locale) {
  const shown = await showOverview(runtime(), await letIn(runtime(), merchant, { environment: 'live' }), { asked: {} });
  if (!shown.ok) throw new Error(shown.error);
  return shown.value.attention.filter(({ kind }) => kind === 'network_down').map((item) => describeAttention(item, locale));
}

/** Expects that the API, the payment page and the dashboard say that M-Pesa has problems and Airtel Money works, in both languages. */
async function expectProblems(billId: string): Promise<void> {
  expect(await statuses()).toEqual({ vodacom: 'problems', airtel: 'working', ...OTHERS });
  expect(await payPage(billId, 'en')).toContain('M-Pesa has problems at the moment. You can pay with Airtel Money.');
  expect(await payPage(billId, 'sw')).toContain('Kuna tatizo kwenye M-Pesa kwa sasa. Unaweza kulipa kwa Airtel Money.');
  expect(await dashboard('en')).toEqual([
    { title: 'M-Pesa has problems at the moment', text: expect.stringMatching(/^Customers can pay with Airtel Money\. /) },
  ]);
  expect(await dashboard('sw')).toEqual([
    { title: 'Kuna tatizo kwenye M-Pesa kwa sasa', text: expect.stringMatching(/^Wateja wanaweza kulipa kwa Airtel Money\. /) },
  ]);
}

async function expectNone(billId: string): Promise<void> {
  expect(await statuses()).toEqual(Object.fromEntries([...Object.entries(OTHERS), ...SERVED.map((network) => [network, 'working'])]));
  expect(await payPage(billId, 'en')).not.toContain('problems at the moment');
  expect(await payPage(billId, 'sw')).not.toContain('Kuna tatizo');
  expect(await dashboard('en')).toEqual([]);
}

const newBill = (mobile: string | null) => makeBill(runtime(), merchant, { mobile, environment: 'live' });

async function stepUntil(condition: () => Promise<boolean>): Promise<void> {
  for (let steps = 0; steps < 100; steps += 1) {
    if (await condition()) return;
    await step();
  }
  throw new Error('the condition did not become true');
}

test('an account that does not answer is suspended, all pages say so before a customer tries, and a successful probe ends it', async () => {
  const shown = await newBill(null);
  await expectNone(shown);
  await proxy.accept('refuse');
  await newBill('0754000001');
  // The account is suspended after five failed calls. The operator is notified only if the outage continues.
  await stepUntil(async () => (await statuses()).vodacom === 'problems');
  await expectProblems(shown);
  for (let steps = 0; steps < 10; steps += 1) await step();
  await expectProblems(shown);

  await runtime().db.query({ text: 'UPDATE push_attempt SET due_at = NULL' });
  await proxy.accept('pass');
  await stepUntil(async () => (await statuses()).vodacom === 'working');
  expect(simulator.transactions).toEqual([]);
  await expectNone(shown);
});

test('an account that refuses its owner is suspended, and all pages say so until it is tried again', async () => {
  const shown = await newBill(null);
  await recordRefusal(runtime().db, mpesa, runtime().clock());
  await expectProblems(shown);
  runtime().advance(MINUTE_MS);
  await expectNone(shown);
});
