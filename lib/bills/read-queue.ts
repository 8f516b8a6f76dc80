import { SECOND_MS } from '@/lib/core/clock';
import type { Environment } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { isBusy, isDatabaseUnavailable } from '@/lib/db/errors';
import { recorder } from '@/lib/metrics/recorder';
import { createFairQueue } from '@/lib/queues/fair-queue';
import { createNaturalBatcher } from '@/lib/queues/natural-batcher';
import { type BillAddress, findBillDetails } from './get-store';
import type { BillDetails } from './last-attempt';

/**
 * Reads bills for API requests. One SQL statement reads the bills of all requests that arrive at the same time: see
 * {@link createNaturalBatcher}. Live and the sandbox have separate queues, so no statement reads bills of both environments.
 */
export interface ReadQueue {
  /**
   * Returns the bill, or null if it does not exist.
   * @param keyId the API key of the request. API keys take turns, so that the requests of one key cannot fill all batches.
   */
  read(keyId: string, wanted: BillAddress): Promise<BillDetails | null>;
}

export function createReadQueue(db: Queryable, lanes = 1): ReadQueue {
  const batcher = () =>
    createNaturalBatcher<BillAddress, BillDetails | null>({
      lanes,
      sizeMax: 100,
      waitingMax: 5_000,
      waitingOfOneMax: 1_000,
      waitMs: 10 * SECOND_MS,
      runBatch: (wanted) => findBillDetails(db, wanted),
      runAlone: async (wanted) => (await findBillDetails(db, [wanted]))[0] ?? null,
      aloneQueue: createFairQueue({ concurrency: 2, waitingOfOne: 500, waiting: 2_000, waitMs: 10 * SECOND_MS }),
      mayRepeat: (error) => isBusy(error) || !isDatabaseUnavailable(error),
      onBatch: (size) => recorder()?.batchRun('read', size),
      onRefusal: () => recorder()?.overloaded('read'),
    });
  const batchers: Readonly<Record<Environment, ReturnType<typeof batcher>>> = { live: batcher(), sandbox: batcher() };
  return { read: (keyId, wanted) => batchers[wanted.environment].add(keyId, wanted) };
}
