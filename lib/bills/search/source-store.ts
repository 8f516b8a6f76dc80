import type { Queryable } from '@/lib/db/database';
import { int4, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { registerVariants, statement, variant } from '@/lib/db/statement';

export const SOURCES = ['bill', 'attempt', 'allocation'] as const;
export type Source = (typeof SOURCES)[number];

export const SOURCE_TABLES: Readonly<Record<Source, string>> = { bill: 'bill', attempt: 'push_attempt', allocation: 'payment_allocation' };
/**
 * A source is a table whose rows get search entries. Two passes read it, named by the columns that store how far each pass has read.
 * `read_to` reads rows soon after they are created.
 * `checked_to` reads the same rows much later, to find those that `read_to` did not see.
 */
export type Pass = 'read_to' | 'checked_to';

/**
 * Returns the statement that locks a source for a pass and tells how far the pass has read the source. The statement returns no row if
 * another worker has locked the source.
 */
const lockOf = (pass: Pass) =>
  variant({
    name: `lock a search source for ${pass}`,
    text: `SELECT ${pass} AS position FROM search_source WHERE name = $source FOR NO KEY UPDATE SKIP LOCKED`,
    parameters: { source: text },
    columns: { position: uuid },
  });

const advanceOf = (pass: Pass) =>
  variant({
    name: `advance a search source to ${pass}`,
    text: `UPDATE search_source SET ${pass} = $position WHERE name = $source`,
    parameters: { source: text, position: uuid },
    columns: {},
  });
const LOCKS = { read_to: lockOf('read_to'), checked_to: lockOf('checked_to') };
const ADVANCES = { read_to: advanceOf('read_to'), checked_to: advanceOf('checked_to') };
registerVariants([...Object.values(LOCKS), ...Object.values(ADVANCES)]);

const READ_POSITIONS = statement({
  name: 'read the positions of search sources',
  text: 'SELECT name, read_to, checked_to FROM search_source',
  parameters: {},
  columns: { name: text, read_to: uuid, checked_to: uuid },
});

/** Returns, for each table whose rows get search entries, the ids up to which the two passes (see `Pass`) have read it. */
export async function readPositions(db: Queryable): Promise<ReadonlyMap<string, Readonly<Record<Pass, string>>>> {
  return new Map((await READ_POSITIONS.rows(db, {})).map((row) => [row.name, row] as const));
}

const REWIND = statement({
  name: 'read search sources again',
  text: 'UPDATE search_source SET read_to = least(read_to, $position), checked_to = least(checked_to, $position)',
  parameters: { position: uuid },
  columns: {},
});

/** Makes workers read all rows after this id again, because rows with old ids were added. */
export async function rewindSources(db: Queryable, position: string): Promise<void> {
  await REWIND.rows(db, { position });
}

export async function lockSource(tx: Queryable, source: Source, pass: Pass): Promise<string | undefined> {
  return (await LOCKS[pass].first(tx, { source }))?.position;
}

export async function advanceSource(tx: Queryable, source: Source, pass: Pass, position: string): Promise<void> {
  await ADVANCES[pass].rows(tx, { source, position });
}

const countOf = (source: Source) =>
  variant({
    name: `count the rows of search source ${source} without entries`,
    text: `SELECT count(*)::int AS count, min(t.created_at) AS since FROM (
             SELECT t.created_at FROM search_source s JOIN ${SOURCE_TABLES[source]} t ON t.id > s.read_to AND t.id < $until
             WHERE s.name = $source ORDER BY t.id LIMIT $limit::int
           ) t`,
    parameters: { source: text, until: uuid, limit: int4 },
    columns: { count: int4, since: nullable(timestamptz) },
  });
const COUNTS = { bill: countOf('bill'), attempt: countOf('attempt'), allocation: countOf('allocation') };
registerVariants(Object.values(COUNTS));

/**
 * For each source, counts the rows that the first pass over the source (`read_to`) has not read yet, up to a limit. Counts only rows with
 * an id below `until`. `since` is the time when the oldest of these rows was created; null if there is none.
 */
export async function countUnindexed(db: Queryable, { until, limit }: { readonly until: string; readonly limit: number }) {
  return Promise.all(
    SOURCES.map(async (source) => {
      const row = await COUNTS[source].first(db, { source, until, limit });
      return { source, count: row?.count ?? 0, since: row?.since ?? null };
    }),
  );
}
