import { addMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import { lowestId } from '@/lib/core/ids';
import type { Queryable } from '@/lib/db/database';
import type { Runtime } from '@/lib/runtime/runtime';
import { findBatchEnd, growSizes, insertEntries, readBillSource, readSource, removeEntry, tidyEntries } from './entry-store';
import { type SearchSourceRow, searchEntry } from './search-entry';
import { bucketOf } from './search-keys';
import { advanceSource, lockSource, type Pass, readPositions, SOURCES, type Source } from './source-store';

/** Rows per transaction, to keep transactions short. */
const BATCH = 1_000;
/**
 * How old rows must be before a pass reads them. After two seconds, nearly all rows are committed, so the pass `read_to` sees them. After
 * an hour, all rows are committed: no transaction takes that long, and Bili does not work with a clock that is wrong by an hour. So the
 * pass `checked_to` adds the few rows that `read_to` did not see.
 */
const AGE_MS: Readonly<Record<Pass, number>> = { read_to: 2 * SECOND_MS, checked_to: HOUR_MS };
/**
 * A pass has read all rows up to its stored position, which is an instant. If a pass finds no rows, its position is stored again only when
 * it has moved by at least this much. So an idle worker writes rarely.
 */
const BEHIND_MS: Readonly<Record<Pass, number>> = { read_to: MINUTE_MS, checked_to: 10 * MINUTE_MS };

/**
 * Writes the search entries of new bills, attempts and payments, one batch of each. Any number of workers may run it at the same time and
 * repeat it. Returns true if a batch was full: then call it again, because more rows may be waiting.
 */
export async function indexSearch({ db, clock }: Pick<Runtime, 'db' | 'clock'>): Promise<boolean> {
  let more = false;
  const positions = await readPositions(db);
  for (const source of SOURCES) {
    for (const pass of ['read_to', 'checked_to'] as const) {
      const until = addMs(clock(), -AGE_MS[pass]);
      const behind = lowestId(addMs(until, -BEHIND_MS[pass]).getTime());
      const position = positions.get(source)?.[pass];
      if (position === undefined || (pass === 'checked_to' && position >= behind)) continue;
      const full = await db.sqlTransaction((tx) => indexBatch(tx, { source, pass, until: lowestId(until.getTime()), behind }));
      more ||= full;
    }
  }
  return more;
}

interface BatchOptions {
  readonly source: Source;
  readonly pass: Pass;
  /** This pass does not read rows with this id or a later one. */
  readonly until: string;
  /** A batch without rows moves the stored position to the end of the batch only if this position is before the id `behind`. */
  readonly behind: string;
}

/** Writes the search entries of one batch of rows. Returns whether the batch was full. */
async function indexBatch(tx: Queryable, { source, pass, until, behind }: BatchOptions): Promise<boolean> {
  const after = await lockSource(tx, source, pass);
  if (after === undefined || after >= until) return false;
  const full = await findBatchEnd(tx, source, { after, until, limit: BATCH });
  const end = full ?? until;
  const rows = await readSource(tx, source, { after, end });
  await writeEntries(tx, rows);
  if (full !== undefined || rows.length > 0 || after < behind) await advanceSource(tx, source, pass, end);
  return full !== undefined;
}

/** Writes the search entry of a bill again, because its texts were edited. Call it in the transaction of the edit. */
export async function reindexBill(tx: Queryable, billId: string): Promise<void> {
  await writeEntries(tx, await readBillSource(tx, billId), { replaced: billId });
}

/** Writes the entries of rows into the current bucket of each scope. Existing entries stay, except the entry of the row `replaced`. */
async function writeEntries(
  tx: Queryable,
  rows: readonly SearchSourceRow[],
  { replaced }: { readonly replaced?: string } = {},
): Promise<void> {
  if (rows.length === 0) return;
  const scopes = Map.groupBy(rows, scopeKey);
  const added = [...scopes.values()].flatMap(([first, ...others]) => (first ? [{ ...first, count: others.length + 1 }] : []));
  const sizes = await growSizes(tx, added);
  // The entry is removed after `growSizes` has locked the sizes. Before that, a worker might write an entry with the old texts again.
  if (replaced !== undefined) await removeEntry(tx, replaced);
  const buckets = new Map(
    sizes.map((size) => [scopeKey(size), bucketOf(size.entries - BigInt(scopes.get(scopeKey(size))?.length ?? 0))] as const),
  );
  const entries = rows.flatMap((row) => {
    const entry = searchEntry(row, buckets.get(scopeKey(row)) ?? 0);
    return entry === null ? [] : [{ ...row, ...entry }];
  });
  await insertEntries(tx, entries);
  await tidyEntries(tx);
}

function scopeKey({ merchantId, environment }: Pick<SearchSourceRow, 'merchantId' | 'environment'>): string {
  return `${environment}/${merchantId}`;
}
