/**
 * Works on items, a limited number at the same time. Returns the results in the order of the items. If an item fails, no further item
 * is begun, and the error is thrown when all running items have ended.
 */
export async function workTogether<Item, Outcome>(
  items: readonly Item[],
  limit: number,
  work: (item: Item, index: number) => Promise<Outcome>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const waiting = items.entries();
  let failed = false;
  async function lane(): Promise<void> {
    for (const [index, item] of waiting) {
      if (failed) return;
      try {
        outcomes[index] = await work(item, index);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  }
  await waitForAll(Array.from({ length: limit }, lane));
  return outcomes;
}

/**
 * Waits for all promises and returns their values. If some promises fail, throws the first error, but only after all promises have ended.
 * The promises can be statements of one transaction: an error rolls the transaction back, and no statement may follow.
 */
export async function waitForAll<const Values extends readonly unknown[]>(
  promises: Values,
): Promise<{ -readonly [Index in keyof Values]: Awaited<Values[Index]> }> {
  const values = Promise.all(promises);
  // `values` may reject before all promises have ended. Without this handler, the unhandled rejection would end the process.
  values.catch(() => undefined);
  await Promise.allSettled(promises);
  return values;
}
