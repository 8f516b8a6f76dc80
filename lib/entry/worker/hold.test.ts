import { afterAll, beforeAll, expect, test } from 'vitest';
import { addPushDevice } from '@/lib/backoffice/alerts/push/change-device';
import { endHold, startHold } from '@/lib/gateway/hold/hold-copy';
import { askInstruments } from '@/lib/gateway/instruments/ask-instruments';
import { listInstruments } from '@/lib/gateway/instruments/store';
import { setEndpoint } from '@/lib/gateway/webhooks/endpoint/set-endpoint';
import { newId } from '@/lib/platform/core/ids';
import { maySend } from '@/lib/platform/hold/hold';
import { insertHold } from '@/lib/platform/hold/hold-store';
import { queueMail } from '@/lib/platform/mail/queue-mail';
import { joinAs } from '@/testing/data/access';
import { pay } from '@/testing/data/paying';
import { type SimulatedAccount, startSimulatedAccount } from '@/testing/data/simulated-account';
import { testMailServer } from '@/testing/fakes/mail-server';
import { testReceiver } from '@/testing/fakes/receiver';
import { freePorts } from '@/testing/free-ports';
import { makeBill, TEST_OPERATOR, testRuntime } from '@/testing/runtime';
import { scrape } from '@/testing/scrape';
import { startWorker, type Worker } from './worker';

const [port = 0] = await freePorts(1);
const runtime = testRuntime({
  SANDBOX_BASE_URL: 'http://127.0.0.1:9',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  WORKER_METRICS_PORT: String(port),
});
const mailServer = testMailServer();
const receiver = testReceiver();
const slowly = { interval: 100 };

let prompts: SimulatedAccount;
let orders: SimulatedAccount;
let worker: Worker;
/** The runtime of an installation that calls the servers of this test. */
let installation: ReturnType<typeof runtime>;

beforeAll(async () => {
  prompts = await startSimulatedAccount(runtime(), { provider: 'airtel', network: 'airtel', prefix: '0784' }, {});
  orders = await startSimulatedAccount(runtime(), { provider: 'selcom', network: 'vodacom', prefix: '0754' }, {});
  const mail = { server: mailServer.url(), from: { name: 'Bili', address: 'bili@example.com' } };
  installation = { ...runtime(), settings: { ...runtime().settings, mail, OPERATOR_WEBHOOK_URL: receiver.url('/operator') } };
});
afterAll(async () => {
  await worker.stop();
  await prompts.stop();
  await orders.stop();
  globalThis.biliHold = undefined;
});

const rows = (text: string, ...values: unknown[]) => runtime().db.query({ text }, values);
const newBill = (environment: 'live' | 'sandbox', mobile: string | null = null) =>
  makeBill(runtime(), prompts.merchant, { amount: 5000, mobile, environment });
const attemptOf = async (billId: string) => runtime().db.prisma.pushAttempt.findFirstOrThrow({ where: { billId } });
const arrived = () => [...new Set(receiver.received.map(({ path }) => path))].sort();

/** Resolves when the worker has found this bill for the search, so that all its loops have started. */
async function workerHasSeen(billId: string): Promise<void> {
  await expect.poll(async () => rows('SELECT 1 FROM search_entry WHERE bill_id = $1 LIMIT 1', billId), slowly).toHaveLength(1);
}

/** Queues something of every kind that leaves the machine. Returns the bills of the prompts, and the refund. */
async function queueEverything() {
  const { merchant } = prompts;
  const { clock, random, db } = installation;
  for (const environment of ['live', 'sandbox'] as const)
    expect(await setEndpoint(installation, merchant.operator(environment), receiver.url(`/${environment}`))).toMatchObject({ ok: true });
  const member = await joinAs(runtime(), merchant, 'admin');
  expect(await addPushDevice(runtime(), member, receiver.url('/push'))).toMatchObject({ ok: true });
  runtime().advance(10);
  for (const environment of ['live', 'sandbox'] as const) await pay(runtime(), await newBill(environment), 500_000n);
  const [queued, unknown, ordered, simulated] = [
    await newBill('live', '0784000001'),
    await newBill('live', '0784000002'),
    await newBill('live'),
    await newBill('sandbox', '0712345001'),
  ];
  // The backup was made just before the real installation sent them. It was restored a while later.
  await rows("UPDATE push_attempt SET created_at = created_at - interval '11 minutes' WHERE environment = 'live'");
  await rows(
    "UPDATE push_attempt SET state = 'UNKNOWN', unknown_since = created_at, sent_at = created_at, answer_lost_at = created_at, provider_account_id = $2, send_count = 1 WHERE bill_id = $1",
    unknown,
    prompts.id,
  );
  expect(await askInstruments(installation, ordered, 'customer')).toMatchObject({ ok: true });
  const write = () => ({ subject: 'A mail', text: 'Hello' });
  await queueMail(installation, { to: ['asha@example.com'], kind: 'notice_money', merchantId: null, language: 'en', write }, db);
  await db.prisma.operatorNotice.create({ data: { id: newId({ clock, random }), body: {}, dueAt: clock(), createdAt: clock() } });
  const refund = newId({ clock, random });
  const payment = newId({ clock, random });
  await rows(
    `INSERT INTO payment (id, environment, merchant_id, provider_account_id, provider_transaction_id, kind, amount, recorded_at)
     VALUES ($1, 'live', $2, $3, 'AM1', 'payment', 500000, now())`,
    payment,
    merchant.merchant.id,
    prompts.id,
  );
  await rows(
    `INSERT INTO refund (id, environment, merchant_id, payment_id, amount, whole, way, state, our_reference, reason, requested_by, due_at, created_at)
     VALUES ($1, 'live', $2, $3, 500000, true, 'reversal', 'QUEUED', 'REFUNDREFUNDREFUND00', 'wrong size', 'test', now(), now())`,
    refund,
    merchant.merchant.id,
    payment,
  );
  return { queued, unknown, ordered, simulated, refund };
}

