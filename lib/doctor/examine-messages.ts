import { MINUTE_MS } from '@/lib/core/clock';
import { listOverdueMessages } from '@/lib/payments/messages/unhandled-store';
import type { Runtime } from '@/lib/runtime/runtime';
import { type Finding, finding } from './finding';

const OVERDUE_MS = 2 * MINUTE_MS;
/** No more messages are shown. */
const SHOWN = 5;

/** Looks for provider messages that are stored and not applied, although workers should have done so. */
export async function examineMessages({ db, clock }: Runtime): Promise<Finding> {
  const overdue = await listOverdueMessages(db, { now: clock(), ms: OVERDUE_MS, limit: SHOWN + 1 });
  const details = overdue
    .slice(0, SHOWN)
    .map(
      ({ id, account, kind, receivedAt, applyCount }) =>
        `${kind} ${id} from ${account}, received ${receivedAt.toISOString()}: ${applyCount === 0 ? 'no worker has tried to apply it; does one run?' : `failed to apply ${applyCount} times; see the worker's log`}`,
    );
  const more = overdue.length > SHOWN ? ['and more'] : [];
  return finding('messages_applied', 'Every stored message of a provider has been applied.', [...details, ...more]);
}
