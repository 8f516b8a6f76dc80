import { type AccessRefusal, authorize, type MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { isUuid } from '@/lib/platform/core/ids';
import { readShillings, type Senti } from '@/lib/platform/core/money';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { WriteRuntime } from '@/lib/platform/runtime/runtime';
import { lockShift, sumCash, sumEntries } from './counter-store';

/** `count_required`, `count_invalid`: the shift took cash, so the member must count it. */
type CloseRefusal = AccessRefusal | 'no_such_shift' | 'count_required' | 'count_invalid';

interface ClosedShift {
  readonly id: string;
  /** The cash that the member counted, as it was entered. Not read if the shift took no cash. */
  readonly counted: string;
}

/** Closes a shift. The member's next bill opens a new shift. If the shift is already closed, the call changes nothing and succeeds. */
export async function closeShift(
  runtime: WriteRuntime,
  access: MerchantAccess,
  { id, counted }: ClosedShift,
): Promise<Result<null, CloseRefusal>> {
  const refusal = authorize(access, 'counter.use');
  if (refusal) return fail(refusal);
  if (!isUuid(id)) return fail('no_such_shift');
  const { scope, user, actor } = access;
  const of = { ...scope, userId: user.id };
  return runtime.db.transaction(async (tx) => {
    const shift = await lockShift(tx, of, id);
    if (!shift) return fail('no_such_shift');
    if (shift.closedAt !== null) return ok(null);
    const expectedCash = await sumCash(tx, id, actor.name);
    const countedCash = readCount(counted);
    if (expectedCash > 0n && countedCash === null) return fail(counted.trim() === '' ? 'count_required' : 'count_invalid');
    const cash = expectedCash > 0n && countedCash !== null ? { expectedCash, countedCash } : null;
    await tx.prisma.counterShift.update({ where: { id }, data: { closedAt: runtime.clock(), ...cash } });
    const { bills, paid, paidAmount } = await sumEntries(tx, of, { since: shift.openedAt, shiftId: id });
    const inWords = cash && { expectedCash: expectedCash.toString(), countedCash: cash.countedCash.toString() };
    const data = { code: shift.code, bills, paid, amount: paidAmount.toString(), ...inWords };
    await recordEntry(runtime, { ...scope, actor, action: 'shift.closed', subject: id, data }, tx);
    return ok(null);
  });
}

/** Reads whole shillings, also none. Returns null if the text is something else. */
function readCount(text: string): Senti | null {
  return /^\s*0+\s*$/.test(text) ? 0n : readShillings(text);
}
