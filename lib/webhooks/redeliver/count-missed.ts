import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import type { WriteRuntime } from '@/lib/runtime/runtime';
import { MISSED_STATES } from '@/lib/webhooks/redelivery-rules';
import { type StartedRedelivery, startRedelivery } from './start-redelivery';

const BEFORE_ALL_DELIVERIES = new Date(0);

/** Counts the exhausted and unsent deliveries of a merchant. @returns null if there are none, or the member may not see webhooks. */
export async function countMissed(
  runtime: WriteRuntime,
  access: MerchantAccess,
): Promise<(StartedRedelivery & { readonly since: Date }) | null> {
  if (!may(access, 'webhooks.view')) return null;
  const period = { from: BEFORE_ALL_DELIVERIES, to: runtime.clock() };
  const found = await startRedelivery(runtime, access, { ...period, states: MISSED_STATES, dryRun: true });
  if (!found.ok || found.value.total === 0) return null;
  const since = new Date(Math.min(...found.value.counts.map(({ first }) => first.getTime())));
  return { ...found.value, since };
}
