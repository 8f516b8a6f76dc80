import { MINUTE_MS } from '@/lib/core/clock';
import { listOverdueMessages } from '@/lib/payments/messages/unhandled-store';
import type { Runtime } from '@/lib/runtime/runtime';
import { type Finding, finding } from './finding';

const OVERDUE_MS = 2 * MINUTE_MS;
/** Maximum number of messages in the details. */
const SHOWN = 5;

/** Checks that workers have applied all stored provider messages. */
export async function examineMessages({ db, clock }: Runtime): Promise<Finding> {
  const overdue = await listOverdueMessages(db, { now: clock(), ms: OVERDUE_MS, limit: SHOWN + 1 });
  const details = overdue
    .slice(0, SHOWN)
    .map(
      ({ id, account, kind, receivedAt, applyCount }) =>
        `${kind} ${id} from ${account}, received ${receivedAt.toISOString()}: ${applyCount === 0 ? 'no worker has tried to apply it; check that one runs' : `failed to apply ${applyCount} times; see the worker's log`}`,
    );
  const more = overdue.length > SHOWN ? ['and more'] : [];
  return finding('messages_applied', 'All stored provider messages have been applied.', [...details, ...more]);
}
