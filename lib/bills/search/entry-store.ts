import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { array, environment, int4, int8, neverNull, nullable, text, uuid } from '@/lib/db/sql-types';
import { registerVariants, statement, variant } from '@/lib/db/statement';
import type { SearchSourceRow } from './search-entry';
import { SOURCE_TABLES, type Source } from './source-store';

const endOf = (source: Source) =>
  variant({
    name: `find the end of a batch of search source ${source}`,
    text: `SELECT id FROM ${SOURCE_TABLES[source]} WHERE id > $after AND id < $until ORDER BY id OFFSET $limit::int - 1 LIMIT 1`,
    parameters: { after: uuid, until: uuid, limit: int4 },
    columns: { id: uuid },
  });

const ROWS: Readonly<Record<Source, string>> = {
  bill: `SELECT s.id, s.id AS "billId", s.merchant_id AS "merchantId", s.environment, s.created_by_id AS "createdById",
           nullif(s.reference, '') AS reference, s.customer_name AS "customerName", s.mobile, NULL::text AS receipt FROM bill s WHERE true`,
  // Most attempts are for the mobile number of the bill. They need no entry, because the entry of the bill contains the number.
  attempt: `SELECT s.id, b.id AS "billId", b.merchant_id AS "merchantId", b.environment, b.created_by_id AS "createdById",
              NULL::text AS reference, NULL::text AS "customerName", nullif(s.mobile, b.mobile) AS mobile, NULL::text AS receipt
            FROM push_attempt s JOIN bill b ON b.id = s.bill_id WHERE s.mobile IS DISTINCT FROM b.mobile`,
  allocation: `SELECT s.id, b.id AS "billId", b.merchant_id AS "merchantId", b.environment, b.created_by_id AS "createdById",
                 NULL::text AS reference, NULL::text AS "customerName", nullif(p.mobile, b.mobile) AS mobile, nullif(p.provider_transaction_id, '') AS receipt
               FROM payment_allocation s JOIN payment p ON p.id = s.payment_id JOIN bill b ON b.id = s.bill_id WHERE true`,
};

const ROW_COLUMNS = {
  id: uuid,
  billId: uuid,
  merchantId: uuid,
  environment,
  createdById: nullable(uuid),
  reference: nullable(text),
  customerName: nullable(text),
  mobile: nullable(text),
  receipt: nullable(text),
};

const rowsOf = (source: Source) =>
  variant({
    name: `read search source ${source}`,
    text: `${ROWS[source]} AND s.id > $after AND s.id <= $end AND NOT EXISTS (SELECT FROM search_entry e WHERE e.id = s.id) ORDER BY s.id`,
    parameters: { after: uuid, end: uuid },
    columns: ROW_COLUMNS,
  });
const ENDS = { bill: endOf('bill'), attempt: endOf('attempt'), allocation: endOf('allocation') };
const READS = { bill: rowsOf('bill'), attempt: rowsOf('attempt'), allocation: rowsOf('allocation') };
registerVariants([...Object.values(ENDS), ...Object.values(READS)]);

interface BatchOptions {
  readonly after: string;
  readonly until: string;
  readonly limit: number;
}

/** Returns the last id of the next batch of rows between two ids; undefined if the rows that are left do not fill a batch. */
export async function findBatchEnd(tx: Queryable, source: Source, options: BatchOptions): Promise<string | undefined> {
  return (await ENDS[source].first(tx, { ...options }))?.id;
}

/** Returns the rows that have no search entry, from the row after the id `after` to the row with the id `end`. */
export async function readSource(
  tx: Queryable,
  source: Source,
  range: { readonly after: string; readonly end: string },
): Promise<SearchSourceRow[]> {
  return READS[source].rows(tx, range);
}

const READ_BILL = statement({
  name: 'read a bill for its search entry',
  text: `${ROWS.bill} AND s.id = $billId`,
  parameters: { billId: uuid },
  columns: ROW_COLUMNS,
});

/** Returns the row of a bill as `readSource` does, even if the bill already has a search entry. */
export async function readBillSource(tx: Queryable, billId: string): Promise<SearchSourceRow[]> {
  return READ_BILL.rows(tx, { billId });
}

const REMOVE = statement({
  name: 'remove the search entry of a bill',
  text: 'DELETE FROM search_entry WHERE id = $billId',
  parameters: { billId: uuid },
  columns: {},
});

export async function removeEntry(tx: Queryable, billId: string): Promise<void> {
  await REMOVE.rows(tx, { billId });
}

const GROW = statement({
  name: 'count search entries',
  text: `INSERT INTO search_size (merchant_id, environment, entries)
         SELECT * FROM unnest($merchantIds::uuid[], $environments::environment[], $counts::bigint[]) AS s (merchant_id, environment, entries)
         ORDER BY merchant_id, environment
         ON CONFLICT (merchant_id, environment) DO UPDATE SET entries = search_size.entries + excluded.entries
         RETURNING merchant_id AS "merchantId", environment, entries`,
  parameters: { merchantIds: array(uuid), environments: array(environment), counts: array(int8) },
  columns: { merchantId: uuid, environment, entries: int8 },
});

/**
 * Increases the stored number of search entries of each scope, and returns the new numbers. The rows with these numbers are locked until
 * the end of the transaction, always in the same order, which prevents deadlocks.
 */
export async function growSizes(
  tx: Queryable,
  added: readonly (Scope & { readonly count: number })[],
): Promise<(Scope & { readonly entries: bigint })[]> {
  return GROW.rows(tx, {
    merchantIds: added.map(({ merchantId }) => merchantId),
    environments: added.map(({ environment }) => environment),
    counts: added.map(({ count }) => BigInt(count)),
  });
}

const INSERT = statement({
  name: 'insert search entries',
  text: `INSERT INTO search_entry (id, merchant_id, environment, bill_id, text, keys)
         SELECT id, merchant_id, environment, bill_id, text, keys::int[]
         FROM unnest($ids::uuid[], $merchantIds::uuid[], $environments::environment[], $billIds::uuid[], $texts::text[], $keys::text[])
           AS e (id, merchant_id, environment, bill_id, text, keys)
         ON CONFLICT (id) DO NOTHING`,
  parameters: {
    ids: array(uuid),
    merchantIds: array(uuid),
    environments: array(environment),
    billIds: array(uuid),
    texts: array(text),
    keys: array(text),
  },
  columns: {},
});

/** A search entry with the row that it comes from. */
interface NewEntry extends Scope {
  readonly id: string;
  readonly billId: string;
  readonly text: string;
  readonly keys: readonly number[];
}

/** Inserts entries. An entry that exists already is not changed. */
export async function insertEntries(tx: Queryable, entries: readonly NewEntry[]): Promise<void> {
  await INSERT.rows(tx, {
    ids: entries.map(({ id }) => id),
    merchantIds: entries.map(({ merchantId }) => merchantId),
    environments: entries.map(({ environment }) => environment),
    billIds: entries.map(({ billId }) => billId),
    texts: entries.map(({ text }) => text),
    // unnest flattens an array of arrays completely, so each inner array is passed as text.
    keys: entries.map(({ keys }) => `{${keys.join(',')}}`),
  });
}

const TIDY = statement({
  name: 'tidy the index of search entries',
  text: 'SELECT tidy_search_entries() AS pages',
  parameters: {},
  columns: { pages: neverNull(int8) },
});

/**
 * Moves new entries from the pending list of the index into the index itself. Every look-up reads the whole pending list, so a short list
 * makes searches faster.
 */
export async function tidyEntries(tx: Queryable): Promise<void> {
  await TIDY.rows(tx, {});
}
