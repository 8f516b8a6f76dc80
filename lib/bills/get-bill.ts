import type { Failure } from '@/lib/core/failure';
import { isUuid } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Scope } from '@/lib/core/scope';
import type { Runtime } from '@/lib/runtime/runtime';
import { findBillDetails } from './get-store';
import type { BillDetails } from './last-attempt';

/** Finds a bill by its id. The failure repeats the id exactly as it was given. */
export async function getBill(
  { db }: Pick<Runtime, 'db'>,
  scope: Scope,
  id: string,
): Promise<Result<BillDetails, Failure<'bill_not_found'>>> {
  const bill = isUuid(id) ? await findBillDetails(db, scope, id) : undefined;
  return bill ? ok(bill) : fail({ code: 'bill_not_found', detail: id });
}
