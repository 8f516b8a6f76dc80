import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { boolean, environment, int4, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { endpointStatus } from '@/lib/webhooks/sql-types';
import { COUNTED, type EndpointFacts } from './attention-facts';

const FIND_ENDPOINT = statement({
  name: 'find the health of an endpoint',
  text: `SELECT e.url, e.status, e.disabled_reason AS "disabledReason", e.status_since AS "statusSince", e.failing_since AS "failingSince",
           CASE WHEN e.status = 'active' AND e.failing_since IS NULL THEN 0 ELSE (
             SELECT count(*)::int FROM (SELECT 1 FROM webhook_delivery d WHERE d.endpoint_id = e.id AND d.state = 'PENDING' LIMIT ${COUNTED + 1}) pending
           ) END AS waiting
         FROM webhook_endpoint e WHERE e.merchant_id = $merchantId AND e.environment = $environment`,
  parameters: { merchantId: uuid, environment },
  columns: {
    url: nullable(text),
    status: endpointStatus,
    disabledReason: nullable(text),
    statusSince: timestamptz,
    failingSince: nullable(timestamptz),
    waiting: int4,
  },
});

export async function findEndpointFacts(db: Queryable, scope: Scope): Promise<EndpointFacts | undefined> {
  return FIND_ENDPOINT.first(db, scope);
}

/** The first steps that a merchant has completed. */
export interface FirstSteps {
  readonly key: boolean;
  readonly bill: boolean;
  readonly webhook: boolean;
}

const FIND_FIRST_STEPS = statement({
  name: 'find first steps',
  text: `SELECT EXISTS (SELECT 1 FROM api_key WHERE merchant_id = $merchantId AND environment = $environment AND revoked_at IS NULL) AS key,
           (SELECT true FROM bill WHERE merchant_id = $merchantId AND environment = $environment ORDER BY status, id LIMIT 1) IS NOT NULL AS bill,
           EXISTS (SELECT 1 FROM webhook_endpoint WHERE merchant_id = $merchantId AND environment = $environment AND url IS NOT NULL) AS webhook`,
  parameters: { merchantId: uuid, environment },
  columns: { key: boolean, bill: boolean, webhook: boolean },
});

export async function findFirstSteps(db: Queryable, scope: Scope): Promise<FirstSteps> {
  const steps = await FIND_FIRST_STEPS.first(db, scope);
  if (!steps) throw new Error('the statement "find first steps" returned no row');
  return steps;
}
