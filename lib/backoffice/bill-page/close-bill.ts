import { changeBill, type LockedBill, lockBill } from '@/lib/gateway/bills/change-bill';
import { findBillOf, setClosed } from '@/lib/gateway/bills/store';
import { reserves } from '@/lib/gateway/payments/rules';
import { listAttempts } from '@/lib/gateway/payments/store';
import { type Access, type AccessRefusal, authorize, type KeyAccess, operatorAccess } from '@/lib/identity/accounts/access/grant-access';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { systemActor } from '@/lib/platform/core/actor';
import { isUuid } from '@/lib/platform/core/ids';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import { oneLine, REASON_MAX } from '@/lib/platform/core/text';
import type { Queryable } from '@/lib/platform/db/database';
import { bill } from '@/lib/platform/db/generated/tables';
import { int4, pick, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import type { Runtime } from '@/lib/platform/runtime/runtime';

interface ChangeClosedOptions {
  readonly billId: string;
  /** The reason, as it was entered. It is stored in the bill's history. */
  readonly reason: string;
}

type Refusal = AccessRefusal | 'not_found' | 'reason_required' | 'reason_too_long';
export type CloseRefusal = Refusal | 'already_closed' | 'paid' | 'prompt_open';
export type ReopenRefusal = Refusal | 'not_closed';

type ClosingDecision<Problem> = Result<'bill.closed', CloseRefusal | Problem>;

type Needs = Pick<Runtime, 'db' | 'clock' | 'random'>;

/**
 * Closes a bill that must not be paid any more: its payment page says that it is closed, and no more prompts are sent for it. Fails while
 * an attempt is open, because the customer may still approve it. Money that arrives anyway is booked: a closed bill never keeps a payment
 * out of the ledger.
 */
export function closeBill(runtime: Needs, access: Access | KeyAccess, options: ChangeClosedOptions): Promise<Result<null, CloseRefusal>> {
  return changeClosed(runtime, access, options, decideClosing);
}

/** Closes a bill that has expired, under the rules of `closeBill`. */
function closeExpiredBill(runtime: Needs, access: Access, billId: string): Promise<Result<null, CloseRefusal | 'not_expired'>> {
  return changeClosed(
    runtime,
    access,
    { billId, reason: 'expired' },
    async (tx, bill): Promise<ClosingDecision<'not_expired'>> =>
      bill.expiresAt !== null && bill.expiresAt <= runtime.clock() ? decideClosing(tx, bill) : fail('not_expired'),
  );
}

async function decideClosing(tx: Queryable, bill: LockedBill): Promise<Result<'bill.closed', CloseRefusal>> {
  if (bill.closedAt !== null) return fail('already_closed');
  if (bill.status === 'FULLY_PAID') return fail('paid');
  if ((await listAttempts(tx, bill.id)).some(reserves)) return fail('prompt_open');
  return ok('bill.closed');
}

/** Reopens a closed bill so that it can be paid again. */
export function reopenBill(runtime: Needs, access: Access | KeyAccess, options: ChangeClosedOptions): Promise<Result<null, ReopenRefusal>> {
  return changeClosed(runtime, access, options, async (_tx, bill): Promise<Result<'bill.reopened', ReopenRefusal>> => {
    return bill.closedAt === null ? fail('not_closed') : ok('bill.reopened');
  });
}

/**
 * Closes or reopens a bill while it holds the lock of the bill. A person who requests a prompt at the same time needs this lock too: an
 * earlier attempt is seen by `decide`, and a later one is refused because the bill is closed.
 */
async function changeClosed<Problem>(
  runtime: Needs,
  access: Access | KeyAccess,
  { billId, reason: typed }: ChangeClosedOptions,
  decide: (tx: Queryable, bill: LockedBill) => Promise<Result<'bill.closed' | 'bill.reopened', Problem>>,
): Promise<Result<null, Problem | Refusal>> {
  const refusal = authorize(access, 'bills.change');
  if (refusal) return fail(refusal);
  const { scope, actor } = access;
  const reason = oneLine(typed);
  if (reason.length > REASON_MAX) return fail('reason_too_long');
  const found = isUuid(billId) ? await findBillOf(runtime.db, access, billId) : undefined;
  if (!found) return fail('not_found');
  if (reason === '') return fail('reason_required');
  return runtime.db.transaction(async (tx) => {
    const bill = await lockBill(tx, billId);
    const decided = await decide(tx, bill);
    if (!decided.ok) return decided;
    const now = runtime.clock();
    const type = decided.value;
    const closedAt = type === 'bill.closed' ? now : null;
    await setClosed(tx, billId, { at: closedAt, now });
    await changeBill(tx, bill, { paid: 0n, released: 0n, payer: null, events: [{ type, data: { by: actor.name, reason } }], now });
    const data = { reason, before: bill.closedAt?.toISOString() ?? null, after: closedAt?.toISOString() ?? null };
    await recordEntry(runtime, { ...scope, actor, action: type, subject: billId, data }, tx);
    return ok(null);
  });
}

/** Lists bills of all merchants that have expired and are still open, oldest first. Bills with an open attempt are left out. */
const LIST_EXPIRED = statement({
  name: 'list expired bills',
  text: `SELECT id, merchant_id AS "merchantId", environment FROM bill
         WHERE expires_at IS NOT NULL AND status <> 'FULLY_PAID' AND closed_at IS NULL AND expires_at <= $now AND reserved_amount = 0
         ORDER BY expires_at LIMIT $limit::int`,
  parameters: { now: timestamptz, limit: int4 },
  columns: pick(bill, 'id merchantId environment'),
});

/** The maximum number of bills that a worker closes before it looks for other work. */
const BATCH = 100;

/**
 * Closes bills that have expired. A bill with an open attempt is not closed until the attempt has ended, because the customer may still
 * approve it. Returns true if it closed a full batch: then call it again, because more bills may have expired.
 */
export async function closeExpired(runtime: Pick<Runtime, 'db' | 'clock' | 'random'>): Promise<boolean> {
  const expired = await LIST_EXPIRED.rows(runtime.db, { now: runtime.clock(), limit: BATCH });
  let closed = 0;
  for (const { id, ...scope } of expired) {
    const result = await closeExpiredBill(runtime, operatorAccess(systemActor('worker'), scope), id);
    if (result.ok) closed += 1;
  }
  return closed === BATCH;
}
