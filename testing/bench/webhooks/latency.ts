import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from '../load';
import { makeBills } from './due-deliveries';
import { payBill } from './pay-bill';
import type { BenchDatabase, Sink } from './stage';

/** The first seconds are not measured: they are slower, because no code is compiled and no statement is prepared yet. */
const WARM_UP_SECONDS = 2;
const LONGEST_WAIT_MS = 30_000;

export interface Latency {
  readonly count: number;
  /** The median time from just before the commit until the receiver has the headers of the webhook, milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** Pays bills of the merchants of these endpoints at a constant rate while a worker runs. */
export async function measureLatency(
  { runtime }: BenchDatabase,
  sink: Sink,
  { endpoints, perSecond, seconds }: { endpoints: readonly string[]; perSecond: number; seconds: number },
): Promise<Latency> {
  const bills = await makeBills(runtime.db, endpoints, perSecond * (seconds + WARM_UP_SECONDS));
  await runtime.db.query({ text: 'ANALYZE bill' });
  const begun = performance.now();
  const paid = await Promise.all(
    bills.map(async (id, index) => {
      await delay(Math.max(0, begun + (index * 1_000) / perSecond - performance.now()));
      return { id, committed: await payBill(runtime, id) };
    }),
  );
  const arrivals = await waitFor(sink, bills);
  const counted = paid.slice(perSecond * WARM_UP_SECONDS);
  const waits = counted.map(({ id, committed }) => (arrivals.get(id) ?? Number.NaN) - committed).sort((a, b) => a - b);
  return { count: waits.length, p50: percentile(waits, 0.5), p99: percentile(waits, 0.99), max: waits.at(-1) ?? Number.NaN };
}

async function waitFor(sink: Sink, bills: readonly string[]): Promise<Map<string, number>> {
  const deadline = Date.now() + LONGEST_WAIT_MS;
  for (;;) {
    const arrivals = new Map((await sink.report('with arrivals')).arrivals);
    const missing = bills.filter((id) => !arrivals.has(id)).length;
    if (missing === 0) return arrivals;
    if (Date.now() > deadline) throw new Error(`${missing} of ${bills.length} webhooks did not arrive`);
    await delay(100);
  }
}
