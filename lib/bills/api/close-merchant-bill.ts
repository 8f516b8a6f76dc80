import type { KeyAccess } from '@/lib/accounts/access/grant-access';
import { type CloseRefusal, closeBill, type ReopenRefusal, reopenBill } from '@/lib/bills/page/close-bill';
import type { Failure } from '@/lib/core/failure';
import { fail, ok, type Result } from '@/lib/core/result';
import { oneLine } from '@/lib/core/text';
import type { Runtime } from '@/lib/runtime/runtime';

export interface ChangeOptions {
  readonly billId: string;
  readonly reason: string | null | undefined;
}

/** The failure codes of closing or reopening a bill. */
export const CLOSE_FAILURES = ['bill_not_found', 'bill_paid', 'payment_request_open', 'reason_invalid'] as const;
export type CloseFailure = Failure<(typeof CLOSE_FAILURES)[number]>;

/** The reason in the history of a bill if the request gives none. */
const NO_REASON = 'API';

/** Closes a bill for the merchant's server. A bill that is already closed stays as it is, so that a request can be repeated. */
export function closeMerchantBill(runtime: Needs, access: KeyAccess, options: ChangeOptions): Promise<Result<null, CloseFailure>> {
  return change(options, 'already_closed', (typed) => closeBill(runtime, access, typed));
}

/** Reopens a bill for the merchant's server. A bill that is open stays as it is. */
export function reopenMerchantBill(runtime: Needs, access: KeyAccess, options: ChangeOptions): Promise<Result<null, CloseFailure>> {
  return change(options, 'not_closed', (typed) => reopenBill(runtime, access, typed));
}

type Needs = Pick<Runtime, 'db' | 'clock' | 'random'>;

async function change(
  { billId, reason }: ChangeOptions,
  done: CloseRefusal | ReopenRefusal,
  work: (options: { readonly billId: string; readonly reason: string }) => Promise<Result<null, CloseRefusal | ReopenRefusal>>,
): Promise<Result<null, CloseFailure>> {
  const changed = await work({ billId, reason: oneLine(reason ?? '') || NO_REASON });
  if (changed.ok || changed.error === done) return ok(null);
  switch (changed.error) {
    case 'not_found':
      return fail({ code: 'bill_not_found', detail: billId });
    case 'paid':
      return fail({ code: 'bill_paid' });
    case 'prompt_open':
      return fail({ code: 'payment_request_open' });
    case 'reason_too_long':
      return fail({ code: 'reason_invalid' });
    default:
      throw new Error(`a bill could not be changed by the API: ${changed.error}`);
  }
}
