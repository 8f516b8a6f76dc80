import type { Database } from '@/lib/platform/db/database';
import { isBusy, isDatabaseUnavailable } from '@/lib/platform/db/errors';
import { createFairQueue } from './fair-queue';
import { createNaturalBatcher } from './natural-batcher';

interface SharedQueueOptions<Item, Outcome> {
  /** Runs the items of simultaneous calls. Returns the outcomes in the order of the items; undefined for an item that must run alone. */
  readonly runBatch: (db: Database, items: readonly Item[]) => Promise<readonly (Outcome | undefined)[]>;
  readonly runAlone: (db: Database, item: Item) => Promise<Outcome>;
}

/** The maximum number of items in a statement: so many that the statements are few, and so few that no statement takes long. */
const SIZE_MAX = 50;
/** A limit that no process reaches, because no process has so many calls at the same time. */
const WAITING_MAX = 10_000;
const WAIT_MS = 10_000;
/**
 * At most four statements start in 60 ms. So under load, a statement has the items of 15 ms on average. Without this limit, a statement
 * would often have a single item.
 */
const PACE = { batches: 4, withinMs: 60 } as const;

/**
 * Returns a function that runs an item together with the items of simultaneous calls: see {@link createNaturalBatcher}. Each database
 * client runs one batch at a time, and a process has one client. Under load, an item waits some milliseconds for other items. A batch must
 * not wait for locks that are held for long.
 */
export function sharedQueue<Item, Outcome>({ runBatch, runAlone }: SharedQueueOptions<Item, Outcome>) {
  const queues = new WeakMap<Database, ReturnType<typeof create>>();
  const create = (db: Database) =>
    createNaturalBatcher<Item, Outcome>({
      lanes: 1,
      sizeMax: SIZE_MAX,
      waitingMax: WAITING_MAX,
      waitingOfOneMax: WAITING_MAX,
      waitMs: WAIT_MS,
      pace: PACE,
      runBatch: (items) => runBatch(db, items),
      runAlone: (item) => runAlone(db, item),
      aloneQueue: createFairQueue({ concurrency: 4, waitingOfOne: WAITING_MAX, waiting: WAITING_MAX, waitMs: WAIT_MS }),
      // If the connection fails, the items may have been written, so they must not run again.
      mayRepeat: (error) => isBusy(error) || !isDatabaseUnavailable(error),
    });

  return (db: Database, subject: string, item: Item): Promise<Outcome> => {
    const queue = queues.get(db) ?? create(db);
    queues.set(db, queue);
    return queue.add(subject, item);
  };
}
