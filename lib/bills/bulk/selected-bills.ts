import { isUuid } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';

/** The most bills of one action: the largest page of the list. */
export const BULK_MAX = 100;

export type SelectionProblem = 'nothing_selected' | 'too_many_selected';

/** The result of an action for one bill. */
export interface BillResult<Outcome> {
  readonly id: string;
  readonly outcome: Outcome;
}

/** Returns the valid ids without duplicates, in their order. Invalid ids are ignored. Fails if none or too many are left. */
export function readSelection(ids: readonly string[]): Result<readonly string[], SelectionProblem> {
  const known = [...new Set(ids.filter(isUuid).map((id) => id.toLowerCase()))];
  if (known.length === 0) return fail('nothing_selected');
  return known.length > BULK_MAX ? fail('too_many_selected') : ok(known);
}
