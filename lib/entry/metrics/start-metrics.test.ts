import { afterEach, expect, test } from 'vitest';
import { recordSuccess } from '@/lib/entry/backups/status-store';
import { openDatabase } from '@/lib/platform/db/database';
import { METRICS } from '@/lib/platform/metrics/definitions';
import { testListener } from '@/testing/fakes/listener';
import { freePorts } from '@/testing/free-ports';
import { makeBill, makeMerchant, testRuntime } from '@/testing/runtime';
import { metricNames, scrape } from '@/testing/scrape';
import type { RunningMetrics } from './serve-metrics';
import { startMetrics } from './start-metrics';

const [port = 0] = await freePorts(1);
const runtime = testRuntime({ METRICS_PORT: String(port), RATE_LIMIT_SANDBOX_READS: '1', TRUSTED_PROXIES: '127.0.0.1' });
const origin = testListener(runtime);

let running: RunningMetrics | undefined;
afterEach(() => running?.stop());
const start = async (changes: { findProblem?: () => string | null; db?: ReturnType<typeof openDatabase> } = {}) => {
  const { findProblem = () => null, ...rest } = changes;
  running = await startMetrics({ ...runtime(), ...rest }, { role: 'web', setting: 'METRICS_PORT', findProblem });
};
const status = async (path: string, method = 'GET') => (await fetch(`http://127.0.0.1:${port}${path}`, { method })).status;

test('API requests, refusals and batches are counted by route', async () => {
  await start();
  const shop = await makeMerchant(runtime());
  const { id, secret } = await shop.key('sandbox');
  const authorization = `ApiKey ${id}:${secret}`;
  const created = await fetch(`${origin()}/api/v3/bills/create`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: '{"amount":100,"reference":"R"}',
  });
  expect(created.status).toBe(200);
  const bill = await makeBill(runtime(), shop);
  for (let n = 0; n < 7; n += 1) await fetch(`${origin()}/api/v3/bills/${bill}`, { headers: { authorization } });
  await fetch(`${origin()}/api/v3/nothing`, { headers: { authorization } });
  const series = await scrape(port);
  expect(series.get('bili_api_requests_total{route="/api/v3/bills/create",method="POST",status="2xx"}')).toBe(1);
  expect(series.get('bili_api_requests_total{route="/api/v3/bills/:id",method="GET",status="2xx"}')).toBeGreaterThanOrEqual(5);
  expect(series.get('bili_api_requests_total{route="/api/v3/bills/:id",method="GET",status="4xx"}')).toBeGreaterThanOrEqual(1);
  expect(series.get('bili_api_requests_total{route="unknown",method="GET",status="4xx"}')).toBe(1);
  expect(series.get('bili_rate_limit_refusals_total{limit="key"}')).toBeGreaterThanOrEqual(1);
  expect(series.get('bili_api_request_duration_seconds_count{route="/api/v3/bills/:id"}')).toBe(7);
  expect(series.get('bili_batch_bills_count{queue="insert"}')).toBe(1);
  expect(series.get('bili_batch_bills_count{queue="read"}')).toBeGreaterThanOrEqual(5);
});

test('the output has every metric of a web process in the table, and no other', async () => {
  // Gauges of checks and of backups have no value before the first one has ended.
  await recordSuccess(runtime().db, 'backup', 'one', new Date());
  await runtime().db.query({ text: 'UPDATE ledger_check SET covered_to = now(), ended_at = now()' });
  await start();
  globalThis.biliRecorder?.batchRun('read', 1);
  globalThis.biliRecorder?.apiAnswered('/api/v3/bills/:id', 'GET', 200, 1);
  globalThis.biliRecorder?.attemptMoved(null, 'FAILED', null);
  globalThis.biliRecorder?.callbackRefused('snippe', 'unknown_token');
  const expected = Object.entries(METRICS).flatMap(([name, { from }]) => (from === 'worker' ? [] : [name]));
  expect([...metricNames((await scrape(port)).keys())].sort()).toEqual([...expected].sort());
});

test('queues are read from the database', async () => {
  const shop = await makeMerchant(runtime());
  for (let n = 0; n < 3; n += 1) await makeBill(runtime(), shop, { mobile: '0712345678', reference: `Q${n}` });
  runtime().advance(90_000);
  await start();
  const series = await scrape(port);
  expect(series.get('bili_database_up')).toBe(1);
  expect(series.get('bili_queue_items{queue="attempts"}')).toBe(3);
  expect(series.get('bili_queue_oldest_seconds{queue="attempts"}')).toBeGreaterThanOrEqual(90);
  expect(series.get('bili_queue_oldest_seconds{queue="attempts"}')).toBeLessThan(150);
  expect(series.get('bili_work_waiting_seconds')).toBeGreaterThanOrEqual(90);
  expect(series.get('bili_queue_items{queue="audit"}')).toBeGreaterThan(0);
  expect(series.get('bili_processes{role="worker"}')).toBe(0);
  expect(series.get('bili_database_connections_max')).toBe(10);
});

test('without a database, the metrics of the process remain and say so', async () => {
  const lost = openDatabase({ url: 'postgresql://x:x@127.0.0.1:9/x', poolSize: 1, applicationName: 'test', onError: () => undefined });
  await start({ db: lost });
  const series = await scrape(port);
  expect(series.get('bili_database_up')).toBe(0);
  expect(series.has('bili_work_waiting_seconds')).toBe(false);
  expect(series.has('bili_queue_items{queue="attempts"}')).toBe(false);
  expect(series.get('process_resident_memory_bytes')).toBeGreaterThan(1e6);
  expect([await status('/healthz'), await status('/readyz')]).toEqual([200, 503]);
  await lost.close();
});

test('the port answers health checks, and nothing else', async () => {
  let problem: string | null = null;
  await start({ findProblem: () => problem });
  expect([await status('/healthz'), await status('/readyz')]).toEqual([200, 200]);
  problem = 'stopping';
  expect([await status('/healthz'), await status('/readyz')]).toEqual([200, 503]);
  expect([await status('/'), await status('/metrics', 'POST')]).toEqual([404, 405]);
});

test('a port that is in use is named with its setting', async () => {
  await start();
  await expect(startMetrics(runtime(), { role: 'web', setting: 'METRICS_PORT', findProblem: () => null })).rejects.toThrow(
    `METRICS_PORT ${port} could not be opened on 127.0.0.1`,
  );
});

test('without the setting, nothing is counted or served', async () => {
  const settings = { ...runtime().settings, METRICS_PORT: undefined };
  const options = { role: 'web', setting: 'METRICS_PORT', findProblem: () => null } as const;
  expect(await startMetrics({ ...runtime(), settings }, options)).toBeUndefined();
  expect(globalThis.biliRecorder).toBeUndefined();
});
