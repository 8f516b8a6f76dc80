import { expect, test } from 'vitest';
import { parseSeries } from '@/testing/scrape';
import { createRecorder } from './create-recorder';
import { aggregate, createProcessMetrics } from './process-metrics';

/** The metrics of one process, as another process receives them. */
async function collectFrom(fill: (metrics: ReturnType<typeof createProcessMetrics>) => void) {
  const metrics = createProcessMetrics();
  fill(metrics);
  return JSON.parse(JSON.stringify(await metrics.collect()));
}

test('counters and histograms of several processes are added, facts about the database are not', async () => {
  const one = (requests: number, waiting: number, up: number) =>
    collectFrom((metrics) => {
      const recorder = createRecorder(metrics, 'web');
      for (let n = 0; n < requests; n += 1) recorder.apiAnswered('/api/v3/bills/:id', 'GET', 200, 3);
      metrics.gauge('bili_queue_items').set({ queue: 'attempts' }, waiting);
      metrics.gauge('bili_database_up').set(up);
      metrics.gauge('bili_database_waiting').set(2);
    });
  const series = parseSeries(await aggregate([await one(3, 70, 1), await one(4, 72, 0)]));
  expect(series.get('bili_api_requests_total{route="/api/v3/bills/:id",method="GET",status="2xx"}')).toBe(7);
  expect(series.get('bili_api_request_duration_seconds_count{route="/api/v3/bills/:id"}')).toBe(7);
  expect(series.get('bili_api_request_duration_seconds_bucket{le="0.005",route="/api/v3/bills/:id"}')).toBe(7);
  expect(series.get('bili_api_request_duration_seconds_bucket{le="0.002",route="/api/v3/bills/:id"}')).toBe(0);
  expect(series.get('bili_queue_items{queue="attempts"}')).toBe(72);
  expect(series.get('bili_database_up')).toBe(0);
  expect(series.get('bili_database_waiting')).toBe(4);
});

test('a process that has no value of a metric does not change those of the others', async () => {
  const silent = await collectFrom((metrics) => void createRecorder(metrics, 'worker'));
  const checked = await collectFrom((metrics) => metrics.gauge('bili_ledger_check_broken_rules').set({ kind: 'recent' }, 2));
  expect(parseSeries(await aggregate([silent])).has('bili_ledger_check_broken_rules{kind="recent"}')).toBe(false);
  const series = parseSeries(await aggregate([silent, checked]));
  expect(series.get('bili_ledger_check_broken_rules{kind="recent"}')).toBe(2);
});

test('labels are bounded: an unknown method or path has a common series', async () => {
  const collected = await collectFrom((metrics) => {
    const recorder = createRecorder(metrics, 'web');
    for (const method of ['BREW', 'PROPFIND', 'x'.repeat(1_000)]) recorder.apiAnswered(null, method, 404, 1);
  });
  const requests = [...parseSeries(await aggregate([collected]))].filter(([name]) => name.startsWith('bili_api_requests_total'));
  expect(requests).toEqual([['bili_api_requests_total{route="unknown",method="other",status="4xx"}', 3]]);
});

test('the time from the prompt to its outcome is observed only once the outcome is known', async () => {
  const collected = await collectFrom((metrics) => {
    const recorder = createRecorder(metrics, 'worker');
    recorder.attemptMoved('account-1', 'AWAITING_CUSTOMER', null);
    recorder.attemptMoved('account-1', 'SUCCEEDED', 31_000);
    recorder.attemptMoved(null, 'FAILED', null);
  });
  const series = parseSeries(await aggregate([collected]));
  expect(series.get('bili_attempt_outcomes_total{account="account-1",outcome="succeeded"}')).toBe(1);
  expect(series.get('bili_attempt_outcomes_total{account="none",outcome="failed"}')).toBe(1);
  expect(series.get('bili_attempt_settle_seconds_sum')).toBe(31);
  expect(series.get('bili_attempt_settle_seconds_count')).toBe(1);
});
