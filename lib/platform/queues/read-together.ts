import { SECOND_MS } from '@/lib/platform/core/clock';
import type { Environment } from '@/lib/platform/core/scope';
import { isBusy, isDatabaseUnavailable } from '@/lib/platform/db/errors';
import { createFairQueue } from './fair-queue';
import { createNaturalBatcher } from './natural-batcher';

interface ReadOptions<Item, Found> {
  /** Reads items. Returns what it found in the order of the items. */
  readonly readAll: (items: readonly Item[]) => Promise<readonly Found[]>;
  /** Called with the size of each batch, for metrics. */
  readonly onBatch?: (size: number) => void;
  /** Called for each refused item, for metrics. */
  readonly onRefusal?: () => void;
}

const WAIT_MS = 10 * SECOND_MS;

/**
 * Returns a function that reads an item from the database. The items of all calls that arrive at the same time are read together: see
 * {@link createNaturalBatcher}. Live and the sandbox have separate queues, so no batch has items of both environments.
 */
export function readTogether<Item extends { readonly environment: Environment }, Found extends object | null>({
  readAll,
  onBatch = () => undefined,
  onRefusal = () => undefined,
}: ReadOptions<Item, Found>): (subject: string, item: Item) => Promise<Found> {
  const batcher = () =>
    createNaturalBatcher<Item, Found>({
      lanes: 1,
      sizeMax: 100,
      waitingMax: 5_000,
      waitingOfOneMax: 1_000,
      waitMs: WAIT_MS,
      runBatch: readAll,
      runAlone: async (item) => {
        const [found] = await readAll([item]);
        if (found === undefined) throw new Error('no result was returned for the item');
        return found;
      },
      aloneQueue: createFairQueue({ concurrency: 2, waitingOfOne: 500, waiting: 2_000, waitMs: WAIT_MS }),
      mayRepeat: (error) => isBusy(error) || !isDatabaseUnavailable(error),
      onBatch,
      onRefusal,
    });
  const batchers: Readonly<Record<Environment, ReturnType<typeof batcher>>> = { live: batcher(), sandbox: batcher() };
  return (subject, item) => batchers[item.environment].add(subject, item);
}
