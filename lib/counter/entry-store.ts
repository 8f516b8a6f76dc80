import { billStatus } from '@/lib/bills/sql-types';
import type { Queryable } from '@/lib/db/database';
import { environment, int4, int8, neverNull, neverNullInJoin, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { attemptState } from '@/lib/payments/sql-types';
import type { CounterOf } from './shift-store';

const OF = 'e.merchant_id = $merchantId AND e.environment = $environment AND e.user_id = $userId';
const OF_TYPES = { merchantId: uuid, environment, userId: uuid };

const INSERT_ENTRY = statement({
  name: 'insert an entry of the counter',
  text: `INSERT INTO counter_entry (merchant_id, environment, user_id, entry_id, shift_id, number, bill_id, created_at)
         VALUES ($merchantId, $environment, $userId, $entryId, $shiftId, $number, $billId, $createdAt)`,
  parameters: { ...OF_TYPES, entryId: uuid, shiftId: uuid, number: int4, billId: uuid, createdAt: timestamptz },
  columns: {},
});

interface NewEntry {
  readonly entryId: string;
  readonly shiftId: string;
  readonly number: number;
  readonly billId: string;
  readonly createdAt: Date;
}

/** Inserts an entry. Throws a violation of `counter_entry_pkey` if the member has already sent an entry with this id. */
export async function insertEntry(on: Queryable, { merchantId, environment: where, userId }: CounterOf, entry: NewEntry): Promise<void> {
  await INSERT_ENTRY.rows(on, { merchantId, environment: where, userId, ...entry });
}

const COLUMNS = `e.entry_id AS "entryId", e.number, b.id AS "billId", b.reference, b.amount, b.paid_amount AS "paidAmount", b.status,
  b.created_at AS "createdAt", b.paid_at AS "paidAt", b.closed_at AS "closedAt", coalesce(a.mobile, b.mobile) AS mobile, a.network,
  a.state AS "attemptState", a.failure_reason AS "failureReason"`;
const FROM = `FROM counter_entry e JOIN bill b ON b.id = e.bill_id
  LEFT JOIN LATERAL (SELECT p.mobile, p.network, p.state, p.failure_reason FROM push_attempt p WHERE p.bill_id = b.id ORDER BY p.id DESC LIMIT 1) a ON true`;
const TYPES = neverNullInJoin({
  entryId: uuid,
  number: int4,
  billId: uuid,
  reference: text,
  amount: int8,
  paidAmount: int8,
  status: billStatus,
  createdAt: timestamptz,
  paidAt: nullable(timestamptz),
  closedAt: nullable(timestamptz),
  mobile: nullable(text),
  network: nullable(text),
  attemptState: nullable(attemptState),
  failureReason: nullable(text),
});

const FIND_ENTRY = statement({
  name: 'find an entry of the counter',
  text: `SELECT ${COLUMNS} ${FROM} WHERE ${OF} AND e.entry_id = $entryId`,
  parameters: { ...OF_TYPES, entryId: uuid },
  columns: TYPES,
});

/** A bill of the counter, with the newest attempt. */
export type EntryRow = Awaited<ReturnType<typeof FIND_ENTRY.rows>>[number];

export async function findEntry(
  on: Queryable,
  { merchantId, environment: where, userId }: CounterOf,
  entryId: string,
): Promise<EntryRow | undefined> {
  return FIND_ENTRY.first(on, { merchantId, environment: where, userId, entryId });
}

const FIND_ENTRY_OF_BILL = statement({
  name: 'find the entry of a bill',
  text: `SELECT ${COLUMNS} ${FROM} WHERE ${OF} AND e.bill_id = $billId`,
  parameters: { ...OF_TYPES, billId: uuid },
  columns: TYPES,
});

export async function findEntryOfBill(
  on: Queryable,
  { merchantId, environment: where, userId }: CounterOf,
  billId: string,
): Promise<EntryRow | undefined> {
  return FIND_ENTRY_OF_BILL.first(on, { merchantId, environment: where, userId, billId });
}

const LIST_ENTRIES = statement({
  name: 'list the entries of a shift',
  text: `SELECT ${COLUMNS} ${FROM} WHERE ${OF} AND e.shift_id = $shiftId ORDER BY e.number DESC LIMIT $most::int`,
  parameters: { ...OF_TYPES, shiftId: uuid, most: int4 },
  columns: TYPES,
});

/** Returns the newest bills of a shift. */
export async function listEntries(
  on: Queryable,
  { merchantId, environment: where, userId }: CounterOf,
  { shiftId, most }: { readonly shiftId: string; readonly most: number },
): Promise<EntryRow[]> {
  return LIST_ENTRIES.rows(on, { merchantId, environment: where, userId, shiftId, most });
}

const SUM_ENTRIES = statement({
  name: 'sum the entries since',
  text: `SELECT count(*)::int AS bills, (count(*) FILTER (WHERE b.status = 'FULLY_PAID'))::int AS paid, coalesce(sum(b.amount), 0)::bigint AS amount,
           coalesce(sum(b.paid_amount), 0)::bigint AS "paidAmount"
         FROM counter_entry e JOIN bill b ON b.id = e.bill_id
         WHERE ${OF} AND e.created_at >= $since AND ($shiftId::uuid IS NULL OR e.shift_id = $shiftId)`,
  parameters: { ...OF_TYPES, since: timestamptz, shiftId: nullable(uuid) },
  columns: { bills: neverNull(int4), paid: neverNull(int4), amount: neverNull(int8), paidAmount: neverNull(int8) },
});

export type CounterSum = Awaited<ReturnType<typeof SUM_ENTRIES.rows>>[number];

/** Returns the number and sums of the bills that a member has entered since an instant. `shiftId`: only those of this shift. */
export async function sumEntries(
  on: Queryable,
  { merchantId, environment: where, userId }: CounterOf,
  { since, shiftId }: { readonly since: Date; readonly shiftId: string | null },
): Promise<CounterSum> {
  const sum = await SUM_ENTRIES.first(on, { merchantId, environment: where, userId, since, shiftId });
  return sum ?? { bills: 0, paid: 0, amount: 0n, paidAmount: 0n };
}

const SUM_BY_NETWORK = statement({
  name: 'sum a shift by network',
  text: `SELECT t.network, count(DISTINCT b.id)::int AS bills, sum(l.amount)::bigint AS amount
         FROM counter_entry e JOIN bill b ON b.id = e.bill_id JOIN payment_allocation l ON l.bill_id = b.id
         JOIN payment p ON p.id = l.payment_id LEFT JOIN payment o ON o.id = p.reverses_id
         LEFT JOIN push_attempt t ON t.id = coalesce(p.attempt_id, o.attempt_id)
         WHERE ${OF} AND e.shift_id = $shiftId GROUP BY t.network ORDER BY amount DESC, t.network`,
  parameters: { ...OF_TYPES, shiftId: uuid },
  columns: { network: nullable(text), bills: neverNull(int4), amount: neverNull(int8) },
});

export type NetworkSum = Awaited<ReturnType<typeof SUM_BY_NETWORK.rows>>[number];

/** Returns what a shift's bills received through each network, less what was reversed. `network` is null if it is not known. */
export async function sumByNetwork(
  on: Queryable,
  { merchantId, environment: where, userId }: CounterOf,
  shiftId: string,
): Promise<NetworkSum[]> {
  return SUM_BY_NETWORK.rows(on, { merchantId, environment: where, userId, shiftId });
}
