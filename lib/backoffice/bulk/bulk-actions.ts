import { formatShillings } from '@/lib/backoffice/bill-list/bill-query';
import { findListed } from '@/lib/backoffice/bill-list/list-store';
import { type CloseRefusal, closeBill } from '@/lib/backoffice/bill-page/close-bill';
import { webPayUrl } from '@/lib/gateway/bills/bill-json';
import { type Bill, payableAmount, remainingAmount } from '@/lib/gateway/bills/rules';
import { findBillOf } from '@/lib/gateway/bills/store';
import { listActiveInstruments } from '@/lib/gateway/instruments/store';
import { type ShownWays, usableWays } from '@/lib/gateway/payment-page/pay-ways';
import { listAttempts } from '@/lib/gateway/payments/store';
import { type PromptAgainProblem, promptAgain } from '@/lib/gateway/prompts/prompt-again';
import {
  type Access,
  type AccessRefusal,
  authorize,
  type MerchantAccess,
  may,
  requestPermission,
} from '@/lib/identity/accounts/access/grant-access';
import { baseUrl } from '@/lib/platform/config/settings';
import { isUuid } from '@/lib/platform/core/ids';
import { knownMobile } from '@/lib/platform/core/mobile';
import type { Senti } from '@/lib/platform/core/money';
import { isOperatedNetwork } from '@/lib/platform/core/network';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import { oneLine, REASON_MAX } from '@/lib/platform/core/text';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import type { ProviderRegistry } from '@/lib/providers/registry';

/** The most bills of one action: the largest page of the list. */
export const BULK_MAX = 100;

type SelectionProblem = 'nothing_selected' | 'too_many_selected';

/** The result of an action for one bill. */
export interface BillResult<Outcome> {
  readonly id: string;
  readonly outcome: Outcome;
}

/** Returns the valid ids without duplicates, in their order. Invalid ids are ignored. Fails if none or too many are left. */
function readSelection(ids: readonly string[]): Result<readonly string[], SelectionProblem> {
  const known = [...new Set(ids.filter(isUuid).map((id) => id.toLowerCase()))];
  if (known.length === 0) return fail('nothing_selected');
  return known.length > BULK_MAX ? fail('too_many_selected') : ok(known);
}

export type RequestOutcome = 'done' | 'no_number' | PromptAgainProblem['kind'];
export type RequestPaymentsProblem = AccessRefusal | SelectionProblem | 'form_invalid';

interface RequestPaymentsOptions {
  readonly billIds: readonly string[];
  /** Identifies the form. A form that is submitted twice sends one prompt for each bill. */
  readonly formId: string;
}

type BulkRuntime = Pick<Runtime, 'db' | 'clock' | 'random'>;

/**
 * Sends a prompt for the remaining amount of each bill and returns the result of each. The limits are the same as for single prompts. The
 * prompt goes to the bill's number, or to the number of its last attempt if the bill has none.
 */
export async function requestPayments(
  runtime: BulkRuntime,
  access: Access,
  { billIds, formId }: RequestPaymentsOptions,
): Promise<Result<readonly BillResult<RequestOutcome>[], RequestPaymentsProblem>> {
  const refusal = authorize(access, requestPermission(access));
  if (refusal) return fail(refusal);
  const selection = readSelection(billIds);
  if (!selection.ok) return selection;
  if (!isUuid(formId)) return fail('form_invalid');
  const results: BillResult<RequestOutcome>[] = [];
  for (const id of selection.value) results.push({ id, outcome: await requestPayment(runtime, access, id, formId) });
  return ok(results);
}

async function requestPayment(runtime: BulkRuntime, access: Access, billId: string, formId: string): Promise<RequestOutcome> {
  const bill = await findBillOf(runtime.db, access, billId);
  if (!bill) return 'not_found';
  const attempts = await listAttempts(runtime.db, billId);
  const mobile = knownMobile(bill.mobile ?? attempts.at(-1)?.mobile ?? null);
  if (mobile === null) return 'no_number';
  const network = attempts.findLast((attempt) => attempt.mobile === mobile)?.network ?? '';
  const asked = await promptAgain(runtime, access, {
    billId,
    mobile,
    // A customer may move a number to another network, so the network of the last prompt is more reliable than the prefix of the number.
    network: isOperatedNetwork(network) ? network : '',
    amount: formatShillings(payableAmount(bill)),
    formId,
  });
  return asked.ok ? 'done' : asked.error.kind;
}

export type CloseOutcome = 'done' | CloseRefusal;
export type CloseBillsProblem = AccessRefusal | SelectionProblem | 'reason_required' | 'reason_too_long';

/**
 * Closes bills, each in a transaction of its own with its own audit entry, and returns the result of each. A bill that cannot be closed
 * does not keep the others from being closed. Repeating the action after an interruption closes the remaining bills.
 */
export async function closeBills(
  runtime: BulkRuntime,
  access: Access,
  { billIds, reason }: { readonly billIds: readonly string[]; readonly reason: string },
): Promise<Result<readonly BillResult<CloseOutcome>[], CloseBillsProblem>> {
  const refusal = authorize(access, 'bills.change');
  if (refusal) return fail(refusal);
  const selection = readSelection(billIds);
  if (!selection.ok) return selection;
  const text = oneLine(reason);
  if (text === '') return fail('reason_required');
  if (text.length > REASON_MAX) return fail('reason_too_long');
  const results: BillResult<CloseOutcome>[] = [];
  for (const id of selection.value) {
    const closed = await closeBill(runtime, access, { billId: id, reason });
    results.push({ id, outcome: closed.ok ? 'done' : closed.error });
  }
  return ok(results);
}

/** A bill with the link that its QR code contains. */
export interface BillCode {
  readonly bill: Bill;
  readonly remaining: Senti;
  readonly webPayUrl: string;
  /** What was issued to pay the bill without its link; null if nothing can be used now. */
  readonly ways: ShownWays | null;
}

interface BillCodes {
  readonly codes: readonly BillCode[];
  /** The number of selected bills that are left out, because they are paid or closed, or because the member may not see them. */
  readonly omitted: number;
}

/** Returns the payable bills of a selection, in the order of the selection, to print their QR codes. Issues no instruments. */
export async function listBillCodes(
  runtime: Pick<Runtime, 'db' | 'settings' | 'clock'> & { readonly providers: ProviderRegistry },
  access: MerchantAccess,
  billIds: readonly string[],
): Promise<Result<BillCodes, 'not_allowed' | SelectionProblem>> {
  if (!may(access, 'bills.view')) return fail('not_allowed');
  const selection = readSelection(billIds);
  if (!selection.ok) return selection;
  const ids = selection.value;
  const base = baseUrl(runtime.settings, access.scope.environment);
  const listed = await findListed(runtime.db, access, ids);
  const bills = listed.filter(({ closedAt, status }) => closedAt === null && status !== 'FULLY_PAID');
  const active = await listActiveInstruments(
    runtime.db,
    bills.map(({ id }) => id),
  );
  const issued = new Set(active.map(({ billId }) => billId));
  const codes: BillCode[] = [];
  for (const bill of bills) {
    const ways = issued.has(bill.id) ? await usableWays(runtime, bill.id) : null;
    codes.push({ bill, remaining: remainingAmount(bill), webPayUrl: webPayUrl(base, bill.id), ways });
  }
  return ok({ codes, omitted: ids.length - codes.length });
}
