import { recordEntry } from '@/lib/audit/record-entry';
import { changeBill, type LockedBill, lockBill } from '@/lib/bills/change-bill';
import { type BillsOf, findAnyBill, findBillOf, setClosed } from '@/lib/bills/store';
import { isUuid } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Queryable } from '@/lib/db/database';
import { reserves } from '@/lib/payments/rules';
import { listAttempts } from '@/lib/payments/store';
import type { Runtime } from '@/lib/runtime/runtime';

interface ChangeClosedOptions {
  readonly billId: string;
  /** Whose bills may be changed; null for the operator, who may change any. */
  readonly whose: BillsOf | null;
  /** Why, in the words of whoever asks; kept with the bill. */
  readonly reason: string;
  readonly actor: string;
  readonly address: string | null;
}

export type CloseRefusal = 'not_found' | 'reason_required' | 'already_closed' | 'paid' | 'prompt_open';
export type ReopenRefusal = 'not_found' | 'reason_required' | 'not_closed';

type Needs = Pick<Runtime, 'db' | 'clock' | 'random'>;

/**
 * Closes a bill that nobody shall pay any more: its page says so, and no phone is asked for it. Not while a phone is being
 * asked, for that customer may agree. Money that comes all the same is booked: a closed bill keeps nothing out of the ledger.
 */
export function closeBill(runtime: Needs, options: ChangeClosedOptions): Promise<Result<null, CloseRefusal>> {
  return changeClosed(runtime, options, async (tx, bill): Promise<Result<'bill.closed', CloseRefusal>> => {
    if (bill.closedAt !== null) return fail('already_closed');
    if (bill.status === 'FULLY_PAID') return fail('paid');
    if ((await listAttempts(tx, bill.id)).some(reserves)) return fail('prompt_open');
    return ok('bill.closed');
  });
}

/** Lets a closed bill be paid again. */
export function reopenBill(runtime: Needs, options: ChangeClosedOptions): Promise<Result<null, ReopenRefusal>> {
  return changeClosed(runtime, options, async (_tx, bill): Promise<Result<'bill.reopened', ReopenRefusal>> => {
    return bill.closedAt === null ? fail('not_closed') : ok('bill.reopened');
  });
}

/** Decides under the bill's lock, so that a prompt asked for at the same time comes before or not at all. */
async function changeClosed<Refusal>(
  runtime: Needs,
  { billId, whose, reason, actor, address }: ChangeClosedOptions,
  decide: (tx: Queryable, bill: LockedBill) => Promise<Result<'bill.closed' | 'bill.reopened', Refusal>>,
): Promise<Result<null, Refusal | 'not_found' | 'reason_required'>> {
  const { db } = runtime;
  const found = isUuid(billId) ? await (whose === null ? findAnyBill(db, billId) : findBillOf(db, whose, billId)) : undefined;
  if (!found) return fail('not_found');
  if (reason.trim() === '') return fail('reason_required');
  return db.transaction(async (tx) => {
    const bill = await lockBill(tx, billId);
    const decided = await decide(tx, bill);
    if (!decided.ok) return decided;
    const now = runtime.clock();
    const type = decided.value;
    const closedAt = type === 'bill.closed' ? now : null;
    await setClosed(tx, billId, closedAt);
    await changeBill(tx, bill, { paid: 0n, released: 0n, payer: null, events: [{ type, data: { by: actor, reason } }], now });
    const { merchantId, environment } = bill;
    const data = { reason, before: bill.closedAt?.toISOString() ?? null, after: closedAt?.toISOString() ?? null };
    await recordEntry(runtime, { merchantId, environment, actor, address, action: type, subject: billId, data }, tx);
    return ok(null);
  });
}
