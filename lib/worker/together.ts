/** At most so many are worked on at once. */
const MOST = 200;

/**
 * @param work does something about several things in one go, all or nothing.
 * @returns a function that has it done about one thing, together with whatever else comes while `work` is busy. Resolves or
 *   rejects when that one thing is done or has failed: when several fail together, each is tried alone, so that one that cannot
 *   be done takes no other with it.
 */
export function together<Item>(work: (items: readonly Item[]) => Promise<void>): (item: Item) => Promise<void> {
  let waiting: { readonly item: Item; readonly done: () => void; readonly failed: (error: unknown) => void }[] = [];
  let busy = false;

  async function run(): Promise<void> {
    busy = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MOST);
      waiting = waiting.slice(MOST);
      const items = batch.map(({ item }) => item);
      const failure = await attempt(items);
      for (const { item, done, failed } of batch) {
        const error = failure && batch.length > 1 ? await attempt([item]) : failure;
        if (error) failed(error.reason);
        else done();
      }
    }
    busy = false;
  }

  async function attempt(items: readonly Item[]): Promise<{ readonly reason: unknown } | null> {
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
