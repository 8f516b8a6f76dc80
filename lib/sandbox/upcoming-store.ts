import { addMs, MINUTE_MS } from '@/lib/core/clock';
import { lowestId } from '@/lib/core/ids';
import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { environment, nullable, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

/** Everything that a simulated phone does with a prompt happens within this time. */
const PROMPTS_MS = 10 * MINUTE_MS;

/** Returns the lowest id of an attempt whose simulated phone may not have finished. */
export function oldestPrompt(now: Date): string {
  return lowestId(addMs(now, -PROMPTS_MS).getTime());
}

/** For each kind, the time at which something of this kind happens next in a sandbox; null if nothing of this kind is to come. */
export interface UpcomingTimes {
  /** When the next simulated phone answers, or its prompt expires. */
  readonly phones: Date | null;
  readonly webhooks: Date | null;
  readonly expiry: Date | null;
  readonly dueDates: Date | null;
}

const OPEN_BILLS =
  "FROM bill WHERE merchant_id = $merchantId AND environment = $environment AND status <> 'FULLY_PAID' AND closed_at IS NULL";

const FIND_UPCOMING = statement({
  name: 'find what is to come in a sandbox',
  text: `
SELECT
  (SELECT min(s.due_at) FROM push_attempt a JOIN sandbox_step s ON s.reference = a.our_reference
   WHERE a.id >= $oldest AND a.merchant_id = $merchantId AND a.environment = $environment AND s.due_at > $now) AS phones,
  (SELECT min(greatest(d.due_at, e.rest_until)) FROM webhook_endpoint e JOIN webhook_delivery d ON d.endpoint_id = e.id
   WHERE e.merchant_id = $merchantId AND e.environment = $environment AND e.status = 'active' AND d.state = 'PENDING'
     AND greatest(d.due_at, e.rest_until) > $now) AS webhooks,
  (SELECT min(expires_at) ${OPEN_BILLS} AND expires_at > $now) AS expiry,
  (SELECT min(due_at) ${OPEN_BILLS} AND due_at > $now) AS "dueDates"`,
  parameters: { merchantId: uuid, environment, oldest: uuid, now: timestamptz },
  columns: {
    phones: nullable(timestamptz),
    webhooks: nullable(timestamptz),
    expiry: nullable(timestamptz),
    dueDates: nullable(timestamptz),
  },
});

/**
 * Returns when these things happen next in a merchant's sandbox: a simulated phone answers, a webhook is due, a bill expires, the due date
 * of a bill comes.
 */
export async function findUpcoming(db: Queryable, { merchantId, environment: where }: Scope, now: Date): Promise<UpcomingTimes> {
  const found = await FIND_UPCOMING.first(db, { merchantId, environment: where, oldest: oldestPrompt(now), now });
  return found ?? { phones: null, webhooks: null, expiry: null, dueDates: null };
}
