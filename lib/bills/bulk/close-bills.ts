import { type Access, type AccessRefusal, authorize } from '@/lib/accounts/access/grant-access';
import { type CloseRefusal, closeBill } from '@/lib/bills/page/close-bill';
import { fail, ok, type Result } from '@/lib/core/result';
import { oneLine, REASON_MAX } from '@/lib/core/text';
import type { Runtime } from '@/lib/runtime/runtime';
import { type BillResult, readSelection, type SelectionProblem } from './selected-bills';

export type CloseOutcome = 'done' | CloseRefusal;
export type CloseBillsProblem = AccessRefusal | SelectionProblem | 'reason_required' | 'reason_too_long';

/**
 * Closes bills, each in a transaction of its own with its own audit entry, and returns the result of each. A bill that cannot be closed
 * does not keep the others from being closed. Repeating the action after an interruption closes the remaining bills.
 */
export async function closeBills(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  access: Access,
  { billIds, reason }: { readonly billIds: readonly string[]; readonly reason: string },
): Promise<Result<readonly BillResult<CloseOutcome>[], CloseBillsProblem>> {
  const refusal = authorize(access, 'bills.change');
  if (refusal) return fail(refusal);
  const selection = readSelection(billIds);
  if (!selection.ok) return selection;
  const text = oneLine(reason);
  if (text === '') return fail('reason_required');
  if (text.length > REASON_MAX) return fail('reason_too_long');
  const results: BillResult<CloseOutcome>[] = [];
  for (const id of selection.value) {
    const closed = await closeBill(runtime, access, { billId: id, reason });
    results.push({ id, outcome: closed.ok ? 'done' : closed.error });
  }
  return ok(results);
}
