import type { FailureCode } from '@/lib/core/failure';
import { fail, ok, type Result } from '@/lib/core/result';
import { messageId } from '@/lib/webhooks/rules';
import type { FeedPage, FeedQuery } from './read-feed';

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 500;
/** A number as we write it, below 10^18: one that the database can hold. */
const CURSOR = /^(0|[1-9]\d{0,17})$/;

/** Checks `after` and `limit`, in this order. Of one that is given twice the first counts, others are ignored. */
export function parseFeedQuery(query: URLSearchParams): Result<FeedQuery, FailureCode> {
  const after = query.get('after') ?? '0';
  if (!CURSOR.test(after)) return fail('after_invalid');
  const limit = query.get('limit') ?? String(LIMIT_DEFAULT);
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > LIMIT_MAX) return fail('limit_invalid');
  return ok({ after: BigInt(after), limit: Number(limit) });
}

/** @returns the answer to reading the feed, as JSON text. Each body stands in it as it is sent: its amounts keep their form. */
export function feedJson({ entries, last, more }: FeedPage): string {
  const events = entries.map(
    ({ deliveryId, createdAt, body }) => `{"id":"${messageId(deliveryId)}","date":${createdAt.getTime()},"body":${body.toString()}}`,
  );
  return `{"events":[${events.join(',')}],"cursor":"${last}","more":${more}}`;
}
