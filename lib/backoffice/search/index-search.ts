import { addMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { lowestId } from '@/lib/platform/core/ids';
import type { Scope } from '@/lib/platform/core/scope';
import type { Database, Queryable } from '@/lib/platform/db/database';
import { array, boolean, environment, int4, int8, neverNull, nullable, text, timestamptz, uuid } from '@/lib/platform/db/sql-types';
import { registerVariants, statement, variant } from '@/lib/platform/db/statement';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { bucketOf, type SearchSourceRow, searchEntry } from './search-entry';

/** SQL for a number; null if it was erased and only its pseudonym is stored. */
const known = (mobile: string) => `CASE WHEN ${mobile} NOT LIKE 'erased:%' THEN ${mobile} END`;

/**
 * The tables whose rows get search entries. `texts`: SQL for the texts by which a row `s` leads to its bill `b`, each after its kind. Most
 * attempts and payments have the mobile number of the bill. They need no text for it, because the entry of the bill contains it.
 */
const TABLES = {
  bill: {
    table: 'bill',
    joined: 'JOIN bill b ON b.id = s.id',
    texts: "ARRAY['text ' || b.reference, 'text ' || b.customer_name, 'mobile ' || b.mobile]",
  },
  attempt: {
    table: 'push_attempt',
    joined: 'JOIN bill b ON b.id = s.bill_id',
    texts: `ARRAY['mobile ' || nullif(${known('s.mobile')}, b.mobile)]`,
  },
  allocation: {
    table: 'payment_allocation',
    joined: 'JOIN bill b ON b.id = s.bill_id JOIN payment p ON p.id = s.payment_id',
    texts: `ARRAY['mobile ' || nullif(${known('p.mobile')}, b.mobile), 'receipt ' || p.provider_transaction_id]`,
  },
} as const;
type Source = keyof typeof TABLES;
const SOURCES: readonly Source[] = ['bill', 'attempt', 'allocation'];

/**
 * The passes over each source. `ageMs`: how old rows must be. After two seconds, nearly all rows are committed, so the pass `readTo` sees
 * them. After an hour, all rows are committed: no transaction takes that long, and Bili does not work with a clock that is wrong by an hour.
 * So the pass `checkedTo` adds the few rows that `readTo` did not see.
 * `behindMs`: if a pass finds no rows, its position is stored again only when it has moved by at least this much. So an idle worker writes
 * rarely.
 */
const PASSES = [
  { position: 'readTo', ageMs: 2 * SECOND_MS, behindMs: MINUTE_MS },
  { position: 'checkedTo', ageMs: HOUR_MS, behindMs: 10 * MINUTE_MS },
] as const;
/** Rows of a pass per transaction, to keep transactions short. */
const BATCH = 1_000;

const rowsSql = ({ joined, texts }: (typeof TABLES)[Source], some: string) =>
  `SELECT s.id, b.id AS "billId", b.merchant_id AS "merchantId", b.environment, b.created_by_id AS "createdById",
     array_remove(${texts}, NULL) AS texts, EXISTS (SELECT FROM search_entry e WHERE e.id = s.id) AS written
   FROM (${some}) s ${joined} ORDER BY s.id`;

const ROW_COLUMNS = {
  id: uuid,
  billId: uuid,
  merchantId: uuid,
  environment,
  createdById: nullable(uuid),
  texts: neverNull(array(text)),
  written: neverNull(boolean),
};

const batchOf = (source: Source) =>
  variant({
    name: `read search source ${source}`,
    text: rowsSql(TABLES[source], `SELECT * FROM ${TABLES[source].table} WHERE id > $after AND id < $until ORDER BY id LIMIT ${BATCH}`),
    parameters: { after: uuid, until: uuid },
    columns: ROW_COLUMNS,
  });
const READ_BATCH = { bill: batchOf('bill'), attempt: batchOf('attempt'), allocation: batchOf('allocation') };
registerVariants(Object.values(READ_BATCH));

const READ_BILL = statement({
  name: 'read a bill for its search entry',
  text: rowsSql(TABLES.bill, 'SELECT * FROM bill WHERE id = $billId'),
  parameters: { billId: uuid },
  columns: ROW_COLUMNS,
});

const LOCK = statement({
  name: 'lock a search source',
  text: 'SELECT read_to AS "readTo", checked_to AS "checkedTo" FROM search_source WHERE name = $source FOR NO KEY UPDATE SKIP LOCKED',
  parameters: { source: text },
  columns: { readTo: uuid, checkedTo: uuid },
});

const ADVANCE = statement({
  name: 'advance a search source',
  text: 'UPDATE search_source SET read_to = $readTo, checked_to = $checkedTo WHERE name = $source',
  parameters: { source: text, readTo: uuid, checkedTo: uuid },
  columns: {},
});

/**
 * Writes the search entries of new bills, attempts and payments, one batch of each. Any number of workers may run it at the same time and
 * repeat it. Returns true if a batch was full: then call it again, because more rows may be waiting.
 */
export async function indexSearch({ db, clock }: Pick<Runtime, 'db' | 'clock'>): Promise<boolean> {
  let more = false;
  for (const source of SOURCES) {
    const full = await db.sqlTransaction((tx) => indexSource(tx, source, clock()));
    more ||= full;
  }
  return more;
}

/** Runs both passes over one batch of a source, unless another worker does. Returns whether a batch was full. */
async function indexSource(tx: Queryable, source: Source, now: Date): Promise<boolean> {
  const stored = await LOCK.first(tx, { source });
  if (stored === undefined) return false;
  const reached = { ...stored };
  let more = false;
  for (const { position, ageMs, behindMs } of PASSES) {
    const until = addMs(now, -ageMs);
    const isBehind = stored[position] < lowestId(addMs(until, -behindMs).getTime());
    if (position === 'checkedTo' && !isBehind) continue;
    const rows = await READ_BATCH[source].rows(tx, { after: stored[position], until: lowestId(until.getTime()) });
    const missing = rows.filter(({ texts, written }) => texts.length > 0 && !written);
    await writeEntries(tx, missing);
    const last = rows.length === BATCH ? rows.at(-1) : undefined;
    if (rows.length > 0 || isBehind) reached[position] = last?.id ?? lowestId(until.getTime());
    more ||= last !== undefined;
  }
  if (reached.readTo !== stored.readTo || reached.checkedTo !== stored.checkedTo) await ADVANCE.rows(tx, { source, ...reached });
  return more;
}

/** Writes the search entry of a bill again, because its texts were edited. Call it in the transaction of the edit. */
export async function reindexBill(tx: Queryable, billId: string): Promise<void> {
  await writeEntries(tx, await READ_BILL.rows(tx, { billId }), { replace: true });
}

// The rows with the numbers of entries are locked until the end of the transaction, always in the same order, which prevents deadlocks.
const GROW = statement({
  name: 'count search entries',
  text: `INSERT INTO search_size (merchant_id, environment, entries)
         SELECT merchant_id, environment, count(*) FROM unnest($merchantIds::uuid[], $environments::environment[]) AS s (merchant_id, environment)
         GROUP BY merchant_id, environment ORDER BY merchant_id, environment
         ON CONFLICT (merchant_id, environment) DO UPDATE SET entries = search_size.entries + excluded.entries
         RETURNING merchant_id AS "merchantId", environment, entries`,
  parameters: { merchantIds: array(uuid), environments: array(environment) },
  columns: { merchantId: uuid, environment, entries: int8 },
});

const INSERT = statement({
  name: 'insert search entries',
  text: `INSERT INTO search_entry (id, merchant_id, environment, bill_id, text, keys)
         SELECT id, merchant_id, environment, bill_id, text, keys::int[]
         FROM unnest($ids::uuid[], $merchantIds::uuid[], $environments::environment[], $billIds::uuid[], $texts::text[], $keys::text[])
           AS e (id, merchant_id, environment, bill_id, text, keys)
         ON CONFLICT (id) DO UPDATE SET text = excluded.text, keys = excluded.keys WHERE $replace::boolean`,
  parameters: {
    ids: array(uuid),
    merchantIds: array(uuid),
    environments: array(environment),
    billIds: array(uuid),
    texts: array(text),
    keys: array(text),
    replace: boolean,
  },
  columns: {},
});

// Moves new entries from the pending list of the index into the index itself. Every look-up reads the whole pending list, so a short list
// makes searches faster.
const TIDY = statement({
  name: 'tidy the index of search entries',
  text: 'SELECT tidy_search_entries() AS pages',
  parameters: {},
  columns: { pages: neverNull(int8) },
});

/**
 * Writes the entries of rows into the current bucket of each scope.
 * @param options.replace whether existing entries get the texts of the rows. A worker may have read the rows before an edit, so it must not
 * replace the entry that the edit has written.
 */
export async function writeEntries(tx: Queryable, rows: readonly SearchSourceRow[], { replace = false } = {}): Promise<void> {
  if (rows.length === 0) return;
  const scopes = { merchantIds: rows.map(({ merchantId }) => merchantId), environments: rows.map((row) => row.environment) };
  const sizes = await GROW.rows(tx, scopes);
  const buckets = new Map(sizes.map((size) => [scopeKey(size), bucketOf(size.entries)] as const));
  const entries = rows.map((row) => searchEntry(row, buckets.get(scopeKey(row)) ?? 0));
  await INSERT.rows(tx, {
    ...scopes,
    ids: rows.map(({ id }) => id),
    billIds: rows.map(({ billId }) => billId),
    texts: entries.map((entry) => entry.text),
    // unnest flattens an array of arrays completely, so each inner array is passed as text.
    keys: entries.map(({ keys }) => `{${keys.join(',')}}`),
    replace,
  });
  await TIDY.rows(tx, {});
}

const scopeKey = ({ merchantId, environment }: Scope) => `${environment}/${merchantId}`;

/** Makes workers read all rows after this id again, because rows with old ids were added. */
export async function rewindSources({ prisma }: Database, position: string): Promise<void> {
  await prisma.$transaction([
    prisma.searchSource.updateMany({ where: { readTo: { gt: position } }, data: { readTo: position } }),
    prisma.searchSource.updateMany({ where: { checkedTo: { gt: position } }, data: { checkedTo: position } }),
  ]);
}

const COUNT = statement({
  name: 'count the rows of search sources without entries',
  text: SOURCES.map(
    (source) => `SELECT '${source}' AS source, count(*)::int AS count, min(t.created_at) AS since FROM (
                   SELECT t.created_at FROM search_source s JOIN ${TABLES[source].table} t ON t.id > s.read_to AND t.id < $until
                   WHERE s.name = '${source}' ORDER BY t.id LIMIT $limit::int
                 ) t`,
  ).join(' UNION ALL '),
  parameters: { until: uuid, limit: int4 },
  columns: { source: neverNull(text), count: neverNull(int4), since: nullable(timestamptz) },
});

/**
 * For each source, counts the rows that the pass `readTo` has not read yet, up to a limit. Counts only rows with an id below `until`.
 * `since` is the time when the oldest of these rows was created; null if there is none.
 */
export async function countUnindexed(db: Queryable, options: { readonly until: string; readonly limit: number }) {
  return COUNT.rows(db, { ...options });
}
