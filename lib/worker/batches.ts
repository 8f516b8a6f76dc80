/** Maximum number of items in a batch. */
const BATCH_MAX = 200;

/**
 * Returns a function that processes an item in a batch, together with the items that arrive while `work` is busy. The function resolves
 * when the item is done, and rejects if the item fails. If a batch fails, each of its items is processed alone, so that one bad item does
 * not make others fail.
 * @param work processes several items, all or nothing.
 */
export function inBatches<Item>(work: (items: readonly Item[]) => Promise<void>): (item: Item) => Promise<void> {
  let waiting: { readonly item: Item; readonly done: () => void; readonly failed: (error: unknown) => void }[] = [];
  let busy = false;

  async function run(): Promise<void> {
    busy = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_MAX);
      waiting = waiting.slice(BATCH_MAX);
      const items = batch.map(({ item }) => item);
      const failure = await tryBatch(items);
      for (const { item, done, failed } of batch) {
        const error = failure && batch.length > 1 ? await tryBatch([item]) : failure;
        if (error) failed(error.reason);
        else done();
      }
    }
    busy = false;
  }

  async function tryBatch(items: readonly Item[]): Promise<{ readonly reason: unknown } | null> {
    try {
      await work(items);
      return null;
    } catch (reason) {
      return { reason };
    }
  }

  return (item) =>
    new Promise((done, failed) => {
      waiting.push({ item, done, failed });
      if (!busy) void run();
    });
}
