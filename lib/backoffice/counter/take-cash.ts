import { type RecordRefusal, recordPayment, refuseToRecord } from '@/lib/gateway/ledger/record-payment';
import { authorize, type MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { isUuid } from '@/lib/platform/core/ids';
import type { Senti } from '@/lib/platform/core/money';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { ReadRuntime, Runtime } from '@/lib/platform/runtime/runtime';
import { lockShift } from './counter-store';

interface TakenCash {
  readonly billId: string;
  /** The amount that the cashier saw and received, senti. At most what is left to pay. */
  readonly amount: Senti;
  /** The id of the form. If it is sent again, after a double tap or a lost answer, the cash is recorded once. */
  readonly formId: string;
}

export type CashRefusal = RecordRefusal['code'] | 'shift_closed';

class ShiftClosed extends Error {
  override readonly name = 'ShiftClosed';
}

/** Records that the cashier received the money for a bill of their open shift in cash. */
export async function takeCash(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'settings'>,
  access: MerchantAccess,
  { billId, amount, formId }: TakenCash,
): Promise<Result<null, CashRefusal>> {
  const refusal = authorize(access, 'counter.use');
  if (refusal) return fail(refusal);
  const of = { ...access.scope, userId: access.user.id };
  const where = { ...of, billId };
  const entry = isUuid(billId) ? await runtime.db.prisma.counterEntry.findFirst({ where, select: { shiftId: true } }) : null;
  if (!entry) return fail('bill_not_found');
  const cash = { source: 'cash', receivedAt: '', slip: '', note: '', overpay: false, atCounter: true } as const;
  try {
    const recorded = await recordPayment(runtime, access, {
      ...cash,
      billId,
      amount,
      requestKey: `counter:${formId}`,
      // The lock prevents that the shift is closed at the same time, without this cash.
      before: async (tx) => {
        const shift = await lockShift(tx, of, entry.shiftId);
        if (shift?.closedAt !== null) throw new ShiftClosed();
      },
    });
    return recorded.ok ? ok(null) : fail(recorded.error.code);
  } catch (error) {
    if (error instanceof ShiftClosed) return fail('shift_closed');
    throw error;
  }
}

/** Returns whether the member may take cash at the counter. */
export async function takesCash(runtime: ReadRuntime, access: MerchantAccess): Promise<boolean> {
  return (await refuseToRecord(runtime, access, { source: 'cash', atCounter: true })) === null;
}
