import type { MerchantAccess } from '@/lib/accounts/access/grant-access';
import { fail, type Result } from '@/lib/core/result';
import { parsePeriod } from '@/lib/reconciliation/period';
import type { Runtime } from '@/lib/runtime/runtime';
import { doneBy, type WebhookDoor, webhookDoor } from '@/lib/webhooks/endpoint/webhook-door';
import { REDELIVERED_STATES } from '@/lib/webhooks/redelivery-rules';
import { type StartedRedelivery, type StartRefusal, startRedelivery } from './start-redelivery';

/** What somebody typed about sending many again. */
interface RedeliveryOrder {
  /** Days of East Africa, `2026-11-20`, or instants with their offset. */
  readonly from: string;
  readonly to: string;
  readonly states: readonly string[];
  readonly perSecond: string;
}

/** A member has the own merchant's deliveries of a period sent again. @param dryRun only counts them. */
export async function startOwnRedelivery(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  access: MerchantAccess,
  { order, dryRun, address }: { order: RedeliveryOrder; dryRun: boolean; address: string | null },
): Promise<Result<StartedRedelivery, WebhookDoor | StartRefusal | 'wrong_period' | 'no_state'>> {
  const door = webhookDoor(access);
  if (door) return fail(door);
  const period = parsePeriod(order.from, order.to);
  if (!period.ok) return fail('wrong_period');
  const states = REDELIVERED_STATES.filter((state) => order.states.includes(state));
  if (states.length === 0) return fail('no_state');
  const perSecond = /^\d{1,6}$/.test(order.perSecond) ? Number(order.perSecond) : Number.NaN;
  return startRedelivery(runtime, { ...doneBy(access, address), ...period.value, states, perSecond, dryRun });
}
