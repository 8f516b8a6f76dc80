import type { ListScope } from '@/lib/backoffice/bill-list/listing-store';
import { BILL_COLUMNS, BILL_TYPES, billById } from '@/lib/gateway/bills/store';
import type { Scope } from '@/lib/platform/core/scope';
import type { Queryable } from '@/lib/platform/db/database';
import { array, environment, int4, int8, neverNull, nullable, type SqlType, text, uuid } from '@/lib/platform/db/sql-types';
import { registerVariants, statement, variant } from '@/lib/platform/db/statement';
import type { SearchedBill } from './group-matches';
import { bucketOf, type FragmentKind, keysOf, partsToFind, valuesOf } from './search-entry';

/** The columns of a SearchedBill, for a table with the alias `b`. */
const SEARCHED_COLUMNS = `${BILL_COLUMNS}, b.customer_name AS "customerName"`;
const SEARCHED_TYPES = { ...BILL_TYPES, customerName: nullable(text) };

const LOOKUPS = ['id', 'reference', 'prefix', 'payment', 'receipt', 'number', 'mobile', 'amount', 'code', 'link'] as const;
export type Lookup = (typeof LOOKUPS)[number];

const BILLS = 'FROM bill WHERE merchant_id = $merchantId AND environment = $environment';
/**
 * The SQL of each look-up. It selects the ids of the found bills. `value` is the text that matched. It is null if the text is a column of
 * the bill, which is read later anyway.
 */
const FOUND: Readonly<Record<Lookup, string>> = {
  id: 'SELECT $text::uuid AS id, NULL::text AS value',
  reference: `SELECT id, NULL::text AS value ${BILLS} AND reference = $text`,
  prefix: `SELECT id, NULL::text AS value ${BILLS} AND reference LIKE $text`,
  payment: `SELECT bill_id AS id, our_reference AS value FROM push_attempt
            WHERE our_reference = $text AND merchant_id = $merchantId AND environment = $environment
            UNION ALL SELECT bill_id, our_reference FROM instrument
            WHERE our_reference = $text AND merchant_id = $merchantId AND environment = $environment`,
  // The index on receipt numbers starts with the till, so every till that may receive the merchant's money is looked up.
  receipt: `SELECT a.bill_id AS id, p.provider_transaction_id AS value FROM (SELECT DISTINCT till_id FROM provider_account WHERE environment = $environment AND (merchant_id IS NULL OR merchant_id = $merchantId)) till
            JOIN payment p ON p.till_id = till.till_id AND p.provider_transaction_id = $text
            JOIN payment_allocation a ON a.payment_id = p.id WHERE a.merchant_id = $merchantId AND a.environment = $environment`,
  number:
    'SELECT bill_id AS id, number AS value FROM instrument WHERE number = $text AND merchant_id = $merchantId AND environment = $environment',
  mobile:
    'SELECT bill_id AS id, mobile AS value FROM push_attempt WHERE environment = $environment AND mobile = $text AND merchant_id = $merchantId',
  amount: `SELECT id, NULL::text AS value ${BILLS} AND amount = $text ORDER BY id DESC`,
  // Selects the codes that begin with the text. LIKE could not use the index in every collation, but a comparison with the lowest and the
  // highest of these codes can. Codes contain only capital letters and digits, and Z is the highest of them.
  code: `SELECT bill_id AS id, code AS value FROM receipt
         WHERE code >= $text AND code <= $text || 'ZZZZZZZZZZZZ' AND merchant_id = $merchantId AND environment = $environment`,
  link: 'SELECT bill_id AS id, NULL::text AS value FROM bill_link WHERE code = $text AND merchant_id = $merchantId AND environment = $environment',
};
const TYPES: Readonly<Partial<Record<Lookup, SqlType<string | bigint>>>> = { id: uuid, amount: int8 };

/**
 * At most this many matches are read, in any order, and the newest of them are returned. If there are more matches, newer bills can be
 * missing from the result, and the person must type a more specific text.
 */
const MATCHES_MAX = 5_000;

const lookupOf = (lookup: Lookup) =>
  variant({
    name: `search bills by ${lookup}`,
    text: `SELECT ${SEARCHED_COLUMNS}, found.value FROM (SELECT id, min(value) AS value FROM (SELECT id, value FROM (${FOUND[lookup]}) every LIMIT ${MATCHES_MAX}) looked_at GROUP BY id) found
           CROSS JOIN LATERAL (SELECT * FROM ${billById('found.id')} WHERE b.merchant_id = $merchantId AND b.environment = $environment
             AND ($billsOf::uuid IS NULL OR b.created_by_id = $billsOf) LIMIT 1) b
           ORDER BY b.id DESC LIMIT $limit::int`,
    parameters: { merchantId: uuid, environment, billsOf: nullable(uuid), limit: int4, text: TYPES[lookup] ?? text },
    columns: { ...SEARCHED_TYPES, value: nullable(text) },
  });
registerVariants(LOOKUPS.map(lookupOf));

export interface FoundBill {
  readonly bill: SearchedBill;
  /** The text that matched; null if it is in a column of the bill itself. */
  readonly value: string | null;
}

