import { IN_ANY_ORDER } from '@/lib/bills/list/listing-store';
import type { Queryable } from '@/lib/db/database';
import { array, int4, text, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

const FIND = statement({
  name: 'find attempts and payments of exported bills',
  text: `SELECT wanted.id, prompts.networks, prompts.failed, paid.receipts FROM unnest($ids::uuid[]) AS wanted (id)
         CROSS JOIN LATERAL (SELECT coalesce(array_agg(DISTINCT network), '{}') AS networks, (count(*) FILTER (WHERE state IN ('FAILED', 'EXPIRED')))::int AS failed
           FROM push_attempt WHERE bill_id = wanted.id) prompts
         CROSS JOIN LATERAL (SELECT coalesce(array_agg(p.provider_transaction_id ORDER BY a.id), '{}') AS receipts
           FROM payment_allocation a JOIN payment p ON p.id = a.payment_id WHERE a.bill_id = wanted.id AND p.kind = 'payment') paid`,
  parameters: { ids: array(uuid) },
  columns: { id: uuid, networks: array(text), failed: int4, receipts: array(text) },
});

/** The exported data of a bill's attempts and payments. */
export type BillExtras = Omit<Awaited<ReturnType<typeof FIND.rows>>[number], 'id'>;

/** Returns the attempts and payments of bills. The caller must have checked that the member may see these bills. */
export async function findBillExtras(tx: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, BillExtras>> {
  // Makes PostgreSQL read only the allocations of each bill, and sort them. Otherwise, for each bill, the planner might read all
  // allocations of the table from an index that has the wanted order already.
  await IN_ANY_ORDER.rows(tx, {});
  const rows = await FIND.rows(tx, { ids });
  return new Map(rows.map(({ id, ...extras }) => [id, extras]));
}
