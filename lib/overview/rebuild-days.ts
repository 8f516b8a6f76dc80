import type { Environment } from '@/lib/core/scope';
import type { Runtime } from '@/lib/runtime/runtime';
import { rollUpDays } from './roll-up-days';
import { addMissingRollups, resetRollups } from './rollup-store';

interface RebuildDaysOptions {
  /** Null for every merchant, and for both environments. */
  readonly merchantId: string | null;
  readonly environment: Environment | null;
}

/**
 * Adds up all days anew. Meanwhile the overview counts them itself: it is right all the time, and slower.
 * @returns of how many merchants, each environment by itself, and how many days this process has done; workers take part.
 */
export async function rebuildDays(
  runtime: Pick<Runtime, 'db' | 'clock'>,
  options: RebuildDaysOptions,
): Promise<{ readonly overviews: number; readonly days: number }> {
  await addMissingRollups(runtime.db, runtime.clock());
  const overviews = await resetRollups(runtime.db, options, runtime.clock());
  return { overviews, days: await rollUpDays(runtime) };
}
