import { type Access, type AccessRefusal, authorize, requestPermission } from '@/lib/accounts/access/grant-access';
import { formatShillings } from '@/lib/bills/list/filter';
import { payableAmount } from '@/lib/bills/rules';
import { findBillOf } from '@/lib/bills/store';
import { isUuid } from '@/lib/core/ids';
import { isOperatedNetwork } from '@/lib/core/network';
import { fail, ok, type Result } from '@/lib/core/result';
import { type PromptAgainProblem, promptAgain } from '@/lib/payments/prompts/prompt-again';
import { listAttempts } from '@/lib/payments/store';
import type { Runtime } from '@/lib/runtime/runtime';
import { type BillResult, readSelection, type SelectionProblem } from './selected-bills';

export type RequestOutcome = 'done' | 'no_number' | PromptAgainProblem['kind'];
export type RequestPaymentsProblem = AccessRefusal | SelectionProblem | 'form_invalid';

interface RequestPaymentsOptions {
  readonly billIds: readonly string[];
  /** Identifies the form. A form that is submitted twice sends one prompt for each bill. */
  readonly formId: string;
}

type Needs = Pick<Runtime, 'db' | 'clock' | 'random'>;

/**
 * Sends a prompt for the remaining amount of each bill and returns the result of each. The limits are the same as for single prompts. The
 * prompt goes to the bill's number, or to the number of its last attempt if the bill has none.
 */
export async function requestPayments(
  runtime: Needs,
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

async function requestPayment(runtime: Needs, access: Access, billId: string, formId: string): Promise<RequestOutcome> {
  const bill = await findBillOf(runtime.db, access, billId);
  if (!bill) return 'not_found';
  const attempts = await listAttempts(runtime.db, billId);
  const mobile = bill.mobile ?? attempts.at(-1)?.mobile;
  if (mobile === undefined) return 'no_number';
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