export async function findBills(
  tx: Queryable,
  { merchantId, environment, billsOf }: ListScope,
  { lookup, text, limit }: { readonly lookup: Lookup; readonly text: string | bigint; readonly limit: number },
): Promise<FoundBill[]> {
  const rows = await lookupOf(lookup).rows(tx, { merchantId, environment, billsOf, limit, text });
  return rows.map(({ value, ...bill }) => ({ bill, value }));
}

/** The most bills without a search entry that are read for each status. Usually only the bills of the last seconds have no entry. */
const TAIL_MAX = 200;

const LIST_TAIL = statement({
  name: 'list the newest bills without a search entry',
  text: `SELECT ${SEARCHED_COLUMNS} FROM search_source s CROSS JOIN unnest(enum_range(NULL::bill_status)) AS one (status) CROSS JOIN LATERAL (
           SELECT * FROM bill WHERE merchant_id = $merchantId AND environment = $environment AND status = one.status AND id > s.read_to
           ORDER BY id DESC LIMIT ${TAIL_MAX}
         ) b WHERE s.name = 'bill' AND ($billsOf::uuid IS NULL OR b.created_by_id = $billsOf)`,
  parameters: { merchantId: uuid, environment, billsOf: nullable(uuid) },
  columns: SEARCHED_TYPES,
});

/** A bill that may match, with all its mobile numbers and receipt numbers that may contain the fragment. */
export interface Candidate {
  readonly bill: SearchedBill;
  readonly mobiles: readonly string[];
  readonly receipts: readonly string[];
}

/** Lists the newest bills for which no worker has written a search entry yet. */
export async function listTail(tx: Queryable, { merchantId, environment, billsOf }: ListScope): Promise<Candidate[]> {
  const bills = await LIST_TAIL.rows(tx, { merchantId, environment, billsOf });
  return bills.map((bill) => ({ bill, mobiles: bill.mobile === null ? [] : [bill.mobile], receipts: [] }));
}

/** The time limit of a search, in milliseconds. Searches take less unless the database is overloaded. */
const TIME_LIMIT_MS = 1_500;

const LIMIT_TIME = statement({
  name: 'limit the time of a search',
  text: `SELECT set_config('statement_timeout', '${TIME_LIMIT_MS}', true) AS timeout`,
  parameters: {},
  columns: { timeout: text },
});

/** Limits the time of each statement that follows in the transaction. */
export async function limitTime(tx: Queryable): Promise<void> {
  await LIMIT_TIME.rows(tx, {});
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

const FIND_ENTRIES = statement({
  name: 'find search entries',
  // Each element of $keys has the keys of one bucket of search entries. PostgreSQL searches the buckets in the order of the array, and
  // stops at the bucket in which it reaches the limit.
  text: `SELECT ${SEARCHED_COLUMNS}, found.text,
           CASE WHEN $kind = 'receipt' THEN ARRAY(
             SELECT p.provider_transaction_id FROM payment_allocation a JOIN payment p ON p.id = a.payment_id WHERE a.bill_id = b.id ORDER BY a.id
           ) ELSE '{}' END AS receipts
         FROM (
           SELECT entry.bill_id, entry.text FROM unnest($keys::text[]) AS bucket (keys) CROSS JOIN LATERAL (
             SELECT e.bill_id, e.text FROM search_entry e
             WHERE e.keys @> bucket.keys::int[] AND e.merchant_id = $merchantId AND e.environment = $environment AND e.text LIKE $pattern
             ORDER BY e.bill_id DESC LIMIT $limit::int
           ) entry LIMIT $limit::int
         ) found CROSS JOIN LATERAL (SELECT * FROM ${billById('found.bill_id')} WHERE b.merchant_id = $merchantId
           AND b.environment = $environment AND ($billsOf::uuid IS NULL OR b.created_by_id = $billsOf) LIMIT 1) b`,
  parameters: { merchantId: uuid, environment, billsOf: nullable(uuid), kind: text, keys: array(text), pattern: text, limit: int4 },
  columns: { ...SEARCHED_TYPES, text, receipts: neverNull(array(text)) },
});

interface FindOptions {
  readonly kind: FragmentKind;
  /** A folded text that the entries contain. */
  readonly fragment: string;
  /** How many search entries the merchant has: see {@link readSize}. */
  readonly entries: bigint;
  readonly limit: number;
}

/** Finds bills by their search entries, newest buckets first. */
export async function findEntries(
  tx: Queryable,
  { merchantId, environment, billsOf }: ListScope,
  { kind, fragment, entries, limit }: FindOptions,
): Promise<Candidate[]> {
  const space = { merchantId, environment, createdById: billsOf };
  const buckets = Array.from({ length: bucketOf(entries) + 1 }, (_, bucket) => bucket).reverse();
  const keys = buckets.flatMap((bucket) => partsToFind(kind, fragment).map((parts) => `{${keysOf(space, bucket, parts).join(',')}}`));
  const rows = await FIND_ENTRIES.rows(tx, { merchantId, environment, billsOf, kind, keys, pattern: `%${fragment}%`, limit });
  return rows.map(({ text, receipts, ...bill }) => ({ bill, mobiles: valuesOf(text.split('\n'), 'mobile'), receipts }));
}
