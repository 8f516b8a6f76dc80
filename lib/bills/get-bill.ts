import type { Failure } from '@/lib/core/failure';
import { isUuid } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Scope } from '@/lib/core/scope';
import type { BillAddress } from './get-store';
import type { BillDetails } from './last-attempt';

/**
 * Finds a bill by its id. If there is none, the failure contains the id exactly as the caller gave it.
 * @param find reads the bill from the database.
 */
export async function getBill(
  scope: Scope,
  id: string,
  find: (wanted: BillAddress) => Promise<BillDetails | null>,
): Promise<Result<BillDetails, Failure<'bill_not_found'>>> {
  const bill = isUuid(id) ? await find({ ...scope, id }) : null;
  return bill ? ok(bill) : fail({ code: 'bill_not_found', detail: id });
}
