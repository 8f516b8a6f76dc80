import { rewindSources } from '@/lib/bills/search/source-store';
import { addMs, DAY_MS } from '@/lib/core/clock';
import { lowestId } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Scope } from '@/lib/core/scope';
import type { Runtime } from '@/lib/runtime/runtime';
import { insertBatch, markDays, tidyTables } from './seed-store';

/** Thirteen months: a whole year and one more month, so that each month of the year can be compared with the month before it. */
const SPAN_DAYS = 396;
const BATCH = 20_000;
/** Number of batches that run at the same time. Batches create different bills, so they do not block each other. */
const TOGETHER = 2;
const TAG_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

interface SeedBillsOptions {
  readonly scope: Scope;
  readonly uniqueReferences: boolean;
  readonly bills: number;
  /** Called after each batch with the number of bills so far. */
  readonly onProgress: (made: number) => void;
}

/**
 * Creates sample bills with their attempts, payments, allocations, events and webhooks (which are not sent), to try the product with many
 * bills. Fails in live. If the process is interrupted, the bills that it has created remain.
 */
export async function seedBills(
  { db, clock, random, settings }: Pick<Runtime, 'db' | 'clock' | 'random' | 'settings'>,
  { scope, uniqueReferences, bills, onProgress }: SeedBillsOptions,
): Promise<Result<{ readonly made: number }, 'live'>> {
  if (scope.environment === 'live') return fail('live');
  const to = clock();
  const from = addMs(to, -SPAN_DAYS * DAY_MS);
  const tag = Array.from(random(4), (byte) => TAG_LETTERS[byte % TAG_LETTERS.length]).join('');
  const firsts = Array.from({ length: Math.ceil(bills / BATCH) }, (_, index) => index * BATCH + 1).values();
  let made = 0;
  const work = async () => {
    for (const first of firsts) {
      const last = Math.min(first + BATCH - 1, bills);
      await db.transaction((tx) => insertBatch(tx, scope, { tag, first, last, of: bills, from, to, uniqueReferences }), {
        unlimited: true,
      });
      made += last - first + 1;
      onProgress(made);
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, work));
  await markDays(db, scope, from, to);
  await tidyTables(settings.MIGRATE_DATABASE_URL ?? settings.DATABASE_URL);
  // Workers write search entries in the order of the bills' ids, and have already passed the ids of these bills, which lie in the past. So
  // the workers must start again at the oldest of them.
  await rewindSources(db, lowestId(from.getTime()));
  return ok({ made });
}
