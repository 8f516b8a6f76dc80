import { type MerchantAccess, may } from '@/lib/identity/accounts/access/grant-access';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { findProfile } from '@/lib/identity/merchants/profile-store';
import { eastAfricanDay } from '@/lib/platform/core/east-african-day';
import type { FailureCode } from '@/lib/platform/core/failure';
import { isUuid } from '@/lib/platform/core/ids';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { createBill } from './create-bill';
import { readTypedBill, type TypedBill, type TypedProblem } from './typed-bill';

interface BillForm {
  readonly typed: TypedBill;
  /** The id of the form. Sending one form twice creates one bill. */
  readonly formId: string;
}

type CreateRefusal =
  | { readonly kind: 'not_allowed' | 'form_invalid' | 'form_reused' | 'busy' }
  /** The merchant's profile is not active. */
  | { readonly kind: 'inactive' }
  | { readonly kind: 'wrong'; readonly problems: readonly TypedProblem[] };

/** Creates a bill from the values of a form. With a mobile number it also sends a prompt, as the API does. Returns the bill's id. */
export async function createBillFromForm(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'settings'>,
  access: MerchantAccess,
  { typed, formId }: BillForm,
): Promise<Result<string, CreateRefusal>> {
  if (!may(access, 'bills.create')) return fail({ kind: 'not_allowed' });
  if (!isUuid(formId)) return fail({ kind: 'form_invalid' });
  const { scope, user, actor } = access;
  const profile = await findProfile(runtime.db, scope);
  if (profile?.status !== 'active') return fail({ kind: 'inactive' });
  const bill = readTypedBill(typed, runtime.settings.MAX_BILL_AMOUNT, eastAfricanDay(runtime.clock()));
  if (!bill.ok) return fail({ kind: 'wrong', problems: bill.error });
  const { amount, reference } = bill.value;
  const created = await createBill(runtime, {
    scope,
    bill: bill.value,
    createdBy: actor.name,
    createdById: user.id,
    uniqueReferences: profile.uniqueReferences,
    // Idempotency keys of the API are in the same table. The prefix distinguishes the keys of the dashboard from them.
    idempotencyKey: `dashboard:${user.id}:${formId}`,
    alongside: async (tx, billId) => {
      const data = { amount: amount.toString(), reference };
      await recordEntry(runtime, { ...scope, actor, action: 'bill.created', subject: billId, data }, tx);
    },
  });
  if (created.ok) return ok(created.value.bill.id);
  return fail(refusalOf(created.error.code));
}

function refusalOf(code: FailureCode): CreateRefusal {
  switch (code) {
    case 'reference_used':
      return { kind: 'wrong', problems: [{ field: 'reference', code }] };
    case 'idempotency_key_reused':
      return { kind: 'form_reused' };
    case 'idempotency_key_running':
      return { kind: 'busy' };
    default:
      throw new Error(`a bill was refused as ${code}`);
  }
}
