import type { ListScope } from '@/lib/bills/list/listing-sql';
import { billById } from '@/lib/bills/store';
import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { array, environment, int4, int8, nullable, text, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { SEARCHED_COLUMNS, SEARCHED_TYPES, type SearchedBill } from './searched-bill';

const FIND_ENTRIES = statement({
  name: 'find search entries',
  // Each element of $keys has the keys of one bucket of search entries. PostgreSQL searches the buckets in the order of the array, and
  // stops at the bucket in which it reaches the limit.
  text: `SELECT ${SEARCHED_COLUMNS}, found.text FROM (
           SELECT entry.bill_id, entry.text FROM unnest($keys::text[]) AS bucket (keys) CROSS JOIN LATERAL (
             SELECT e.bill_id, e.text FROM search_entry e
             WHERE e.keys @> bucket.keys::int[] AND e.merchant_id = $merchantId AND e.environment = $environment AND e.text LIKE $pattern
             ORDER BY e.bill_id DESC LIMIT $limit::int
           ) entry LIMIT $limit::int
         ) found CROSS JOIN LATERAL (SELECT * FROM ${billById('found.bill_id')} WHERE b.merchant_id = $merchantId
           AND b.environment = $environment AND ($billsOf::uuid IS NULL OR b.created_by_id = $billsOf) LIMIT 1) b`,
  parameters: { merchantId: uuid, environment, billsOf: nullable(uuid), keys: array(text), pattern: text, limit: int4 },
  columns: { ...SEARCHED_TYPES, text },
});

/**
 * Finds bills by their search entries. `keys` contains lists of keys: an entry must have all keys of one of these lists. Its text must
 * contain the folded text `contains`. Entries that match an earlier list come first.
 */
export async function findEntries(
  tx: Queryable,
  { merchantId, environment, billsOf }: ListScope,
  { keys, contains, limit }: { readonly keys: readonly (readonly number[])[]; readonly contains: string; readonly limit: number },
): Promise<{ readonly bill: SearchedBill; readonly text: string }[]> {
  const lists = keys.map((list) => `{${list.join(',')}}`);
  const rows = await FIND_ENTRIES.rows(tx, { merchantId, environment, billsOf, keys: lists, pattern: `%${contains}%`, limit });
  return rows.map(({ text, ...bill }) => ({ bill, text }));
}

const READ_SIZE = statement({
  name: 'read the number of search entries',
  text: 'SELECT entries FROM search_size WHERE merchant_id = $merchantId AND environment = $environment',
  parameters: { merchantId: uuid, environment },
  columns: { entries: int8 },
});

export async function readSize(tx: Queryable, { merchantId, environment }: Scope): Promise<bigint> {
  return (await READ_SIZE.first(tx, { merchantId, environment }))?.entries ?? 0n;
}
