import type { Runtime, Scope } from '@/lib/config/runtime';
import type { Failure } from '@/lib/core/failure';
import { isUuid } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Bill } from './rules';
import { findBill } from './store';

/** @param id as the merchant asked for it; the failure repeats it to the letter. */
export async function getBill({ db }: Pick<Runtime, 'db'>, scope: Scope, id: string): Promise<Result<Bill, Failure>> {
  const bill = isUuid(id) ? await findBill(db, scope, id) : undefined;
  return bill ? ok(bill) : fail({ code: 'bill_not_found', detail: id });
}
