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
