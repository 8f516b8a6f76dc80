import { addMs, DAY_MS } from '@/lib/core/clock';
import { newId } from '@/lib/core/ids';
import type { Mobile } from '@/lib/core/mobile';
import type { Runtime } from '@/lib/runtime/runtime';
import { codeExpiry, expiredSince, MOST_REQUESTS, newCode, REASON_MAX } from './rules';
import { countRequestsFrom, type NumberOf, upsertRequest } from './store';

interface RequestRefusalOptions extends NumberOf {
  readonly mobile: Mobile;
  /** In the asker's words; cut at 200 characters. */
  readonly reason: string | null;
  /** Who asks, as far as can be told: an address, or the network that one customer has; null where nobody knows. */
  readonly holder: string | null;
}

export type RefusalRequest =
  /** The operator blocks the number for whoever tells this code from that phone, before `until`. */
  | { readonly kind: 'requested'; readonly code: string; readonly until: Date }
  /** It is blocked by now. */
  | { readonly kind: 'active' }
  | { readonly kind: 'too_many' };

/**
 * Notes that somebody wants a number never to be prompted. Changes nothing about its prompts: anybody can name any number, so
 * the operator decides. Asked again, the answer is the same. The limit per holder bears a few more that are asked at once.
 */
export async function requestRefusal(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { environment, mobile, reason, holder }: RequestRefusalOptions,
): Promise<RefusalRequest> {
  const { db, clock, random } = runtime;
  const now = clock();
  if ((await countRequestsFrom(db, holder, addMs(now, -DAY_MS))) >= MOST_REQUESTS) return { kind: 'too_many' };
  const { state, code, requestedAt } = await upsertRequest(
    db,
    {
      id: newId(runtime),
      environment,
      mobile,
      code: newCode(random(4)),
      reason: reason?.slice(0, REASON_MAX) || null,
      requestedAt: now,
      requestedFrom: holder,
    },
    expiredSince(now),
  );
  return state === 'ACTIVE' || code === null ? { kind: 'active' } : { kind: 'requested', code, until: codeExpiry(requestedAt) };
}
