import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordSuccess } from '@/lib/entry/backups/status-store';
import { setEndpoint } from '@/lib/gateway/webhooks/endpoint/set-endpoint';
import { METRICS } from '@/lib/platform/metrics/definitions';
import { pay } from '@/testing/data/paying';
import { testReceiver } from '@/testing/fakes/receiver';
import { freePorts } from '@/testing/free-ports';
import { makeBill, makeMerchant, testRuntime } from '@/testing/runtime';
import { metricNames, scrape } from '@/testing/scrape';
import { startWorker, type Worker } from './worker';

const [port = 0] = await freePorts(1);
const runtime = testRuntime({
  WORKER_METRICS_PORT: String(port),
  SANDBOX_BASE_URL: 'http://127.0.0.1:9',
  SANDBOX_DELAY_FACTOR: '0.01',
});
const receiver = testReceiver();

let worker: Worker;
beforeAll(async () => {
  worker = await startWorker(runtime());
});
afterAll(() => worker.stop());

const total = (series: ReadonlyMap<string, number>, start: string) =>
  [...series].reduce((sum, [name, value]) => (name.startsWith(start) ? sum + value : sum), 0);

test('a worker counts prompts, webhooks and jobs, and checks the ledger', async () => {
  const shop = await makeMerchant(runtime());
  await recordSuccess(runtime().db, 'backup', 'one', new Date());
  await setEndpoint(runtime(), shop.operator('sandbox'), receiver.url());
  const prompted = await makeBill(runtime(), shop, { mobile: '0712345678' });
  const paid = await makeBill(runtime(), shop, { reference: 'PAID' });
  await pay(runtime(), paid, 500_050n);
  await expect.poll(async () => total(await scrape(port), 'bili_webhook_attempts_total')).toBeGreaterThan(0);
  await expect.poll(async () => total(await scrape(port), 'bili_attempt_outcomes_total')).toBeGreaterThan(0);
  await expect.poll(async () => (await scrape(port)).get('bili_ledger_check_broken_rules{kind="complete"}')).toBe(0);
  await expect.poll(async () => (await scrape(port)).get('bili_unmatched_payments')).toBe(0);
  const series = await scrape(port);
  expect(prompted).not.toBe(paid);
  expect(total(series, 'bili_job_items_total{job="attempts",result="done"}')).toBeGreaterThan(0);
  expect(total(series, 'bili_job_claims_total{job="ledger",result="found"}')).toBeGreaterThanOrEqual(4);
  expect(total(series, 'bili_job_seconds_total{job="ledger",step="claim"}')).toBeGreaterThan(0);
  expect(series.get('bili_webhook_attempts_total{result="2xx"}')).toBeGreaterThan(0);
  expect(Date.now() / 1_000 - (series.get('bili_job_last_claim_timestamp_seconds{job="attempts"}') ?? 0)).toBeLessThan(60);
  const expected = Object.entries(METRICS).flatMap(([name, { from }]) => (from === 'web' ? [] : [name]));
  expect([...metricNames(series.keys())].sort()).toEqual(expected.sort());
});

test('a worker answers health checks', async () => {
  const status = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
  expect([await status('/healthz'), await status('/readyz')]).toEqual([200, 200]);
});
