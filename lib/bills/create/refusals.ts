import { findBillByReference } from '@/lib/bills/store';
import { baseUrl } from '@/lib/config/settings';
import type { Failure } from '@/lib/core/failure';
import { formatApiAmount, type Senti } from '@/lib/core/money';
import type { Scope } from '@/lib/core/scope';
import type { Runtime } from '@/lib/runtime/runtime';

/** Returns the failure for a bill that exceeds a limit of its API key: the limit for one bill, or the daily limit. */
export function limitFailure<Code extends 'key_bill_limit' | 'key_day_limit'>(code: Code, limit: Senti | null | undefined): Failure<Code> {
  // The detail looks like `50000` or `50000.5`.
  return { code, detail: formatApiAmount(limit ?? 0n).replace(/\.0$/, '') };
}

/**
 * Returns the failure for a new bill whose reference is used by an earlier bill. Its `location` header is the address of the earlier bill.
 * Returns undefined if no bill has the reference.
 */
export async function referenceFailure(
  { db, settings }: Pick<Runtime, 'db' | 'settings'>,
  scope: Scope,
  reference: string,
): Promise<Failure<'reference_used'> | undefined> {
  const earlier = await findBillByReference(db, scope, reference);
  if (!earlier) return undefined;
  const base = baseUrl(settings, scope.environment);
  return { code: 'reference_used', headers: { location: `${base.origin}/api/v3/bills/${earlier.id}` } };
}
