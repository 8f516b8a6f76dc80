import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { examine } from '@/lib/entry/doctor/examine';
import { claimAttempts } from '@/lib/gateway/attempts/claim-attempts';
import { LEASE_MS } from '@/lib/gateway/attempts/hold-lease';
import { workAttempt } from '@/lib/gateway/attempts/work-attempt';
import { showPayPage } from '@/lib/gateway/payment-page/show-pay-page';
import { listAttempts } from '@/lib/gateway/payments/store';
import { addMs, SECOND_MS } from '@/lib/platform/core/clock';
import { listAccounts } from '@/lib/providers/accounts/account-store';
import { addAccount, disableAccount } from '@/lib/providers/accounts/manage-account';
import { type MpesaSimulator, startMpesaSimulator } from '@/lib/providers/mpesa/simulator';
import { createRegistry, type ProviderRegistry } from '@/lib/providers/registry';
import { mailsTo } from '@/testing/data/mails';
import { testReceiver } from '@/testing/fakes/receiver';
import { answering, ok } from '@/testing/fakes/start-receiver';
import { startTcpProxy, type TcpProxy } from '@/testing/fakes/tcp-proxy';
import { makeBill, makeMerchant, TEST_OPERATOR, type TestMerchant, testRuntime } from '@/testing/runtime';
import { claimDueNotices, notifyOutages, sendNotice } from './notify-outages';
import { claimDueProbes, probeAccount } from './probe-account';

const OPERATOR = 'operator@example.com';
const runtime = testRuntime({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'bili@example.com', OPERATOR_EMAIL: OPERATOR });
const receiver = testReceiver();
const { signal } = new AbortController();
const STEP_MS = 2 * SECOND_MS;
const NOT_ANSWERED = 'M-Pesa does not answer';

let numbers = 0;
let simulator: MpesaSimulator;
let proxy: TcpProxy;
let providers: ProviderRegistry;
let merchant: TestMerchant;
let accountId: string;

beforeEach(async () => {
  const { clock, random } = runtime();
  simulator = await startMpesaSimulator({ clock, random, mode: 'sync', delayFactor: 0.001, keyBits: 2048 });
  proxy = await startTcpProxy(Number(new URL(simulator.url).port));
  providers = createRegistry(runtime(), null);
  merchant = await makeMerchant(runtime());
  const added = await addAccount(worker(), {
    provider: 'mpesa',
    environment: 'live',
    merchantId: null,
    label: 'Till',
    networks: null,
    credentials: JSON.stringify({ ...simulator.credentials, env: 'openapi', baseUrl: `http://127.0.0.1:${proxy.port}` }),
    actor: TEST_OPERATOR,
  });
  if (!added.ok) throw new Error(added.error.join(' '));
  accountId = added.value.id;
  receiver.answer(ok);
  receiver.received.length = 0;
});
afterEach(async () => {
  proxy.close();
  await simulator.stop();
  await disableAccount(runtime(), { id: accountId, actor: TEST_OPERATOR });
  await query('UPDATE push_attempt SET due_at = NULL');
  await query('DELETE FROM mail');
});

const query = (text: string, ...values: readonly unknown[]) => runtime().db.query({ text }, values);
const worker = () => ({
  ...runtime(),
  settings: { ...runtime().settings, OPERATOR_WEBHOOK_URL: receiver.url('/operator') },
  providers,
  heartbeatMs: 20,
});

async function newBill(): Promise<string> {
  numbers += 1;
  return makeBill(runtime(), merchant, { mobile: `0754${String(numbers).padStart(3, '0')}001`, environment: 'live' });
}

/** Does the work that is due, and advances the clock by `STEP_MS`. */
async function step(): Promise<void> {
  const { db, clock } = runtime();
  const attempts = await claimAttempts(db, { now: clock(), leaseUntil: addMs(clock(), LEASE_MS), limit: 100 });
  await Promise.all(attempts.map((attempt) => workAttempt(worker(), attempt, signal)));
  await notifyOutages(worker());
  await Promise.all((await claimDueProbes(worker(), 10)).map((id) => probeAccount(worker(), id, signal)));
  await Promise.all((await claimDueNotices(worker(), 10)).map((notice) => sendNotice(worker(), notice, signal)));
  runtime().advance(STEP_MS);
}

/**
 * Does the due work and advances the test's clock, step by step, until the condition is true. Returns how many seconds the clock advanced.
 */
async function secondsUntil(condition: () => Promise<boolean>): Promise<number> {
  const start = runtime().clock().getTime();
  for (let steps = 0; steps < 250; steps += 1) {
    if (await condition()) return (runtime().clock().getTime() - start) / SECOND_MS;
    await step();
  }
  throw new Error('the condition did not become true');
}

const mails = async () => (await mailsTo(runtime(), OPERATOR)).map(({ text }) => text);
const posted = () => receiver.received.map(({ body }) => JSON.parse(body));
const health = async () => (await examine(worker())).find(({ name }) => name === 'providers_answer');
const attemptOf = async (billId: string) => (await listAttempts(runtime().db, billId))[0];

