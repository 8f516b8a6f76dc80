import type { Queryable } from '@/lib/db/database';
import type { BillExtras } from './export-lines';

/** @returns what an export tells of the prompts and payments of some bills, whose list is the caller's. */
export async function findBillExtras(tx: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, BillExtras>> {
  const rows = await tx.query<BillExtras & { id: string }>(
    {
      text: `SELECT wanted.id, prompts.networks, prompts.failed, paid.receipts FROM unnest($1::uuid[]) AS wanted (id)
             CROSS JOIN LATERAL (SELECT coalesce(array_agg(DISTINCT network), '{}') AS networks, (count(*) FILTER (WHERE state IN ('FAILED', 'EXPIRED')))::int AS failed
               FROM push_attempt WHERE bill_id = wanted.id) prompts
             CROSS JOIN LATERAL (SELECT coalesce(array_agg(p.provider_transaction_id ORDER BY a.id), '{}') AS receipts
               FROM payment_allocation a JOIN payment p ON p.id = a.payment_id WHERE a.bill_id = wanted.id AND p.kind = 'payment') paid`,
    },
    [ids],
  );
  return new Map(rows.map(({ id, ...extras }) => [id, extras]));
}
