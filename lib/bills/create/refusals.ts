import { findBillByReference } from '@/lib/bills/store';
import { baseUrl } from '@/lib/config/settings';
import type { Failure } from '@/lib/core/failure';
import { formatApiAmount, type Senti } from '@/lib/core/money';
import type { Scope } from '@/lib/core/scope';
import type { Runtime } from '@/lib/runtime/runtime';

/** Returns the failure of a bill above its API key's limit for one bill, or of a bill with which the key's daily limit is exceeded. */
export function limitFailure<Code extends 'key_bill_limit' | 'key_day_limit'>(code: Code, limit: Senti | null | undefined): Failure<Code> {
  // The detail looks like `50000` or `50000.5`.
  return { code, detail: formatApiAmount(limit ?? 0n).replace(/\.0$/, '') };
}

/** Returns the failure of a bill whose reference an earlier bill has, with the address of that bill; undefined if there is none. */
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
