import { createBill } from '@/lib/gateway/bills/create/create-bill';
import { readTypedBill, type TypedProblem } from '@/lib/gateway/bills/create/typed-bill';
import { type AccessRefusal, authorize, type MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { findProfile } from '@/lib/identity/merchants/profile-store';
import { isUuid, newId, newPaymentReference } from '@/lib/platform/core/ids';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import { postgresError } from '@/lib/platform/db/errors';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { isFresh } from './counter-rules';
import { type CounterOf, type EntryRow, findOpenShift, insertEntry, listEntries, SHIFT, type Shift } from './counter-store';

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

type EnterRuntime = Pick<Runtime, 'db' | 'clock' | 'random' | 'settings'>;

/**
 * Creates the bill of an entry, and opens a shift if none is open. If the entry was already stored, creates nothing. Returns the bill in
 * its present state.
 */
export async function enterBill(
  runtime: EnterRuntime,
  access: MerchantAccess,
  entered: EnteredBill,
): Promise<Result<EntryRow, EnterRefusal>> {
  const refusal = authorize(access, 'counter.use');
  if (refusal) return fail({ kind: refusal });
  if (!isUuid(entered.entryId)) return fail({ kind: 'entry_invalid' });
  const { db, clock, settings } = runtime;
  const { scope, user, actor } = access;
  const of = { ...scope, userId: user.id };
  const [known] = await listEntries(db, of, { entryId: entered.entryId });
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
  const { amount } = bill.value;
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
        const data = { amount: amount.toString(), reference, shift: shiftId };
        await recordEntry(runtime, { ...scope, actor, action: 'bill.created', subject: billId, data }, tx);
      },
    });
    if (!created.ok) return fail({ kind: 'wrong', problems: [{ field: 'reference', code: created.error.code }] });
  } catch (error) {
    if (postgresError(error)?.constraint !== 'counter_entry_pkey') throw error;
    // The same bill was sent twice at the same time. The other request has created it.
  }
  const [entry] = await listEntries(db, of, { entryId });
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

const CODE_LENGTH = 4;
/**
 * How often Bili tries to open a shift, and how often it tries to get a number in an open shift. The first can fail because an earlier
 * shift of the merchant has the generated code (for each earlier shift, the probability is one in a million). The second can fail
 * because another request has closed the shift meanwhile.
 */
const TRIES = 10;

/** Returns the member's open shift. Opens one if there is none: the first bill starts the shift. */
async function openShift(runtime: EnterRuntime, of: CounterOf): Promise<Shift> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const open = await findOpenShift(runtime.db, of);
    if (open) return open;
    const code = newPaymentReference(runtime.random).slice(0, CODE_LENGTH);
    const data = { ...of, id: newId(runtime), code, openedAt: runtime.clock() };
    const [opened] = await runtime.db.prisma.counterShift.createManyAndReturn({ data, select: SHIFT, skipDuplicates: true });
    if (opened) return opened;
  }
  throw new Error(`no shift could be opened for ${of.userId}`);
}

interface Numbered {
  readonly shiftId: string;
  readonly number: number;
  /** The generated reference: short, easy to read aloud, and unique for the merchant. */
  readonly reference: string;
}

/** Returns the next number of the member's open shift. If another request closes that shift meanwhile, opens a new shift. */
async function numberBill(runtime: EnterRuntime, of: CounterOf): Promise<Numbered> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const { id, code } = await openShift(runtime, of);
    const [numbered] = await runtime.db.prisma.counterShift.updateManyAndReturn({
      where: { id, closedAt: null },
      data: { lastNumber: { increment: 1 } },
      select: { lastNumber: true },
    });
    if (numbered) return { shiftId: id, number: numbered.lastNumber, reference: `${code}-${numbered.lastNumber}` };
  }
  throw new Error(`the shifts of ${of.userId} are closed as soon as they are opened`);
}
