import { hash } from 'node:crypto';
import { findBillOf } from '@/lib/gateway/bills/store';
import type { MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { addMs, MINUTE_MS } from '@/lib/platform/core/clock';
import { isUuid } from '@/lib/platform/core/ids';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { type Progress, readProgress } from './timeline-store';

/** How long after a bill's last change its open page keeps polling. */
const REST_AFTER_MS = 15 * MINUTE_MS;

/** How often a page should poll: `quick` (every one or two seconds), `slow`, or `rest` (not at all). */
type Pace = 'quick' | 'slow' | 'rest';

interface Watched {
  /** Changes whenever the content of the bill's page would change. */
  readonly version: string;
  readonly pace: Pace;
}

/** Returns the version of a bill with one cheap query; null if the member may not see the bill. */
export async function watchBill(runtime: Pick<Runtime, 'db' | 'clock'>, access: MerchantAccess, id: string): Promise<Watched | null> {
  const bill = isUuid(id) ? await findBillOf(runtime.db, access, id) : undefined;
  const progress = bill && (await readProgress(runtime.db, access.scope, bill.id));
  return progress ? watched(progress, runtime.clock()) : null;
}

/** Returns the version of a bill's page, and how often the page should poll. */
export function watched(
  { openPrompts, sentRefunds, askedInstruments, pendingDeliveries, latestAt, ...shown }: Progress,
  now: Date,
): Watched {
  const version = hash('sha256', JSON.stringify(shown), 'base64url').slice(0, 16);
  const recent = now < addMs(latestAt, REST_AFTER_MS);
  const soon = openPrompts + sentRefunds + askedInstruments;
  return { version, pace: recent && soon > 0 ? 'quick' : recent || soon + pendingDeliveries > 0 ? 'slow' : 'rest' };
}
