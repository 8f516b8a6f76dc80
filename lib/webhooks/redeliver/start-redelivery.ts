import { type Access, type AccessRefusal, authorize, type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import { recordEntry } from '@/lib/audit/record-entry';
import { newId } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import { parsePeriod } from '@/lib/reconciliation/period';
import type { WriteRuntime } from '@/lib/runtime/runtime';
import { findEndpoint } from '@/lib/webhooks/endpoint/endpoint-store';
import { currentHold, type Hold } from '@/lib/webhooks/endpoint/hold-rules';
import { MISSED_STATES, PACE, REDELIVERED_STATES, type RedeliveredState, type Selection } from '@/lib/webhooks/redelivery-rules';
import { insertRedelivery } from './redelivery-store';
import { countSelected, type SelectedCount } from './selection-store';

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
  const period = parsePeriod(order.from, order.to);
  if (!period.ok) return fail('wrong_period');
  const states = REDELIVERED_STATES.filter((state) => order.states.includes(state));
  if (states.length === 0) return fail('no_state');
  const perSecond = /^\d{1,6}$/.test(order.perSecond) ? Number(order.perSecond) : Number.NaN;
  return startRedelivery(runtime, access, { ...period.value, states, perSecond, dryRun });
}

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
