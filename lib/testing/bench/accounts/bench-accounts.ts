import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@/lib/db/database';
import { percentile } from '../load';
import { table } from '../report';
import { runBench, say, type Undo } from '../run-bench';
import { startStage } from '../webhooks/stage';
import { newBill, openShop } from './shop';

const PER_SECOND = 5;
const SECONDS = 20;
/** How many attempts are due at the account whose provider does not answer, before the first bill of the healthy account is created. */
const HANGING_BILLS = 800;
const LONGEST_WAIT_MS = 180_000;

interface Neighbour {
  readonly name: string;
  /** The mode of the simulated M-Pesa at the hanging account; null to measure without such an account. */
  readonly mode: 'sync' | 'async' | null;
}

const NEIGHBOURS: readonly Neighbour[] = [
  { name: 'alone', mode: null },
  { name: 'next to one that hangs, asynchronous', mode: 'async' },
  { name: 'next to one that hangs, synchronous', mode: 'sync' },
];

async function main(undo: Undo): Promise<void> {
  say('Starting PostgreSQL…');
  const stage = await startStage(undo);
  const rows: string[][] = [];
  for (const [index, { name, mode }] of NEIGHBOURS.entries()) {
    say(`Measuring: a healthy account ${name}…`);
    const database = await stage.database(`accounts_${index}`);
    const { runtime } = database;
    const healthy = await openShop(runtime, 'healthy', 'sync', undo);
    if (mode !== null) {
      const hanging = await openShop(runtime, 'hanging', mode, undo);
      hanging.simulator.control({ hangs: true });
      for (let number = 0; number < HANGING_BILLS; number += 1) await newBill(runtime, hanging);
    }
    const worker = await database.startWorker();
    const bills: string[] = [];
    const begun = performance.now();
    for (let number = 0; number < PER_SECOND * SECONDS; number += 1) {
      await delay(Math.max(0, begun + (number * 1_000) / PER_SECOND - performance.now()));
      bills.push(await newBill(runtime, healthy));
    }
    const waits = await waitForPayments(runtime.db, bills);
    const { calls, queued } = await readNeighbour(runtime.db, healthy.scope.merchantId);
    rows.push([name, String(waits.length), ...[0.5, 0.99, 1].map((part) => percentile(waits, part).toFixed(0)), calls, queued]);
    await worker.stop();
    await database.close();
  }
  process.stdout.write(
    `\nA healthy account: from the creation of a bill to its payment, ${PER_SECOND} bills a second for ${SECONDS} s, one worker. The customer takes
1,000 ms of it. Where another account hangs, it has ${HANGING_BILLS} bills of its own merchant due when the worker starts; its provider
opens sessions and never answers anything else.\n\n${table(
      ['', 'bills', 'p50 ms', 'p99 ms', 'max ms', 'calls that hung', 'queued at the end'],
      rows,
    )}\n`,
  );
}

async function waitForPayments(db: Database, bills: readonly string[]): Promise<number[]> {
  const deadline = Date.now() + LONGEST_WAIT_MS;
  for (;;) {
    const paid = await db.query<{ ms: number }>(
      {
        text: `SELECT extract(epoch FROM settled_at - created_at)::float8 * 1000 AS ms FROM push_attempt
               WHERE bill_id = ANY ($1) AND state = 'SUCCEEDED' ORDER BY 1`,
      },
      [bills],
    );
    if (paid.length === bills.length) return paid.map(({ ms }) => ms);
    if (Date.now() > deadline) throw new Error(`${bills.length - paid.length} of ${bills.length} bills were not paid`);
    await delay(200);
  }
}

/**
 * Counts the calls to the provider of the hanging account, and the attempts that are still queued for that account.
 * @param healthy the id of the merchant with the healthy account. All other attempts belong to the hanging account.
 */
async function readNeighbour(db: Database, healthy: string): Promise<{ calls: string; queued: string }> {
  const [counted] = await db.query<{ calls: string; queued: string }>(
    {
      text: `SELECT coalesce(sum(send_count + query_count), 0)::text AS calls, count(*) FILTER (WHERE state = 'QUEUED')::text AS queued
             FROM push_attempt WHERE merchant_id <> $1`,
    },
    [healthy],
  );
  return counted ?? { calls: '0', queued: '0' };
}

await runBench(main);
