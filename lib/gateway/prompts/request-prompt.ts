import { changeBill, type LockedBill, lockBills } from '@/lib/gateway/bills/change-bill';
import { reach } from '@/lib/platform/config/fail-point';
import { addMs, type Random } from '@/lib/platform/core/clock';
import { isUuid, newId, newPaymentReference } from '@/lib/platform/core/ids';
import type { Mobile } from '@/lib/platform/core/mobile';
import type { Senti } from '@/lib/platform/core/money';
import { isNetwork, type Network, type OperatedNetwork } from '@/lib/platform/core/network';
import { ok, type Result } from '@/lib/platform/core/result';
import type { Environment } from '@/lib/platform/core/scope';
import type { Connection } from '@/lib/platform/db/database';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { findProviderAccount } from '@/lib/providers/accounts/route-store';
import {
  countsOverBills,
  decidePrompt,
  LONGEST_WINDOW_MS,
  type PromptFacts,
  type PromptProblem,
  type RequestedAmount,
} from './decide-prompt';
import { type BillAttempt, insertAttempt, listBillAttempts, lockPromptsTo, readNumberAndMerchant } from './prompt-store';

export interface RequestPromptOptions {
  readonly environment: Environment;
  readonly billId: string;
  readonly mobile: Mobile;
  /** Null or absent to use the network of the number's prefix. A chosen network is used instead, because a number can move to another. */
  readonly chosenNetwork?: OperatedNetwork | null;
  /** Null or absent means the whole remaining amount. */
  readonly amount?: RequestedAmount;
  /** Identifies the form, so that a repetition is recognised; null or absent if it is unknown. */
  readonly formId?: string | null;
}

/**
 * The result of a request on the payment page. Only `requested` sends a prompt. `repeated` and `already_open` contain the existing
 * attempt of the number. `not_found`: the environment has no such bill.
 */
export type RequestPromptResult =
  | { readonly kind: 'requested' | 'repeated'; readonly attemptId: string }
  | { readonly kind: 'not_found' }
  | PromptProblem;

/** Queues a prompt. Decides under the bill's lock, so that two customers at the same time cannot reserve more than is left. */
export async function requestPrompt(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { environment, billId, mobile, chosenNetwork = null, amount = null, formId = null }: RequestPromptOptions,
): Promise<RequestPromptResult> {
  if (!isUuid(billId)) return { kind: 'not_found' };
  return runtime.db.transaction(async (tx) => {
    const [bill] = await lockBills(tx, [billId]);
    if (bill?.environment !== environment) return { kind: 'not_found' };
    const attempts = await listBillAttempts(tx, billId);
    const now = runtime.clock();
    // The same form with another number is not a repetition: the customer went back and corrected the number.
    const repeated = formId !== null && attempts.findLast((attempt) => attempt.formId === formId && attempt.mobile === mobile);
    if (repeated) return { kind: 'repeated', attemptId: repeated.id };

    const queued = await queuePrompt(runtime, tx, { bill, attempts, mobile, chosenNetwork, amount, source: 'web', formId, now });
    return queued.ok ? { kind: 'requested', attemptId: queued.value.id } : queued.error;
  });
}

interface QueuePromptOptions {
  readonly bill: LockedBill;
  readonly attempts: readonly BillAttempt[];
  readonly mobile: Mobile;
  /** Null to use the network of the number's prefix. A chosen network is used instead, because a number can move to another network. */
  readonly chosenNetwork: OperatedNetwork | null;
  readonly amount: RequestedAmount;
  readonly source: 'web' | 'dashboard' | 'api';
  /** The member or API key that requests the prompt; absent on the payment page. */
  readonly by?: string;
  readonly formId: string | null;
  readonly now: Date;
}

/** Decides whether a prompt may be sent, and queues it. The caller has locked the bill. */
export async function queuePrompt(
  runtime: Pick<Runtime, 'clock' | 'random'>,
  tx: Connection,
  options: QueuePromptOptions,
): Promise<Result<{ readonly id: string; readonly network: Network; readonly amount: Senti }, PromptProblem>> {
  const { bill, mobile, chosenNetwork, source, by, formId, now } = options;
  const facts = await readPromptFacts(tx, options);
  const decided = decidePrompt(facts, source === 'web' ? 'page' : 'dashboard');
  if (!decided.ok) return decided;
  const id = newId(runtime);
  const ourReference = newPaymentReference(runtime.random);
  const { network } = facts;
  const amount = decided.value;
  await insertAttempt(tx, { id, bill, mobile, network, amount, source, formId, ourReference, now });
  reach('push.queued');
  const events = [{ type: 'attempt.queued', data: { attempt: id, source, ...(by !== undefined && { by }), chosenNetwork } }];
  await changeBill(tx, bill, { paid: 0n, released: -amount, payer: null, events, now });
  return ok({ id, network, amount });
}

/** Reads the facts for `decidePrompt` and locks the number until the transaction ends. */
async function readPromptFacts(
  tx: Connection,
  { bill, attempts, mobile, chosenNetwork, amount, now }: QueuePromptOptions,
): Promise<PromptFacts> {
  const { environment, merchantId } = bill;
  const { merchantActive, partialPayments, refused, prefixNetwork } = await readNumberAndMerchant(tx, { environment, merchantId, mobile });
  const network = chosenNetwork ?? (isNetwork(prefixNetwork) ? prefixNetwork : 'other');
  return {
    bill,
    attempts,
    merchant: { active: merchantActive, partialPayments },
    mobile,
    network,
    served: (await findProviderAccount(tx, { environment, merchantId, network })) !== undefined,
    requested: amount,
    refused,
    prompts: countsOverBills(environment)
      ? await lockPromptsTo(tx, { environment, mobile, since: addMs(now, -LONGEST_WINDOW_MS) })
      : attempts.filter((attempt) => attempt.mobile === mobile),
    now,
  };
}

const FORM_ID = /^[\w-]{22}$/;

/** Returns a new id for a payment form: 128 random bits, so that nobody can guess the id of another person's form. */
export function newFormId(random: Random): string {
  return Buffer.from(random(16)).toString('base64url');
}

/** Returns the id of a submitted form; null if the id is missing or malformed. Bili cannot recognise a repeated form without an id. */
export function readFormId(sent: string | null): string | null {
  return sent !== null && FORM_ID.test(sent) ? sent : null;
}
