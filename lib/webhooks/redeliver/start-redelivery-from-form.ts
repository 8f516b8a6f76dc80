import { type Access, type AccessRefusal, authorize } from '@/lib/accounts/access/grant-access';
import { fail, type Result } from '@/lib/core/result';
import { parsePeriod } from '@/lib/reconciliation/period';
import type { WriteRuntime } from '@/lib/runtime/runtime';
import { REDELIVERED_STATES } from '@/lib/webhooks/redelivery-rules';
import { type StartedRedelivery, type StartRefusal, startRedelivery } from './start-redelivery';

/** The values of the form, as they were entered. */
interface RedeliveryForm {
  /** Days of East Africa, `2026-11-20`, or instants with their offset. */
  readonly from: string;
  readonly to: string;
  readonly states: readonly string[];
  readonly perSecond: string;
}

/** Starts a bulk redelivery from the values of a form. @param dryRun only counts the deliveries. */
export async function startRedeliveryFromForm(
  runtime: WriteRuntime,
  access: Access,
  { order, dryRun }: { order: RedeliveryForm; dryRun: boolean },
): Promise<Result<StartedRedelivery, AccessRefusal | StartRefusal | 'wrong_period' | 'no_state'>> {
  const refusal = authorize(access, 'webhooks.change');
  if (refusal) return fail(refusal);
  const period = parsePeriod(order.from, order.to);
  if (!period.ok) return fail('wrong_period');
  const states = REDELIVERED_STATES.filter((state) => order.states.includes(state));
  if (states.length === 0) return fail('no_state');
  const perSecond = /^\d{1,6}$/.test(order.perSecond) ? Number(order.perSecond) : Number.NaN;
  return startRedelivery(runtime, access, { ...period.value, states, perSecond, dryRun });
}
