import { hash } from 'node:crypto';
import type { MerchantAccess } from '@/lib/accounts/access/grant-access';
import { findBillOf } from '@/lib/bills/store';
import { addMs, MINUTE_MS } from '@/lib/core/clock';
import { isUuid } from '@/lib/core/ids';
import type { Runtime } from '@/lib/runtime/runtime';
import { type Progress, readProgress } from './version-store';

/** How long after the last change a page still looks for the next by itself. */
const REST_AFTER_MS = 15 * MINUTE_MS;

/** How often a page that shows a bill should look again: every second or two, every some seconds, or not by itself. */
type Pace = 'quick' | 'slow' | 'rest';

export interface Watched {
  /** Changes whenever the bill's page would say something else. */
  readonly version: string;
  readonly pace: Pace;
}

/** @returns where a bill stands, cheaply; null for an id that is none of those that the person may see. */
export async function watchBill(runtime: Pick<Runtime, 'db' | 'clock'>, access: MerchantAccess, id: string): Promise<Watched | null> {
  const bill = isUuid(id) ? await findBillOf(runtime.db, access, id) : undefined;
  const progress = bill && (await readProgress(runtime.db, access.scope, bill.id));
  return progress ? watched(progress, runtime.clock()) : null;
}

/** Pure. */
export function watched({ openPrompts, pendingDeliveries, latestAt, ...shown }: Progress, now: Date): Watched {
  const version = hash('sha256', JSON.stringify(shown), 'base64url').slice(0, 16);
  const recent = now < addMs(latestAt, REST_AFTER_MS);
  return { version, pace: recent && openPrompts > 0 ? 'quick' : recent || openPrompts + pendingDeliveries > 0 ? 'slow' : 'rest' };
}
