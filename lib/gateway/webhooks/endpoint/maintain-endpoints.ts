import { findNextDue, makeDeliveriesDue } from '@/lib/gateway/webhooks/delivery-store';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { systemActor } from '@/lib/platform/core/actor';
import { HOUR_MS } from '@/lib/platform/core/clock';
import type { Queryable } from '@/lib/platform/db/database';
import type { NotifyRuntime } from '@/lib/platform/runtime/runtime';
import { type Endpoint, mustBeDisabled, WARNINGS_MS, warningsDue } from './endpoint-rules';
import { findEndpoints, findEndpointsToMaintain, updateEndpointHealth, updateEndpointStatus } from './endpoint-store';
import { warnMerchant } from './warn-merchant';

/** The maximum number of deliveries that one transaction makes due. */
const CATCH_UP_BATCH = 1_000;
/**
 * Warns merchants about failing endpoints, disables endpoints that have failed for a week, and makes the retries of recovered
 * endpoints due. Several workers may run it at the same time.
 */
export async function maintainEndpoints(runtime: NotifyRuntime): Promise<void> {
  const found = await findEndpointsToMaintain(runtime.db);
  for (const { id } of found.filter((one) => one.catchUpFrom !== null || isWarningDue(one, runtime.clock()))) {
    await runtime.db.transaction(async (tx) => {
      const [endpoint] = await findEndpoints(tx, [id], { lock: true });
      if (!endpoint) return;
      await warn(runtime, tx, await catchUp(runtime, tx, endpoint));
    });
  }
}

async function catchUp({ clock }: NotifyRuntime, tx: Queryable, endpoint: Endpoint): Promise<Endpoint> {
  if (endpoint.catchUpFrom === null) return endpoint;
  const options = { endpointId: endpoint.id, before: endpoint.catchUpFrom, now: clock(), limit: CATCH_UP_BATCH };
  if ((await makeDeliveriesDue(tx, options)) > 0) return endpoint;
  const done = { ...endpoint, catchUpFrom: null };
  await updateEndpointHealth(tx, endpoint.id, done);
  return done;
}

async function warn(runtime: NotifyRuntime, tx: Queryable, endpoint: Endpoint): Promise<void> {
  const { id, merchantId, environment, failingSince, failureCount } = endpoint;
  const now = runtime.clock();
  if (failingSince === null || !isWarningDue(endpoint, now) || !(await nextCallIsLater(tx, endpoint, now))) return;
  const about = { merchantId, environment, actor: systemActor('worker'), subject: id };
  if (mustBeDisabled(failingSince, now)) {
    await updateEndpointStatus(tx, id, { status: 'disabled', reason: 'failing', now });
    await recordEntry(runtime, { ...about, action: 'webhook.disabled', data: { reason: 'failing', failureCount } }, tx);
    await warnMerchant(runtime, tx, endpoint, { kind: 'disabled' });
    return;
  }
  const due = warningsDue(failingSince, now);
  await updateEndpointHealth(tx, id, { ...endpoint, warningsGiven: due });
  const hours = (WARNINGS_MS[due - 1] ?? 0) / HOUR_MS;
  await recordEntry(runtime, { ...about, action: 'webhook.failing', data: { hours, failureCount } }, tx);
  await warnMerchant(runtime, tx, endpoint, { kind: 'failing', hours });
}

/** Returns whether the merchant must be notified: of a warning, or that the endpoint is being disabled. */
function isWarningDue({ failingSince, status, warningsGiven }: Endpoint, now: Date): boolean {
  if (failingSince === null || status !== 'active') return false;
  return mustBeDisabled(failingSince, now) || warningsDue(failingSince, now) > warningsGiven;
}

/**
 * Returns whether the endpoint has pending deliveries, but none that can be sent now. If one can be sent now, Bili attempts it before it
 * warns the merchant, because the failures may be old if no worker ran for days. A merchant is not warned about an endpoint without pending
 * deliveries either.
 */
async function nextCallIsLater(tx: Queryable, { id, restUntil }: Endpoint, now: Date): Promise<boolean> {
  const next = await findNextDue(tx, id);
  return next !== null && (next > now || (restUntil !== null && restUntil > now));
}
