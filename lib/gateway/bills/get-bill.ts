import { columnsOf } from '@/lib/platform/core/columns-of';
import type { Failure } from '@/lib/platform/core/failure';
import { isUuid } from '@/lib/platform/core/ids';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Scope } from '@/lib/platform/core/scope';
import type { Queryable } from '@/lib/platform/db/database';
import { bill, pushAttempt } from '@/lib/platform/db/generated/tables';
import { arrays, nullable, pick, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { unnest } from '@/lib/platform/db/unnest';
import { recorder } from '@/lib/platform/metrics/recorder';
import { readTogether } from '@/lib/platform/queues/read-together';
import { FULL_INFO_TYPES, infoColumns } from './bill-info';
import type { BillDetails } from './bill-json';
import { BILL_COLUMNS, BILL_TYPES, billById } from './store';

/** A bill's id, with the scope in which it is sought. */
export interface BillAddress extends Scope {
  readonly id: string;
}

/**
 * Finds a bill by its id. If there is none, the failure contains the id exactly as the caller gave it.
 * @param find reads the bill from the database.
 */
export async function getBill(
  scope: Scope,
  id: string,
  find: (wanted: BillAddress) => Promise<BillDetails | null>,
): Promise<Result<BillDetails, Failure<'bill_not_found'>>> {
  const found = isUuid(id) ? await find({ ...scope, id }) : null;
  return found ? ok(found) : fail({ code: 'bill_not_found', detail: id });
}

/** Reads bills for API requests, those of simultaneous requests together. */
export interface ReadQueue {
  /**
   * Returns the bill, or null if it does not exist.
   * @param keyId the API key of the request. API keys take turns, so that the requests of one key cannot fill all batches.
   */
  read(keyId: string, wanted: BillAddress): Promise<BillDetails | null>;
}

export function createReadQueue(db: Queryable): ReadQueue {
  return {
    read: readTogether<BillAddress, BillDetails | null>({
      readAll: (wanted) => findBillDetails(db, wanted),
      onBatch: (size) => recorder()?.batchRun('read', size),
      onRefusal: () => recorder()?.overloaded('read'),
    }),
  };
}

const COLUMNS = {
  ...BILL_TYPES,
  reversedAmount: bill.reversedAmount,
  ...FULL_INFO_TYPES,
  attemptState: nullable(pushAttempt.state),
  attemptReason: pushAttempt.failureReason,
  attemptAt: nullable(timestamptz),
};
const SELECTED = `${BILL_COLUMNS}, b.reversed_amount AS "reversedAmount", ${infoColumns()}, a.state AS "attemptState",
  a.failure_reason AS "attemptReason", a.at AS "attemptAt"`;
const NEWEST_ATTEMPT = `LEFT JOIN LATERAL (
  SELECT state, failure_reason, greatest(created_at, sent_at, unknown_since, released_at, settled_at) AS at
  FROM (SELECT * FROM push_attempt WHERE bill_id = b.id OFFSET 0) own ORDER BY id DESC LIMIT 1) a ON true`;

const WANTED = arrays(pick(bill, 'id merchantId environment'));

/**
 * Reads any number of bills, each with its newest attempt, as they are at one moment.
 * `billById`, and OFFSET 0 in NEWEST_ATTEMPT, make PostgreSQL use the indexes on the bill's id. A prepared statement keeps its plan, so with
 * another index it would read all bills or attempts of the merchant each time, even when the tables have grown.
 */
const SELECT_BILL_DETAILS = statement({
  name: 'select-bill-details',
  prepared: true,
  text: `
SELECT ${SELECTED}
FROM ${unnest(WANTED, 'wanted')}
JOIN LATERAL ${billById('wanted.id')} ON b.merchant_id = wanted.merchant_id AND b.environment = wanted.environment
${NEWEST_ATTEMPT}`,
  parameters: WANTED,
  columns: COLUMNS,
});

/** Reads one bill. The statement for several bills would take twice as long to read one. */
const SELECT_ONE_BILL_DETAILS = statement({
  name: 'select-one-bill-details',
  prepared: true,
  text: `SELECT ${SELECTED} FROM ${billById('$id')} ${NEWEST_ATTEMPT} WHERE b.merchant_id = $merchantId AND b.environment = $environment`,
  parameters: pick(bill, 'id merchantId environment'),
  columns: COLUMNS,
});

/** Returns the bills in the order of `wanted`. The array contains null for each bill that does not exist. */
export async function findBillDetails(db: Queryable, wanted: readonly BillAddress[]): Promise<(BillDetails | null)[]> {
  const [first] = wanted;
  if (first && wanted.length === 1) return [(await SELECT_ONE_BILL_DETAILS.first(db, first)) ?? null];
  const rows = await SELECT_BILL_DETAILS.rows(db, columnsOf(wanted, WANTED));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return wanted.map(({ id, merchantId, environment }) => {
    const found = byId.get(id.toLowerCase());
    return found?.merchantId === merchantId && found.environment === environment ? found : null;
  });
}
