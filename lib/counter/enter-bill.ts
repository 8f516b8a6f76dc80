import { type AccessRefusal, authorize, type MerchantAccess } from '@/lib/accounts/access/grant-access';
import { recordEntry } from '@/lib/audit/record-entry';
import { createBill } from '@/lib/bills/create/create-bill';
import { readTypedBill, type TypedProblem } from '@/lib/bills/create/typed-bill';
import { isUuid } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import { postgresError } from '@/lib/db/errors';
import { findProfile } from '@/lib/merchants/profile-store';
import type { Runtime } from '@/lib/runtime/runtime';
import { type EntryRow, findEntry, insertEntry } from './entry-store';
import { numberBill } from './number-bill';
import { isFresh } from './prompt-rules';

export interface EnteredBill {
  /** The id that the device gave the bill. A bill that is sent again, after a lost answer or a reload, is created once. */
  readonly entryId: string;
  readonly amount: string;
  /** Empty for a generated reference. */
  readonly reference: string;
  readonly mobile: string;
  /** Whether the customer gets a payment request. Otherwise the customer scans the QR code. */
  readonly prompt: boolean;
  /**
   * When the cashier entered the bill or confirmed that the customer is still there, by the server's clock, in milliseconds since 1970.
   * Null if the device does not know the server's clock yet. The device does not send the age of the bill instead, because the request can
   * be delayed on its way, and the age would then be too small.
   */
  readonly confirmedAt: number | null;
}

export type EnterRefusal =
  | { readonly kind: AccessRefusal | 'inactive' | 'entry_invalid' }
  /**
   * The bill was entered too long ago: the customer may have left, so the cashier must confirm the payment request. The server also
   * refuses a request that the device sent earlier for this bill and that arrives later. So if the cashier deletes the bill on the device
   * instead of confirming, no delayed request can create it.
   */
  | { readonly kind: 'stale' }
  | { readonly kind: 'wrong'; readonly problems: readonly TypedProblem[] };

type Needs = Pick<Runtime, 'db' | 'clock' | 'random' | 'settings'>;

/**
 * Creates the bill of an entry, and opens a shift if none is open. If the entry was already stored, creates nothing. Returns the bill in
 * its present state.
 */
export async function enterBill(runtime: Needs, access: MerchantAccess, entered: EnteredBill): Promise<Result<EntryRow, EnterRefusal>> {
  const refusal = authorize(access, 'counter.use');
  if (refusal) return fail({ kind: refusal });
  if (!isUuid(entered.entryId)) return fail({ kind: 'entry_invalid' });
  const { db, clock, settings } = runtime;
  const { scope, user, actor } = access;
  const of = { ...scope, userId: user.id };
  const known = await findEntry(db, of, entered.entryId);
  if (known) return ok(known);
  if (entered.prompt && !isFresh(entered.confirmedAt, clock())) return fail({ kind: 'stale' });
  const profile = await findProfile(db, scope);
  if (profile?.status !== 'active') return fail({ kind: 'inactive' });
  const problem = problemsOf(entered, settings.MAX_BILL_AMOUNT);
  if (problem) return fail({ kind: 'wrong', problems: problem });
  const { shiftId, number, reference: generated } = await numberBill(runtime, of);
  const reference = entered.reference.trim() || generated;
  const bill = readTypedBill({ ...entered, reference, mobile: entered.prompt ? entered.mobile : '' }, settings.MAX_BILL_AMOUNT);
  if (!bill.ok) return fail({ kind: 'wrong', problems: bill.error });
  const { amount, mobile } = bill.value;
  const { entryId } = entered;
  try {
    const created = await createBill(runtime, {
      scope,
      bill: bill.value,
      createdBy: actor.name,
      createdById: user.id,
      uniqueReferences: profile.uniqueReferences,
      // The unique id of the entry already prevents a second bill. Unlike an idempotency key, the id of an entry is never deleted.
      idempotencyKey: null,
      alongside: async (tx, billId) => {
        await insertEntry(tx, of, { entryId, shiftId, number, billId, createdAt: clock() });
        const data = { amount: amount.toString(), reference, mobile, shift: shiftId };
        await recordEntry(runtime, { ...scope, actor, action: 'bill.created', subject: billId, data }, tx);
      },
    });
    if (!created.ok) return fail({ kind: 'wrong', problems: [{ field: 'reference', code: created.error.code }] });
  } catch (error) {
    if (postgresError(error)?.constraint !== 'counter_entry_pkey') throw error;
    // The same bill was sent twice at the same time. The other request has created it.
  }
  const entry = await findEntry(db, of, entryId);
  if (!entry) throw new Error(`the entry ${entryId} was not stored`);
  return ok(entry);
}

/** Returns the problems of the entered values. Called before the bill gets a number, so that an invalid bill does not use up a number. */
function problemsOf(entered: EnteredBill, max: number): readonly TypedProblem[] | null {
  const typed = { ...entered, reference: entered.reference.trim() || 'generated', mobile: entered.prompt ? entered.mobile : '' };
  const read = readTypedBill(typed, max);
  const missing: TypedProblem[] = entered.prompt && entered.mobile.trim() === '' ? [{ field: 'mobile', code: 'mobile_invalid' }] : [];
  const problems = read.ok ? missing : [...read.error, ...missing];
  return problems.length > 0 ? problems : null;
}
