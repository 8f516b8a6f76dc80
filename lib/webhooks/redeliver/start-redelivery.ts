import { type Access, type AccessRefusal, authorize } from '@/lib/accounts/access/grant-access';
import { recordEntry } from '@/lib/audit/record-entry';
import { newId } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import type { WriteRuntime } from '@/lib/runtime/runtime';
import { findEndpoint } from '@/lib/webhooks/endpoint/endpoint-store';
import { currentHold, type Hold } from '@/lib/webhooks/endpoint/hold-rules';
import { MISSED_STATES, PACE, type RedeliveredState, type Selection } from '@/lib/webhooks/redelivery-rules';
import { insertRedelivery } from './redelivery-store';
import { countSelected, type SelectedCount } from './selection-store';

interface Options {
  /** Selects deliveries created from `from` (inclusive) to `to` (exclusive), but none created after the start. */
  readonly from: Date;
  readonly to: Date;
  readonly states?: readonly RedeliveredState[];
  /** Deliveries to make due per second. */
  readonly perSecond?: number;
  /** Only counts the deliveries. */
  readonly dryRun?: boolean;
}

export interface StartedRedelivery {
  /** Null for a dry run. */
  readonly id: string | null;
  readonly total: number;
  readonly counts: readonly SelectedCount[];
  readonly heldUp: Hold | null;
}

export type StartRefusal = 'empty_period' | 'wrong_pace' | 'no_address' | 'nothing_found';

/**
 * Starts a bulk redelivery: the worker sends a merchant's deliveries of a period again, any number of them. A dry run only counts
 * them and needs no address.
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
    const heldUp = hasAddress ? currentHold(endpoint, now) : null;
    if (dryRun) return ok({ id: null, total, counts, heldUp });
    if (total === 0) return fail('nothing_found');
    const id = newId(runtime);
    await insertRedelivery(tx, { ...scope, ...selection, id, perSecond, total, requestedBy: actor.name, createdAt: now });
    const data = { from: selection.from.toISOString(), to: selection.to.toISOString(), states: [...states], perSecond, total };
    await recordEntry(runtime, { ...scope, actor, action: 'redelivery.started', subject: id, data }, tx);
    return ok({ id, total, counts, heldUp });
  });
}
