import { z } from 'zod';
import { type CloseRefusal, closeBill, type ReopenRefusal, reopenBill } from '@/lib/backoffice/bill-page/close-bill';
import type { KeyAccess } from '@/lib/identity/accounts/access/grant-access';
import type { Failure, FailureCode } from '@/lib/platform/core/failure';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import { oneLine, REASON_MAX } from '@/lib/platform/core/text';
import type { Runtime } from '@/lib/platform/runtime/runtime';

const reasonInvalid = { error: 'reason_invalid' satisfies FailureCode };

/** The body of a request that closes or reopens a bill. */
export const reasonBody = z.object({
  reason: z
    .string(reasonInvalid)
    .max(REASON_MAX, reasonInvalid)
    .nullish()
    .meta({ description: 'Why, for the history of the bill in the dashboard.' }),
});

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
export function closeMerchantBill(runtime: CloseRuntime, access: KeyAccess, options: ChangeOptions): Promise<Result<null, CloseFailure>> {
  return change(options, 'already_closed', (change) => closeBill(runtime, access, change));
}

/** Reopens a bill for the merchant's server. A bill that is open stays as it is. */
export function reopenMerchantBill(runtime: CloseRuntime, access: KeyAccess, options: ChangeOptions): Promise<Result<null, CloseFailure>> {
  return change(options, 'not_closed', (change) => reopenBill(runtime, access, change));
}

type CloseRuntime = Pick<Runtime, 'db' | 'clock' | 'random'>;

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