test('a worker on a restored copy sends nothing until the hold ends, and then no request a second time', async () => {
  const { queued, unknown, ordered, simulated, refund } = await queueEverything();
  const { db, clock } = runtime();
  await insertHold(db, { since: clock(), reason: 'restored' });
  worker = await startWorker(installation);
  await workerHasSeen(await newBill('live'));
  expect({ called: arrived(), mails: mailServer.received.length, prompts: await prompts.control({}) }).toEqual({
    called: [],
    mails: 0,
    prompts: [],
  });
  // Nothing was claimed.
  expect(await attemptOf(queued)).toMatchObject({ state: 'QUEUED', leaseToken: 0, sendCount: 0 });
  expect(await attemptOf(unknown)).toMatchObject({ state: 'UNKNOWN', leaseToken: 0, queryCount: 0 });
  expect(await attemptOf(simulated)).toMatchObject({ state: 'QUEUED', leaseToken: 0 });
  expect((await listInstruments(db, ordered)).map(({ state }) => state)).toEqual(['ASKED']);
  expect((await scrape(port)).get('bili_on_hold')).toBe(1);
  expect(await (await fetch(`http://127.0.0.1:${port}/readyz`)).json()).toMatchObject({ status: 'ready', onHoldSince: expect.any(String) });
  expect(await rows("SELECT 1 FROM webhook_delivery WHERE state <> 'PENDING' OR attempt_count > 0")).toEqual([]);

  expect(await endHold(runtime(), { actor: TEST_OPERATOR })).toMatchObject({
    kind: 'ended',
    interrupted: { attempts: 1, refunds: 1, instruments: 1 },
  });
  await expect.poll(arrived, slowly).toEqual(['/live', '/operator', '/push', '/sandbox']);
  await expect.poll(() => mailServer.received.length, slowly).toBe(1);
  await expect.poll(async () => (await attemptOf(simulated)).sendCount, slowly).toBe(1);
  // The provider was asked about what the real installation may have sent, and got no request a second time.
  for (const billId of [queued, unknown]) {
    await expect.poll(async () => (await attemptOf(billId)).queryCount, slowly).toBeGreaterThan(0);
    expect(await attemptOf(billId)).toMatchObject({ state: 'UNKNOWN', sendCount: 1, providerAccountId: prompts.id });
  }
  await expect.poll(async () => db.prisma.refund.findUnique({ where: { id: refund } }), slowly).toMatchObject({ state: 'UNKNOWN' });
  await expect.poll(async () => (await listInstruments(db, ordered)).map(({ state }) => state), slowly).not.toContain('SENDING');
  expect(await prompts.control({})).toEqual([]);
  expect(
    await rows("SELECT DISTINCT kind FROM provider_message WHERE environment = 'live' AND kind IN ('answer', 'refund', 'instrument')"),
  ).toEqual([]);
});

test('a running worker notices a hold', async () => {
  const { db } = runtime();
  expect(await startHold(runtime(), { actor: TEST_OPERATOR, reason: 'a drill' })).toMatchObject({ started: true });
  await expect.poll(maySend, slowly).toBe(false);
  const before = receiver.received.length;
  const paid = await newBill('live');
  await pay(runtime(), paid, 500_000n);
  const queued = await newBill('live', '0784000003');
  await workerHasSeen(queued);
  expect(receiver.received).toHaveLength(before);
  expect(await attemptOf(queued)).toMatchObject({ state: 'QUEUED', leaseToken: 0 });
  // The prompt of a bill that is younger than ten minutes could be repeated.
  expect(await endHold(runtime(), { actor: TEST_OPERATOR })).toMatchObject({ kind: 'too_early' });
  expect(await db.prisma.auditEntry.count({ where: { action: 'hold.ended' } })).toBe(1);
});
