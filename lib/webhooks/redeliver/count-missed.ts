import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import type { Runtime } from '@/lib/runtime/runtime';
import { MISSED_STATES } from '@/lib/webhooks/redelivery-rules';
import { type StartedRedelivery, startRedelivery } from './start-redelivery';

/** Before any delivery. */
const BEGINNING = new Date(0);

/** @returns all that a merchant's server never got and that waits for somebody to send it, and since when; null when there is none. */
export async function countMissed(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  access: MerchantAccess,
): Promise<(StartedRedelivery & { readonly since: Date }) | null> {
  if (!may(access, 'webhooks.view')) return null;
  const period = { from: BEGINNING, to: runtime.clock() };
  const found = await startRedelivery(runtime, access, { ...period, states: MISSED_STATES, dryRun: true });
  if (!found.ok || found.value.total === 0) return null;
  const since = new Date(Math.min(...found.value.counts.map(({ first }) => first.getTime())));
  return { ...found.value, since };
}
