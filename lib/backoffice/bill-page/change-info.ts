import { reindexBill } from '@/lib/backoffice/search/index-search';
import { type BillInfo, INFO_FIELDS, type InfoField, infoFacts, NO_INFO, type TypedInfo } from '@/lib/gateway/bills/bill-info';
import { changeBill, lockBill } from '@/lib/gateway/bills/change-bill';
import { type InfoProblem, infoOf, readTypedInfo } from '@/lib/gateway/bills/create/typed-bill';
import { findBillOf, setInfo } from '@/lib/gateway/bills/store';
import { type Access, type AccessRefusal, authorize } from '@/lib/identity/accounts/access/grant-access';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { eastAfricanDay } from '@/lib/platform/core/east-african-day';
import { isUuid } from '@/lib/platform/core/ids';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Runtime } from '@/lib/platform/runtime/runtime';

type InfoProblems = Readonly<Partial<Record<InfoField, InfoProblem>>>;
type ChangeInfoRefusal =
  | { readonly kind: AccessRefusal | 'not_found' }
  /** Nothing was changed, because some of the values are invalid. */
  | { readonly kind: 'wrong'; readonly problems: InfoProblems };

interface ChangeInfoOptions {
  readonly billId: string;
  /** The new texts of all these fields. An empty text removes the field's value from the bill. */
  readonly typed: TypedInfo;
}

/** Changes the customer's name, the description and the due date of a bill. Neither its money nor its webhooks are affected. */
export async function changeInfo(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  access: Access,
  { billId, typed }: ChangeInfoOptions,
): Promise<Result<null, ChangeInfoRefusal>> {
  const refusal = authorize(access, 'bills.change');
  if (refusal) return fail({ kind: refusal });
  if (!isUuid(billId) || !(await findBillOf(runtime.db, access, billId))) return fail({ kind: 'not_found' });
  const read = readTypedInfo(typed, eastAfricanDay(runtime.clock()));
  const problems = problemsOf(read);
  if (Object.keys(problems).length > 0) return fail({ kind: 'wrong', problems });
  const info = infoOf(read) ?? NO_INFO;
  return runtime.db.transaction(async (tx) => {
    const locked = await lockBill(tx, billId);
    const before = await findBillOf(tx, access, billId);
    if (!before) return fail({ kind: 'not_found' });
    const data = differences(before, info);
    if (data === null) return ok(null);
    await setInfo(tx, billId, info);
    await reindexBill(tx, billId);
    const { scope, actor } = access;
    const events = [{ type: 'bill.info_changed', data: { by: actor.name } }];
    await changeBill(tx, locked, { paid: 0n, released: 0n, payer: null, events, now: runtime.clock() });
    await recordEntry(runtime, { ...scope, actor, action: 'bill.info_changed', subject: billId, data }, tx);
    return ok(null);
  });
}

function problemsOf(read: ReturnType<typeof readTypedInfo>): InfoProblems {
  return Object.fromEntries(
    INFO_FIELDS.flatMap((field) => {
      const result = read[field];
      return result.ok ? [] : [[field, result.error.code]];
    }),
  );
}

/** Stands for a text about the customer: audit entries are kept for ever, so they contain no customer's data. */
const HIDDEN = '•••';

/** Returns the old and the new values of the changed fields, or null if no field has changed. */
function differences(before: BillInfo, after: BillInfo) {
  const [old, now] = [infoFacts(before), infoFacts(after)];
  const changed = INFO_FIELDS.filter((field) => old[field] !== now[field]);
  const pick = (facts: typeof old) =>
    Object.fromEntries(changed.map((field) => [field, field === 'dueDate' ? facts[field] : facts[field] && HIDDEN]));
  return changed.length === 0 ? null : { before: pick(old), after: pick(now) };
}
