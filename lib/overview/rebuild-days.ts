import type { Environment } from '@/lib/core/scope';
import type { Runtime } from '@/lib/runtime/runtime';
import { rollUpDays } from './roll-up-days';
import { addMissingRollups, resetRollups } from './rollup-store';

interface RebuildDaysOptions {
  /** Null means every merchant, or both environments. */
  readonly merchantId: string | null;
  readonly environment: Environment | null;
}

/**
 * Sums up all days again. Meanwhile the overview counts them itself, so it stays correct but is slower.
 * Returns the number of rollups (one per merchant and environment), and the number of days that this process did. Workers do the others.
 */
export async function rebuildDays(
  runtime: Pick<Runtime, 'db' | 'clock'>,
  options: RebuildDaysOptions,
): Promise<{ readonly overviews: number; readonly days: number }> {
  await addMissingRollups(runtime.db, runtime.clock());
  const overviews = await resetRollups(runtime.db, options, runtime.clock());
  return { overviews, days: await rollUpDays(runtime) };
}
