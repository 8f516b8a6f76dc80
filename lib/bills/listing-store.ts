import type { Scope } from '@/lib/config/runtime';
import type { Queryable } from '@/lib/db/database';
import type { Bill, BillStatus } from './rules';
import { BILL_COLUMNS } from './store';

export interface BillListing {
  /** Only bills older than this one. */
  readonly before: string | null;
  readonly status: BillStatus | null;
  readonly limit: number;
}

/** @returns bills newest first: ids are ordered by creation, so a page is one range of the index. */
export async function listBillRows(db: Queryable, scope: Scope, { before, status, limit }: BillListing): Promise<Bill[]> {
  return db.query<Bill>(
    {
      text: `SELECT ${BILL_COLUMNS} FROM bill b
             WHERE b.merchant_id = $1 AND b.environment = $2 AND ($3::uuid IS NULL OR b.id < $3) AND ($4::bill_status IS NULL OR b.status = $4)
             ORDER BY b.id DESC LIMIT $5`,
    },
    [scope.merchantId, scope.environment, before, status, limit],
  );
}
