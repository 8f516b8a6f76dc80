import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { BACKUP_KINDS, recordFailure, recordSuccess } from '@/lib/entry/backups/status-store';
import { startMetrics } from '@/lib/entry/metrics/start-metrics';
import { startHeartbeat } from '@/lib/entry/processes/start-heartbeat';
import { insertProviderMessage } from '@/lib/gateway/messages/message-store';
import { openReview } from '@/lib/gateway/reviews/store';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { newId } from '@/lib/platform/core/ids';
import { createClock } from '@/lib/platform/db/watch-clock';
import { insertHold } from '@/lib/platform/hold/hold-store';
import { pay } from '@/testing/data/paying';
import { freePorts } from '@/testing/free-ports';
import { hasPromtool, holdingAlerts } from '@/testing/promtool';
import { makeAccount, makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { scrape } from '@/testing/scrape';
import { checkLedger } from './check-ledger';

// @module-tag full
const [port = 0] = await freePorts(1);
const runtime = testRuntime({ WORKER_METRICS_PORT: String(port) });

let merchant: TestMerchant;
let heartbeat: Awaited<ReturnType<typeof startHeartbeat>>;
let webHeartbeat: Awaited<ReturnType<typeof startHeartbeat>>;
let stop: () => Promise<void> = async () => undefined;
/** Starts the heartbeat of another process, which has a health of its own. */
const startProcess = (role: 'worker' | 'web') => startHeartbeat({ ...runtime(), health: new Map() }, role);
beforeAll(async () => {
  merchant = await makeMerchant(runtime());
  heartbeat = await startProcess('worker');
  webHeartbeat = await startProcess('web');
  for (const kind of BACKUP_KINDS) await recordSuccess(runtime().db, kind, 'a backup', runtime().clock());
});
afterAll(async () => {
  await webHeartbeat.stop();
  await heartbeat.stop();
  await stop();
});

beforeEach(({ skip }) => skip(!hasPromtool(), 'promtool, a part of Prometheus, is not installed'));

const rows = (text: string, ...values: unknown[]) => runtime().db.query({ text }, values);

/** Restarts the metrics, because they cache facts about the database for some seconds. */
async function startAgain(): Promise<void> {
  await stop();
  const options = { role: 'worker', setting: 'WORKER_METRICS_PORT', findProblem: () => null } as const;
  const running = await startMetrics(runtime(), options);
  stop = async () => running?.stop();
  while (await checkLedger(runtime()));
}

/** Returns the alerts that hold, without the one about a busy machine, which has a test of its rule only. */
const holding = async () => (await holdingAlerts(await scrape(port))).filter((name) => name !== 'BiliEventLoopLag');

async function holdingNow(): Promise<string[]> {
  await startAgain();
  return holding();
}

test('no alert holds for a healthy installation', async () => {
  expect(await holdingNow()).toEqual([]);
});

test('an old backup, and a drill that has failed', async () => {
  const { db, clock } = runtime();
  await recordSuccess(db, 'backup', 'a backup', addMs(clock(), -2 * DAY_MS));
  await recordFailure(db, 'drill', 'a part is damaged', addMs(clock(), 1));
  expect(await holdingNow()).toEqual(['BiliBackupMissing', 'BiliBackupNotProven']);
  for (const kind of BACKUP_KINDS) await recordSuccess(db, kind, 'a backup', addMs(clock(), 2));
  expect(await holdingNow()).toEqual([]);
});

test('a copy on hold', async () => {
  await insertHold(runtime().db, { since: runtime().clock(), reason: 'restored' });
  expect(await holdingNow()).toEqual(['BiliOnHold']);
  await runtime().db.prisma.hold.deleteMany();
});

test('a missing worker', async () => {
  await heartbeat.stop();
  expect(await holdingNow()).toEqual(['BiliWorkerMissing']);
  heartbeat = await startProcess('worker');
});

test('a missing web process', async () => {
  await webHeartbeat.stop();
  expect(await holdingNow()).toEqual(['BiliWebMissing']);
  webHeartbeat = await startProcess('web');
});

test('a web process whose clock is an hour behind', async () => {
  await webHeartbeat.stop();
  const slow = createClock(() => new Date(Date.now() - HOUR_MS));
  webHeartbeat = await startHeartbeat({ ...runtime(), ...slow }, 'web');
  expect(await holdingNow()).toEqual(['BiliClockWrong']);
  await webHeartbeat.stop();
  webHeartbeat = await startProcess('web');
});

test('a database that commits nothing', async () => {
  const { db } = runtime();
  // The transaction of this heartbeat is refused, although the metrics can still be read.
  const refusing: typeof db = {
    ...db,
    sqlTransaction: (work) =>
      db.sqlTransaction(async (tx) => {
        await tx.query({ text: 'SET TRANSACTION READ ONLY' });
        return work(tx);
      }),
  };
  const failing = await startHeartbeat({ ...runtime(), db: refusing }, 'web');
  expect(await holdingNow()).toEqual(['BiliCommitsFail']);
  await failing.stop();
  runtime().health.clear();
});

test('a review', async () => {
  const bill = await makeBill(runtime(), merchant, { mobile: '0712345678', reference: 'REVIEW' });
  const [attempt] = await runtime().db.query<{ id: string }>({ text: 'SELECT id FROM push_attempt WHERE bill_id = $1' }, [bill]);
  const about = { kind: 'contradiction', merchantId: merchant.merchant.id, environment: 'sandbox', attemptId: attempt?.id ?? '' } as const;
  await openReview(runtime().db, { ...about, id: newId(runtime()), data: {}, openedAt: runtime().clock() });
  expect(await holdingNow()).toEqual(['BiliReviewsWait']);
  await rows('UPDATE review SET resolved_at = now(), resolved_by = $1, resolution = $1', 'test');
  const [tomorrow, before] = [addMs(runtime().clock(), DAY_MS), addMs(runtime().clock(), -31 * MINUTE_MS)];
  await rows("UPDATE push_attempt SET state = 'UNKNOWN', due_at = $1, unknown_since = $2", tomorrow, before);
  expect(await holdingNow()).toEqual(['BiliUnknownOutcomes']);
  await rows("UPDATE push_attempt SET state = 'QUEUED', unknown_since = NULL");
});

test('a provider that does not answer', async () => {
  const { id } = await makeAccount(runtime(), { provider: 'mpesa', credentials: '{}', callbackUrl: '' });
  await rows('UPDATE provider_account SET down_since = now() WHERE id = $1', id);
  expect(await holdingNow()).toEqual(['BiliProviderAccountDown']);
  await rows('UPDATE provider_account SET disabled_at = now() WHERE id = $1', id);
});

test('prompts, provider messages and webhooks that nobody works on', async () => {
  await makeBill(runtime(), merchant, { mobile: '0712345679', reference: 'WAITS' });
  const account = await makeAccount(runtime(), { provider: 'sandbox', credentials: '{}', callbackUrl: '' });
  const message = { status: 200, headers: {}, body: new Uint8Array(), error: null, lost: null };
  await insertProviderMessage(runtime().db, {
    id: newId(runtime()),
    account,
    attemptId: null,
    kind: 'callback',
    message,
    leaseToken: null,
    receivedAt: runtime().clock(),
  });
  await rows("UPDATE webhook_endpoint SET url = 'http://127.0.0.1:9/' WHERE merchant_id = $1", merchant.merchant.id);
  await pay(runtime(), await makeBill(runtime(), merchant, { reference: 'PAID' }), 500_050n);
  runtime().advance(6 * MINUTE_MS);
  expect(await holdingNow()).toEqual(['BiliWorkWaits', 'BiliPromptsWait', 'BiliProviderMessagesNotApplied', 'BiliWebhooksWait']);
  runtime().advance(10 * MINUTE_MS);
  // No worker seals audit entries in this test, so they have waited in their queue for too long.
  expect(await holdingNow()).toContain('BiliQueueWaits');
});

test('a pool without a free connection', async () => {
  await startAgain();
  // On a busy machine, some statements wait too long for a connection and fail, which does not matter here.
  const sleeps = Promise.allSettled(Array.from({ length: 100 }, () => rows('SELECT pg_sleep(0.5)')));
  expect(await holding()).toContain('BiliDatabasePoolExhausted');
  await sleeps;
});

test('a ledger whose sums are wrong', async () => {
  await rows("UPDATE ledger_check SET due_at = now() WHERE kind = 'complete'");
  await runtime().owner.query({ text: 'ALTER TABLE bill DISABLE TRIGGER USER' });
  await rows("UPDATE bill SET reserved_amount = 0 WHERE reference = 'WAITS'");
  await runtime().owner.query({ text: 'ALTER TABLE bill ENABLE TRIGGER USER' });
  expect(await holdingNow()).toContain('BiliLedgerBroken');
});
