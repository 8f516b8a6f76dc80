import { addMs, DAY_MS } from '@/lib/platform/core/clock';
import { newId } from '@/lib/platform/core/ids';
import type { Mobile } from '@/lib/platform/core/mobile';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { codeExpiry, expiredSince, MAX_REQUESTS, newCode, REASON_MAX } from './rules';
import { type NumberOf, upsertRequest } from './store';

interface RequestRefusalOptions extends NumberOf {
  readonly mobile: Mobile;
  /** Free text of the person who requests the block. Truncated to 200 characters. */
  readonly reason: string | null;
  /** The address for which the limit counts requests: an IPv4 address or an IPv6 network; null if unknown. */
  readonly holder: string | null;
}

export type RefusalRequest =
  /** The operator blocks the number if somebody calls from that phone and says this code before `until`. */
  | { readonly kind: 'requested'; readonly code: string; readonly until: Date }
  /** The number is already blocked. */
  | { readonly kind: 'active' }
  | { readonly kind: 'too_many' };

/**
 * Stores a request to block a number. The request does not block the number yet: anybody can enter any number, so the operator decides. A
 * second request for the number returns the same code while the code is valid. Parallel requests can slightly exceed the limit per
 * requester.
 */
export async function requestRefusal(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { environment, mobile, reason, holder }: RequestRefusalOptions,
): Promise<RefusalRequest> {
  const { db, clock, random } = runtime;
  const now = clock();
  const earlier = { requestedFrom: holder, requestedAt: { gt: addMs(now, -DAY_MS) } };
  if ((await db.prisma.promptRefusal.count({ where: earlier })) >= MAX_REQUESTS) return { kind: 'too_many' };
  const { state, code, requestedAt } = await upsertRequest(db, {
    id: newId(runtime),
    environment,
    mobile,
    code: newCode(random(4)),
    reason: reason?.slice(0, REASON_MAX) || null,
    requestedAt: now,
    requestedFrom: holder,
    expired: expiredSince(now),
  });
  return state === 'ACTIVE' || code === null ? { kind: 'active' } : { kind: 'requested', code, until: codeExpiry(requestedAt) };
}
