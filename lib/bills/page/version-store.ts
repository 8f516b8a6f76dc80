import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { environment, int4, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

/** Data that changes whenever the page of a bill would change. */
export type Progress = NonNullable<Awaited<ReturnType<typeof readProgress>>>;

const READ = statement({
  name: "read a bill's version",
  text: `
SELECT b.version, greatest(b.created_at, e.at, n.at, d.at) AS "latestAt", n.notes, m.messages, d.deliveries, w.endpoint, p.open AS "openPrompts", d.pending AS "pendingDeliveries"
FROM bill b,
  LATERAL (SELECT max(at) AS at FROM bill_event WHERE bill_id = b.id) e,
  LATERAL (SELECT count(*)::int AS notes, max(created_at) AS at FROM bill_note WHERE bill_id = b.id) n,
  LATERAL (SELECT count(*)::int AS messages FROM push_attempt a JOIN provider_message m ON m.attempt_id = a.id WHERE a.bill_id = b.id) m,
  LATERAL (SELECT count(*) FILTER (WHERE state IN ('QUEUED', 'SENDING', 'AWAITING_CUSTOMER', 'UNKNOWN'))::int AS open FROM push_attempt WHERE bill_id = b.id) p,
  LATERAL (SELECT coalesce(string_agg(state::text || attempt_count, ',' ORDER BY id), '') AS deliveries, max(created_at) AS at,
             count(*) FILTER (WHERE state IN ('BLOCKED', 'PENDING', 'SENDING'))::int AS pending FROM webhook_delivery WHERE bill_id = b.id) d,
  LATERAL (SELECT max(status || ' since ' || status_since) AS endpoint FROM webhook_endpoint WHERE merchant_id = b.merchant_id AND environment = b.environment) w
WHERE b.id = $billId AND b.merchant_id = $merchantId AND b.environment = $environment`,
  parameters: { billId: uuid, merchantId: uuid, environment },
  columns: {
    version: int4,
    latestAt: timestamptz,
    notes: int4,
    messages: int4,
    /** The state and the number of delivery attempts of each delivery. */
    deliveries: text,
    /** The status of the endpoint and when it changed. Pausing or resuming it changes the text of waiting deliveries. */
    endpoint: nullable(text),
    openPrompts: int4,
    pendingDeliveries: int4,
  },
});

export async function readProgress(db: Queryable, scope: Scope, billId: string) {
  return READ.first(db, { ...scope, billId });
}
