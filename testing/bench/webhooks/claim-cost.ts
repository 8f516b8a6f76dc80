import { deliveryLease } from '@/lib/gateway/webhooks/deliver/deliver-webhook';
import { claimDeliveries } from '@/lib/gateway/webhooks/delivery-store';
import { HOUR_MS } from '@/lib/platform/core/clock';
import type { Database } from '@/lib/platform/db/database';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { median } from '../load';
import { insertDueDeliveries, makeEndpoints } from './due-deliveries';

const HEALTHY = 200;
const ROUNDS = 60;
/** The maximum number of deliveries that an idle worker claims at once. */
const LIMIT = 100;
const AGAIN_LIMIT = 50;
const NOBODY = 'http://127.0.0.1:9/';

export interface ClaimCost {
  /** The median duration of a claim that finds no delivery, milliseconds. `hundred`: of a claim that finds a hundred deliveries. */
  readonly nothing: number;
  readonly hundred: number;
  /** PostgreSQL's plan of a claim of a hundred deliveries. */
  readonly plan: string;
}

/**
 * Measures a claim that finds nothing, and a claim of a hundred deliveries. For the second claim, 200 endpoints have one due delivery each.
 * Each claim is undone after it was measured.
 * @param busy an endpoint with a backlog. Before the measurement, so many of its deliveries are claimed that the limit of parallel calls is
 * reached. So the measured claims find no delivery of this endpoint.
 */
export async function measureClaim(runtime: Runtime, busy?: string): Promise<ClaimCost> {
  const { db } = runtime;
  if (busy) {
    const taken = await claim(runtime, db);
    if (taken === 0) throw new Error('the backlog has nothing to claim');
    await db.query({ text: "UPDATE webhook_delivery SET lease_until = now() + interval '1 hour' WHERE state = 'SENDING'" });
  }
  const nothing = await medianOf(runtime, 0);
  const endpoints = await makeEndpoints(runtime, { count: HEALTHY, url: NOBODY });
  await insertDueDeliveries(db, { endpoints, count: HEALTHY });
  const hundred = await medianOf(runtime, LIMIT);
  return { nothing, hundred, plan: await planOf(runtime) };
}

/** Gives each of many endpoints a delivery that is not due yet. */
export async function oweLater(runtime: Runtime, count: number): Promise<void> {
  const endpoints = await makeEndpoints(runtime, { count, url: NOBODY });
  await insertDueDeliveries(runtime.db, { endpoints, count, dueInMs: HOUR_MS });
}

async function medianOf(runtime: Runtime, expected: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const begun = performance.now();
    const taken = await claim(runtime, runtime.db);
    times.push(performance.now() - begun);
    if (taken !== expected) throw new Error(`a claim took ${taken} deliveries, not ${expected}`);
    if (taken > 0) await putBack(runtime.db);
  }
  return median(times);
}

async function claim({ clock }: Runtime, db: Database): Promise<number> {
  const leaseUntil = deliveryLease(clock());
  return (await claimDeliveries(db, { now: clock(), leaseUntil, limit: LIMIT, retryLimit: AGAIN_LIMIT })).length;
}

/** Undoes all claims except those of the busy endpoint. */
async function putBack(db: Database): Promise<void> {
  await db.query({
    text: "UPDATE webhook_delivery SET state = 'PENDING', lease_until = NULL WHERE state = 'SENDING' AND lease_until < now() + interval '30 minutes'",
  });
}

/** Runs a claim whose last statement is replaced by EXPLAIN of this statement. Returns PostgreSQL's plan. */
async function planOf(runtime: Runtime): Promise<string> {
  const lines: string[] = [];
  await claim(runtime, {
    ...runtime.db,
    sqlTransaction: (work) =>
      runtime.db.sqlTransaction((tx) =>
        work({
          async query(statement, values) {
            if (statement.name !== 'claim-deliveries') return tx.query(statement, values);
            const rows = await tx.query<{ 'QUERY PLAN': string }>({ text: `EXPLAIN (ANALYZE, BUFFERS) ${statement.text}` }, values);
            lines.push(...rows.map((row) => row['QUERY PLAN']));
            return [];
          },
        }),
      ),
  });
  await putBack(runtime.db);
  return lines.join('\n');
}
