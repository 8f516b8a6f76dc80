import { hash } from 'node:crypto';
import { z } from 'zod';
import { mobileSchema } from '@/lib/gateway/bills/schema';
import { findBillOf } from '@/lib/gateway/bills/store';
import { type PromptAgainProblem, promptAgain } from '@/lib/gateway/prompts/prompt-again';
import { type BillAttempt, listBillAttempts } from '@/lib/gateway/prompts/prompt-store';
import type { KeyAccess } from '@/lib/identity/accounts/access/grant-access';
import { SECOND_MS } from '@/lib/platform/core/clock';
import type { Failure } from '@/lib/platform/core/failure';
import { isUuid, newId } from '@/lib/platform/core/ids';
import type { Mobile } from '@/lib/platform/core/mobile';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import type { PaymentScenario } from '@/lib/providers/scenarios/scenarios';
import { chooseScenario } from './choose-scenario';

/** The body of a request that sends a payment request. */
export const pushBody = z.object({
  mobile: mobileSchema.meta({ description: 'The number to ask, as when a bill is created. Without it, the number of the bill.' }),
});

interface PushOptions {
  readonly billId: string;
  /** The number that gets the prompt. Null to use the bill's number. */
  readonly mobile: Mobile | null;
  /** What the simulated customer does with this payment request and all later ones of the bill; null to change nothing. */
  readonly scenario: PaymentScenario | null;
  readonly idempotencyKey: string | null;
}

/** The failure codes of a payment request. */
export const PUSH_FAILURES = [
  'bill_not_found',
  'mobile_required',
  'mobile_invalid',
  'idempotency_key_reused',
  'bill_closed',
  'bill_paid',
  'payment_request_open',
  'amount_above_wallet',
  'network_not_served',
  'mobile_refused',
  'too_many_prompts',
  'profile_not_found',
] as const;
type PushFailure = Failure<(typeof PUSH_FAILURES)[number]>;

interface Pushed {
  readonly attempt: BillAttempt;
  /** Whether an earlier request with the same Idempotency-Key created the attempt. */
  readonly replayed: boolean;
}

/**
 * Sends a payment request for the remaining amount of a bill, under the same rules as in the dashboard. If the request is repeated with its
 * Idempotency-Key, at any later time, sends nothing and returns the attempt of the first request.
 */
export async function pushBill(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  access: KeyAccess,
  { billId, mobile: sent, scenario, idempotencyKey }: PushOptions,
): Promise<Result<Pushed, PushFailure>> {
  const bill = isUuid(billId) ? await findBillOf(runtime.db, access, billId) : undefined;
  if (!bill) return fail({ code: 'bill_not_found', detail: billId });
  const formId = idempotencyKey === null ? newId(runtime) : idOfKey(bill.id, idempotencyKey);
  const earlier = (await listBillAttempts(runtime.db, bill.id)).find((attempt) => attempt.formId === formId);
  const mobile = sent ?? earlier?.mobile ?? bill.mobile;
  if (mobile === null) return fail({ code: 'mobile_required' });
  if (scenario !== null) await chooseScenario(runtime, access, { billId: bill.id, scenario });
  const prompted = await promptAgain(runtime, access, { billId: bill.id, mobile, network: '', amount: null, formId });
  if (!prompted.ok) return fail(promptFailure(prompted.error, billId, runtime.clock()));
  const attempt = (await listBillAttempts(runtime.db, bill.id)).find(({ id }) => id === prompted.value);
  if (!attempt) throw new Error(`attempt ${prompted.value} does not exist`);
  return attempt.mobile === mobile ? ok({ attempt, replayed: earlier !== undefined }) : fail({ code: 'idempotency_key_reused' });
}

/** Returns the same id for the same bill and Idempotency-Key, and another id for any other bill or key. */
function idOfKey(billId: string, key: string): string {
  const hex = hash('sha256', JSON.stringify([billId, key]), 'hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}

/** Returns the failure of a payment request that may not be sent. */
export function promptFailure(problem: PromptAgainProblem, billId: string, now: Date): PushFailure {
  switch (problem.kind) {
    case 'not_found':
      return { code: 'bill_not_found', detail: billId };
    case 'not_served':
      return { code: 'network_not_served', detail: problem.network };
    case 'too_many': {
      const seconds = Math.max(1, Math.ceil((problem.until.getTime() - now.getTime()) / SECOND_MS));
      return { code: 'too_many_prompts', headers: { 'retry-after': String(seconds) } };
    }
    case 'closed':
      return { code: 'bill_closed' };
    case 'inactive':
      return { code: 'profile_not_found' };
    case 'nothing_left':
      return { code: 'bill_paid' };
    case 'all_asked':
    case 'already_open':
      return { code: 'payment_request_open' };
    case 'refused':
      return { code: 'mobile_refused' };
    // Bili requests the whole remaining amount, so the amount can only be too large for the wallet.
    case 'amount_wrong':
    case 'above_wallet':
      return { code: 'amount_above_wallet' };
    case 'mobile_invalid':
      return { code: 'mobile_invalid' };
    default:
      throw new Error(`the API cannot request a payment: ${problem.kind}`);
  }
}
