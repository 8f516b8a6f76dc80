import { reach } from '@/lib/config/fail-point';
import type { Environment } from '@/lib/core/scope';
import type { Database } from '@/lib/db/database';
import { isBusy, isDatabaseUnavailable } from '@/lib/db/errors';
import { recorder } from '@/lib/metrics/recorder';
import { createFairQueue } from '@/lib/queues/fair-queue';
import { createNaturalBatcher } from '@/lib/queues/natural-batcher';
import type { NewBillRow } from './insert-sql';
import { type InsertRefusal, insertBill, insertBills } from './insert-store';

/** Inserts a bill. Returns why it was refused, or `inserted`. The bill is durable when the promise resolves. */
export type InsertBill = (row: NewBillRow) => Promise<InsertRefusal | 'inserted'>;

/**
 * Inserts bills of the API. One SQL statement inserts all bills that arrive at the same time: see {@link createNaturalBatcher}. Live and
 * the sandbox have separate queues, so no statement inserts bills of both environments.
 */
export interface InsertQueue {
  /** @param keyId the API key. API keys take turns, so that no key fills all batches. */
  insert(keyId: string, row: NewBillRow): Promise<InsertRefusal | 'inserted'>;
}

export function createInsertQueue(db: Database, lanes = 2): InsertQueue {
  const batcher = () =>
    createNaturalBatcher<NewBillRow, InsertRefusal | 'inserted'>({
      lanes,
      sizeMax: 100,
      waitingMax: 5_000,
      waitingOfOneMax: 1_000,
      waitMs: 10_000,
      runBatch: (rows) => insertTogether(db, rows),
      runAlone: (row) => insertAlone(db, row),
      aloneQueue: createFairQueue({ concurrency: 2, waitingOfOne: 500, waiting: 2_000, waitMs: 10_000 }),
      // The statement is repeated if the database has certainly not executed it: the database was busy, or answered with an error. If the
      // connection was lost, it is unknown whether the bills were inserted, so the statement must not be repeated.
      mayRepeat: (error) => isBusy(error) || !isDatabaseUnavailable(error),
      onBatch: (size) => recorder()?.batchRun('insert', size),
      onRefusal: () => recorder()?.overloaded('insert'),
    });
  const batchers: Readonly<Record<Environment, ReturnType<typeof batcher>>> = { live: batcher(), sandbox: batcher() };
  return { insert: (keyId, row) => batchers[row.bill.environment].add(keyId, row) };
}

/** Inserts one bill. Waits for other transactions with the same key or reference. */
export async function insertAlone(db: Database, row: NewBillRow): Promise<InsertRefusal | 'inserted'> {
  return (await insertBill(db, row)) ?? 'inserted';
}

/**
 * Inserts bills in one statement and returns the result of each. The result is undefined for a bill that must be inserted alone: another
 * transaction holds one of its locks, or its reference must be unique and an earlier bill of the batch has the same reference.
 */
async function insertTogether(db: Database, rows: readonly NewBillRow[]): Promise<(InsertRefusal | 'inserted' | undefined)[]> {
  const references = new Set<string>();
  const together = rows.filter(({ bill, uniqueReference }) => {
    const name = `${bill.merchantId} ${bill.environment} ${bill.reference}`;
    if (!uniqueReference || !references.has(name)) return references.add(name);
    return false;
  });
  reach('create.batched');
  const refusals = await insertBills(db, together);
  reach('create.batch_committed');
  const inserted = new Set(together);
  return rows.map((row) => {
    const refusal = inserted.has(row) ? (refusals.get(row.bill.id) ?? 'inserted') : 'busy';
    return refusal === 'busy' ? undefined : refusal;
  });
}
