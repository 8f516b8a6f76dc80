/**
 * Waits for all promises and returns their values. If some fail, throws the error of the one that failed first, but only when all have
 * ended: in a transaction, no statement may follow the rollback.
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
