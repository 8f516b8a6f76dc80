import { type AccessRefusal, authorize, type MerchantAccess } from '@/lib/accounts/access/grant-access';
import { recordEntry } from '@/lib/audit/record-entry';
import { isUuid } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import type { WriteRuntime } from '@/lib/runtime/runtime';
import { sumEntries } from './entry-store';
import { findShift, markShiftClosed } from './shift-store';

/** Closes a shift. The member's next bill opens a new shift. If the shift is already closed, the call changes nothing and succeeds. */
export async function closeShift(
  runtime: WriteRuntime,
  access: MerchantAccess,
  id: string,
): Promise<Result<null, AccessRefusal | 'no_such_shift'>> {
  const refusal = authorize(access, 'counter.use');
  if (refusal) return fail(refusal);
  if (!isUuid(id)) return fail('no_such_shift');
  const { scope, user, actor } = access;
  const of = { ...scope, userId: user.id };
  return runtime.db.transaction(async (tx) => {
    const closed = await markShiftClosed(tx, of, id, runtime.clock());
    if (!closed) return (await findShift(tx, of, id)) ? ok(null) : fail('no_such_shift');
    const { bills, paid, paidAmount } = await sumEntries(tx, of, { since: closed.openedAt, shiftId: id });
    const data = { code: closed.code, bills, paid, amount: paidAmount.toString() };
    await recordEntry(runtime, { ...scope, actor, action: 'shift.closed', subject: id, data }, tx);
    return ok(null);
  });
}
