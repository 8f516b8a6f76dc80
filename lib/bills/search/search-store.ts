import type { ListScope } from '@/lib/bills/list/listing-sql';
import { billById } from '@/lib/bills/store';
import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { array, environment, int4, int8, nullable, type SqlType, text, uuid } from '@/lib/db/sql-types';
import { registerVariants, statement, variant } from '@/lib/db/statement';
import { SEARCHED_COLUMNS, SEARCHED_TYPES, type SearchedBill } from './searched-bill';

const LOOKUPS = ['id', 'reference', 'prefix', 'payment', 'receipt', 'mobile', 'amount', 'code', 'link'] as const;
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
  payment:
    'SELECT bill_id AS id, our_reference AS value FROM push_attempt WHERE our_reference = $text AND merchant_id = $merchantId AND environment = $environment',
  // The index on receipt numbers starts with the till, so every till that may receive the merchant's money is looked up.
  receipt: `SELECT a.bill_id AS id, p.provider_transaction_id AS value FROM (SELECT DISTINCT till_id FROM provider_account WHERE environment = $environment AND (merchant_id IS NULL OR merchant_id = $merchantId)) till
            JOIN payment p ON p.till_id = till.till_id AND p.provider_transaction_id = $text
            JOIN payment_allocation a ON a.payment_id = p.id WHERE a.merchant_id = $merchantId AND a.environment = $environment`,
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

/** Lists the newest bills for which no worker has written a search entry yet. */
export async function listTail(tx: Queryable, { merchantId, environment, billsOf }: ListScope): Promise<SearchedBill[]> {
  return LIST_TAIL.rows(tx, { merchantId, environment, billsOf });
}

const LIST_RECEIPTS = statement({
  name: 'list the receipt numbers of bills',
  text: `SELECT a.bill_id AS "billId", p.provider_transaction_id AS number FROM payment_allocation a JOIN payment p ON p.id = a.payment_id
         WHERE a.bill_id = ANY ($billIds) AND a.merchant_id = $merchantId AND a.environment = $environment ORDER BY a.id`,
  parameters: { merchantId: uuid, environment, billIds: array(uuid) },
  columns: { billId: uuid, number: text },
});

export async function listReceiptNumbers(
  tx: Queryable,
  { merchantId, environment }: Scope,
  billIds: readonly string[],
): Promise<{ readonly billId: string; readonly number: string }[]> {
  return LIST_RECEIPTS.rows(tx, { merchantId, environment, billIds });
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
