import { lockBill } from '@/lib/gateway/bills/change-bill';
import { payableAmount } from '@/lib/gateway/bills/rules';
import { findBillOf } from '@/lib/gateway/bills/store';
import { type Access, type AccessRefusal, authorize, type KeyAccess, requestPermission } from '@/lib/identity/accounts/access/grant-access';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { isUuid } from '@/lib/platform/core/ids';
import { readMobile } from '@/lib/platform/core/mobile';
import { readShillings } from '@/lib/platform/core/money';
import { isOperatedNetwork } from '@/lib/platform/core/network';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import type { PromptProblem, RequestedAmount } from './decide-prompt';
import { listBillAttempts } from './prompt-store';
import { queuePrompt } from './request-prompt';

interface PromptAgainOptions {
  readonly billId: string;
  /** The values as typed. The network is empty if the number's prefix decides. The amount is null if the form has no field for it. */
  readonly mobile: string;
  readonly network: string;
  readonly amount: string | null;
  /** Set if a member requests the prompt at the counter. Members may do so there only for bills that they created themselves. */
  readonly from?: 'counter';
  /** Identifies the form. A form that is submitted twice sends one prompt. */
  readonly formId: string;
}

export type PromptAgainProblem =
  | { readonly kind: AccessRefusal | 'not_found' | 'form_invalid' | 'mobile_invalid' | 'network_invalid' }
  | PromptProblem;

type Needs = Pick<Runtime, 'db' | 'clock' | 'random'>;

/**
 * Queues a prompt that a member or the merchant's server requests. The limits are those of the API, because the merchant knows the
 * customer. Decides under the bill's lock. Returns the id of the new attempt. For a form that was submitted before, returns the id of the
 * attempt that this form created.
 */
export async function promptAgain(
  runtime: Needs,
  access: Access | KeyAccess,
  options: PromptAgainOptions,
): Promise<Result<string, PromptAgainProblem>> {
  const atCounter = options.from === 'counter';
  const refusal = authorize(access, atCounter ? 'counter.use' : requestPermission(access));
  if (refusal) return fail({ kind: refusal });
  const { billId, network, amount, formId } = options;
  const { scope, actor } = access;
  const billsOf = atCounter && access.role !== null && access.role !== 'key' ? access.user.id : access.billsOf;
  const found = isUuid(billId) ? await findBillOf(runtime.db, { scope, billsOf }, billId) : undefined;
  if (!found) return fail({ kind: 'not_found' });
  if (!isUuid(formId)) return fail({ kind: 'form_invalid' });
  const mobile = readMobile(options.mobile);
  if (mobile === null) return fail({ kind: 'mobile_invalid' });
  if (network !== '' && !isOperatedNetwork(network)) return fail({ kind: 'network_invalid' });
  const chosenNetwork = network === '' ? null : network;

  return runtime.db.transaction(async (tx): Promise<Result<string, PromptAgainProblem>> => {
    const bill = await lockBill(tx, billId);
    const attempts = await listBillAttempts(tx, billId);
    const repeated = attempts.find((attempt) => attempt.formId === formId);
    if (repeated) return ok(repeated.id);
    const now = runtime.clock();
    // The merchant's server always requests the whole remaining amount, even if a person could choose a part.
    const whole = access.role === 'key' ? payableAmount(bill) : null;
    const requested: RequestedAmount = amount === null ? whole : (readShillings(amount) ?? 'unreadable');
    const input = { bill, attempts, mobile, chosenNetwork, amount: requested, formId, now };
    const queued = await queuePrompt(runtime, tx, { ...input, source: access.role === 'key' ? 'api' : 'dashboard', by: actor.name });
    if (!queued.ok) return queued;
    const { id, ...sent } = queued.value;
    const data = { bill: billId, network: sent.network, amount: sent.amount.toString() };
    await recordEntry(runtime, { ...scope, actor, action: 'attempt.requested', subject: id, data }, tx);
    return ok(id);
  });
}
