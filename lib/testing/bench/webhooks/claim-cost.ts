import { HOUR_MS } from '@/lib/core/clock';
import type { Database } from '@/lib/db/database';
import type { Runtime } from '@/lib/runtime/runtime';
import { claimDeliveries } from '@/lib/webhooks/claim-store';
import { deliveryLease } from '@/lib/webhooks/deliver/deliver-webhook';
import { median } from '../load';
import { makeEndpoints, oweDeliveries } from './owed';

const HEALTHY = 200;
const ROUNDS = 60;
/** What a worker that is idle asks for. */
const LIMIT = 100;
const AGAIN_LIMIT = 50;
const NOBODY = 'http://127.0.0.1:9/';

export interface ClaimCost {
  /** Milliseconds of the whole transaction, as its caller waits for it. */
  readonly nothing: number;
  readonly hundred: number;
  /** PostgreSQL's plan of one that takes a hundred. */
  readonly plan: string;
}

/**
 * What one claim costs that finds nothing to take, and one that takes a hundred of 200 endpoints that are owed one webhook each.
 * What was claimed is put back each time. @param busy an endpoint that gets all its calls first, so that its backlog stays.
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
  await oweDeliveries(db, { endpoints, count: HEALTHY });
  const hundred = await medianOf(runtime, LIMIT);
  return { nothing, hundred, plan: await planOf(runtime) };
}

/** Owes each of many endpoints a webhook that is not due yet. */
export async function oweLater(runtime: Runtime, count: number): Promise<void> {
  const endpoints = await makeEndpoints(runtime, { count, url: NOBODY });
  await oweDeliveries(runtime.db, { endpoints, count, dueInMs: HOUR_MS });
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

/** All but what the busy endpoint holds. */
async function putBack(db: Database): Promise<void> {
  await db.query({
    text: "UPDATE webhook_delivery SET state = 'PENDING', lease_until = NULL WHERE state = 'SENDING' AND lease_until < now() + interval '30 minutes'",
  });
}

/** The claim as it is, but for its last statement: that one is explained instead. */
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
