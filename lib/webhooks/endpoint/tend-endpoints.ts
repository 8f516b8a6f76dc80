import { recordEntry } from '@/lib/audit/record-entry';
import { HOUR_MS } from '@/lib/core/clock';
import type { Queryable } from '@/lib/db/database';
import type { Runtime } from '@/lib/runtime/runtime';
import { updateEndpointHealth, updateEndpointStatus } from './endpoint-changes';
import { type Endpoint, findEndpoints, findEndpointsToTend } from './endpoint-store';
import { isGivenUp, WARNINGS_MS, warningsDue } from './health-rules';
import { findNextDue, hastenDeliveries } from './owed-store';
import { warnMerchant } from './warn-merchant';

const HASTENED_AT_ONCE = 1_000;
type Needs = Pick<Runtime, 'db' | 'clock' | 'random' | 'settings' | 'secrets'>;

/**
 * What is due about endpoints beside calling them: warnings about those that only fail, disabling those that have for a week, and
 * not letting wait for its time what is owed to those that answer again. Any number of workers may do it at once.
 */
export async function tendEndpoints(runtime: Needs): Promise<void> {
  const found = await findEndpointsToTend(runtime.db);
  for (const { id } of found.filter((one) => one.catchUpFrom !== null || isWarningDue(one, runtime.clock()))) {
    await runtime.db.transaction(async (tx) => {
      const [endpoint] = await findEndpoints(tx, [id], { lock: true });
      if (!endpoint) return;
      await warn(runtime, tx, await catchUp(runtime, tx, endpoint));
    });
  }
}

async function catchUp({ clock }: Needs, tx: Queryable, endpoint: Endpoint): Promise<Endpoint> {
  if (endpoint.catchUpFrom === null) return endpoint;
  const options = { endpointId: endpoint.id, before: endpoint.catchUpFrom, now: clock(), limit: HASTENED_AT_ONCE };
  if ((await hastenDeliveries(tx, options)) > 0) return endpoint;
  const done = { ...endpoint, catchUpFrom: null };
  await updateEndpointHealth(tx, endpoint.id, done);
  return done;
}

async function warn(runtime: Needs, tx: Queryable, endpoint: Endpoint): Promise<void> {
  const { id, merchantId, environment, failingSince, failureCount } = endpoint;
  const now = runtime.clock();
  if (failingSince === null || !isWarningDue(endpoint, now) || !(await waitsForItsTime(tx, endpoint, now))) return;
  const about = { merchantId, environment, actor: 'system:worker', subject: id, address: null };
  if (isGivenUp(failingSince, now)) {
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

/** Whether its merchant is to hear of its failures, the last time that it is disabled. */
function isWarningDue({ failingSince, status, warningsGiven }: Endpoint, now: Date): boolean {
  if (failingSince === null || status !== 'active') return false;
  return isGivenUp(failingSince, now) || warningsDue(failingSince, now) > warningsGiven;
}

/**
 * Whether the endpoint is called as planned, and the next call is still to come. One that is due first shows how things are now: no
 * worker may have run for days. One that is owed nothing is not called any more, and does not fail.
 */
async function waitsForItsTime(tx: Queryable, { id, restUntil }: Endpoint, now: Date): Promise<boolean> {
  const next = await findNextDue(tx, id);
  return next !== null && (next > now || (restUntil !== null && restUntil > now));
}
