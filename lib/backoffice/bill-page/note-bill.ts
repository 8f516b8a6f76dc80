import { findBillOf } from '@/lib/gateway/bills/store';
import { type MerchantAccess, may } from '@/lib/identity/accounts/access/grant-access';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { isUuid } from '@/lib/platform/core/ids';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import { manyLines } from '@/lib/platform/core/text';
import type { Runtime } from '@/lib/platform/runtime/runtime';

/** Maximum length of a note in characters. */
export const NOTE_MAX = 1000;

type NoteRefusal = 'not_allowed' | 'not_found' | 'note_required' | 'note_too_long' | 'form_invalid';

interface NoteBillOptions {
  readonly billId: string;
  readonly text: string;
  /** The id of the form. It becomes the note's id, so that a form that is sent twice creates one note. */
  readonly formId: string;
}

/** Adds a note for the team to a bill. Customers never see it. */
export async function noteBill(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  access: MerchantAccess,
  { billId, text, formId }: NoteBillOptions,
): Promise<Result<null, NoteRefusal>> {
  if (!may(access, 'bills.note')) return fail('not_allowed');
  const { db, clock } = runtime;
  const bill = isUuid(billId) ? await findBillOf(db, access, billId) : undefined;
  if (!bill) return fail('not_found');
  if (!isUuid(formId)) return fail('form_invalid');
  const clean = manyLines(text);
  if (clean === '') return fail('note_required');
  if ([...clean].length > NOTE_MAX) return fail('note_too_long');
  const { scope, actor } = access;
  await db.transaction(async (tx) => {
    const data = { id: formId, ...scope, billId: bill.id, createdBy: actor.name, text: clean, createdAt: clock() };
    if ((await tx.prisma.billNote.createMany({ data, skipDuplicates: true })).count === 0) return;
    await recordEntry(runtime, { ...scope, actor, action: 'bill.noted', subject: bill.id, data: { note: formId } }, tx);
  });
  return ok(null);
}