test('an outage and its end are each reported once within a minute: by log, mail, webhook, doctor, account list and payment page', async () => {
  const warned = vi.spyOn(runtime().log, 'warn');
  const paid = await newBill();
  await step();
  expect(await attemptOf(paid)).toMatchObject({ state: 'SUCCEEDED' });
  expect(await health()).toMatchObject({ level: 'ok' });

  await proxy.accept('refuse');
  const waiting = await newBill();
  expect(await secondsUntil(async () => (await mails()).length > 0)).toBeLessThan(60);
  for (let steps = 0; steps < 10; steps += 1) await step();
  expect(await mails()).toEqual([
    expect.stringContaining(`The account "Till" at M-Pesa (live, the operator's, ${accountId}) has not answered since`),
  ]);
  expect(posted()).toMatchObject([
    {
      type: 'provider_account.down',
      account: { id: accountId, label: 'Till', networks: ['vodacom'] },
      error: expect.stringContaining('ECONNREFUSED'),
    },
  ]);
  expect(await health()).toMatchObject({
    level: 'wrong',
    details: [expect.stringMatching(/^Till \(live, vodacom, .*ECONNREFUSED.*it answered last at 2/)],
  });
  expect((await listAccounts(runtime().db)).find(({ id }) => id === accountId)).toMatchObject({
    downSince: expect.any(Date),
    lastSuccessAt: expect.any(Date),
    lastError: expect.stringContaining('ECONNREFUSED'),
  });
  const bill = await makeBill(runtime(), merchant, { environment: 'live' });
  expect(await showPayPage(worker(), 'live', bill)).toMatchObject({ offer: { networks: ['vodacom'], down: ['vodacom'] } });
  expect(await attemptOf(waiting)).toMatchObject({ state: 'QUEUED' });
  expect(await showPayPage(worker(), 'live', waiting)).toMatchObject({ state: { kind: 'queued' } });

  await proxy.accept('pass');
  expect(await secondsUntil(async () => (await mails()).length > 1)).toBeLessThan(60);
  for (let steps = 0; steps < 20; steps += 1) await step();
  expect((await mails())[1]).toContain('answers again');
  expect(posted()).toHaveLength(2);
  expect(posted()[1]).toMatchObject({ type: 'provider_account.recovered', error: null });
  expect(await health()).toMatchObject({ level: 'ok' });
  expect(await attemptOf(waiting)).toMatchObject({ state: 'SUCCEEDED' });
  expect(await showPayPage(worker(), 'live', bill)).toMatchObject({ offer: { down: [] } });
  const lines = warned.mock.calls.filter(([, text]) => String(text).startsWith('a provider account'));
  expect(lines.map(([, text]) => text)).toEqual(['a provider account does not answer', 'a provider account answers again']);
  warned.mockRestore();
});

test('the end of an outage is detected without a waiting prompt and without sending a prompt', async () => {
  await proxy.accept('refuse');
  const failed = await newBill();
  await secondsUntil(async () => (await attemptOf(failed))?.state === 'FAILED');
  expect(await attemptOf(failed)).toMatchObject({ failureReason: 'provider_unavailable' });
  expect(await mails()).toHaveLength(1);
  await proxy.accept('pass');
  expect(await secondsUntil(async () => (await mails()).length > 1)).toBeLessThan(60);
  expect(simulator.transactions).toEqual([]);
});

test('a short disturbance causes no notification', async () => {
  await proxy.accept('refuse');
  await newBill();
  for (let steps = 0; steps < 3; steps += 1) await step();
  await proxy.accept('pass');
  for (let steps = 0; steps < 30; steps += 1) await step();
  expect(await mails()).toEqual([]);
});

test('an account that is disabled during its outage causes no further notification', async () => {
  await proxy.accept('refuse');
  await newBill();
  await secondsUntil(async () => (await mails()).length > 0);
  await disableAccount(runtime(), { id: accountId, actor: TEST_OPERATOR });
  for (let steps = 0; steps < 5; steps += 1) await step();
  expect(await mails()).toHaveLength(1);
  expect(await health()).toMatchObject({ level: 'ok' });
});

describe('a notice that the operator does not accept', () => {
  test('is sent again until it is accepted', async () => {
    receiver.answer(answering(503));
    await proxy.accept('refuse');
    await newBill();
    await secondsUntil(async () => (await mails()).length > 0);
    await secondsUntil(async () => posted().length > 2);
    receiver.answer(ok);
    const before = posted().length;
    await secondsUntil(async () => posted().length > before);
    for (let steps = 0; steps < 20; steps += 1) await step();
    expect(posted()).toHaveLength(before + 1);
    expect(new Set(posted().map(({ id }) => id)).size).toBe(1);
  });
});

test(`the subject of the mail contains the wallet: ${NOT_ANSWERED}`, async () => {
  await proxy.accept('refuse');
  await newBill();
  await secondsUntil(async () => (await mails()).length > 0);
  expect(await query('SELECT subject FROM mail')).toEqual([{ subject: `${NOT_ANSWERED}: Till (live)` }]);
});
