import { currentHold, type Hold } from '@/lib/gateway/webhooks/endpoint/endpoint-rules';
import { findEndpoint } from '@/lib/gateway/webhooks/endpoint/endpoint-store';
import { MISSED_STATES, PACE, REDELIVERED_STATES, type RedeliveredState, type Selection } from '@/lib/gateway/webhooks/redelivery-rules';
import { type Access, type AccessRefusal, authorize, type MerchantAccess, may } from '@/lib/identity/accounts/access/grant-access';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { eastAfricanDay } from '@/lib/platform/core/east-african-day';
import { newId } from '@/lib/platform/core/ids';
import { parsePeriod } from '@/lib/platform/core/period';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import { readDay } from '@/lib/platform/i18n/typed-day';
import type { WriteRuntime } from '@/lib/platform/runtime/runtime';
import { countSelected, type SelectedCount } from './redeliver-store';
import { insertRedelivery } from './redelivery-store';

interface Options {
  /** Selects deliveries created from `from` (inclusive) to `to` (exclusive), but none created after the bulk redelivery has started. */
  readonly from: Date;
  readonly to: Date;
  readonly states?: readonly RedeliveredState[];
  /** Deliveries to make due per second. */
  readonly perSecond?: number;
  readonly dryRun?: boolean;
}

export interface StartedRedelivery {
  /** Null for a dry run. */
  readonly id: string | null;
  readonly total: number;
  readonly counts: readonly SelectedCount[];
  readonly hold: Hold | null;
  /** Whether the endpoint has an address. Without one, a bulk redelivery cannot be started. */
  readonly hasAddress: boolean;
}

export type StartRefusal = 'empty_period' | 'wrong_pace' | 'no_address' | 'nothing_found';

/**
 * Starts a bulk redelivery: the worker sends all deliveries of a period again, with no limit on their number. A dry run only counts the
 * deliveries, and works for an endpoint without an address too.
 */
export async function startRedelivery(
  runtime: WriteRuntime,
  access: Access,
  { from, to, states = MISSED_STATES, perSecond = PACE.usual, dryRun = false }: Options,
): Promise<Result<StartedRedelivery, AccessRefusal | StartRefusal>> {
  const refusal = authorize(access, dryRun ? 'webhooks.view' : 'webhooks.change');
  if (refusal) return fail(refusal);
  const { scope, actor } = access;
  const now = runtime.clock();
  const selection: Selection = { from, to: to < now ? to : now, states };
  if (selection.from >= selection.to) return fail('empty_period');
  if (!Number.isInteger(perSecond) || perSecond < PACE.least || perSecond > PACE.most) return fail('wrong_pace');
  return runtime.db.transaction(async (tx) => {
    const endpoint = await findEndpoint(tx, scope);
    const hasAddress = endpoint !== undefined && endpoint.url !== null;
    if (!hasAddress && !dryRun) return fail('no_address');
    const counts = await countSelected(tx, scope, selection);
    const total = counts.reduce((sum, { count }) => sum + count, 0);
    const hold = hasAddress ? currentHold(endpoint, now) : null;
    if (dryRun) return ok({ id: null, total, counts, hold, hasAddress });
    if (total === 0) return fail('nothing_found');
    const id = newId(runtime);
    await insertRedelivery(tx, { ...scope, ...selection, id, perSecond, total, requestedBy: actor.name, createdAt: now });
    const data = { from: selection.from.toISOString(), to: selection.to.toISOString(), states: [...states], perSecond, total };
    await recordEntry(runtime, { ...scope, actor, action: 'redelivery.started', subject: id, data }, tx);
    return ok({ id, total, counts, hold, hasAddress });
  });
}

interface RedeliveryForm {
  /** `from` and `to`: a day in the time zone of East Africa, such as `2026-11-20`, or an instant with its offset. */
  readonly from: string;
  readonly to: string;
  readonly states: readonly string[];
  readonly perSecond: string;
}

/** Starts a bulk redelivery from the values of a form. @param dryRun true: only counts the deliveries. */
export async function startRedeliveryFromForm(
  runtime: WriteRuntime,
  access: Access,
  { order, dryRun }: { order: RedeliveryForm; dryRun: boolean },
): Promise<Result<StartedRedelivery, AccessRefusal | StartRefusal | 'wrong_period' | 'no_state'>> {
  const refusal = authorize(access, 'webhooks.change');
  if (refusal) return fail(refusal);
  const today = eastAfricanDay(runtime.clock());
  const day = (typed: string) => readDay(typed, today) ?? typed;
  const period = parsePeriod(day(order.from), day(order.to));
  if (!period.ok) return fail('wrong_period');
  const states = REDELIVERED_STATES.filter((state) => order.states.includes(state));
  if (states.length === 0) return fail('no_state');
  const perSecond = /^\d{1,6}$/.test(order.perSecond) ? Number(order.perSecond) : Number.NaN;
  return startRedelivery(runtime, access, { ...period.value, states, perSecond, dryRun });
}

const BEFORE_ALL_DELIVERIES = new Date(0);

/** The deliveries of a merchant that a bulk redelivery of all missed deliveries would send. */
interface Missed extends StartedRedelivery {
  /** When the first of them was created; now if there are none. */
  readonly since: Date;
}

/** Counts the exhausted and unsent deliveries of a merchant. @returns null if the member may not see webhooks. */
export async function countMissed(runtime: WriteRuntime, access: MerchantAccess): Promise<Missed | null> {
  if (!may(access, 'webhooks.view')) return null;
  const now = runtime.clock();
  const found = await startRedelivery(runtime, access, { from: BEFORE_ALL_DELIVERIES, to: now, states: MISSED_STATES, dryRun: true });
  if (!found.ok) return null;
  return { ...found.value, since: new Date(Math.min(now.getTime(), ...found.value.counts.map(({ first }) => first.getTime()))) };
}
