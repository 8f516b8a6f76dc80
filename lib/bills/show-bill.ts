import type { MerchantAccess } from '@/lib/accounts/grant-access';
import type { Runtime } from '@/lib/config/runtime';
import { baseUrl } from '@/lib/config/settings';
import { addMs } from '@/lib/core/clock';
import { isUuid } from '@/lib/core/ids';
import { type Attempt, RELEASE_AFTER_MS } from '@/lib/payments/rules';
import { listAttempts } from '@/lib/payments/store';
import { listBillDeliveries } from '@/lib/webhooks/list-deliveries';
import { type Bill, remainingAmount } from './rules';
import { webPayUrl } from './schema';
import { findBill } from './store';
import { joinTimeline, type TimelineEntry } from './timeline';
import { listEventRows, listPaymentRows, listPromptRows } from './timeline-store';

/** A bill as the dashboard shows it. */
export interface BillView {
  readonly bill: Bill;
  readonly remaining: bigint;
  readonly webPayUrl: string;
  readonly timeline: readonly TimelineEntry[];
  /** Prompts that nobody knows the end of and that nobody has given up. */
  readonly waiting: readonly WaitingAttempt[];
}

/** A prompt that keeps its amount reserved because nobody knows what became of it. */
export interface WaitingAttempt {
  readonly id: string;
  readonly mobile: string;
  readonly amount: bigint;
  readonly unknownSince: Date;
  readonly releasableFrom: Date;
  readonly releasable: boolean;
}

/** @returns the bill and all that happened to it; null for an id that is none of this merchant's in this environment. */
export async function showBill(
  runtime: Pick<Runtime, 'db' | 'settings' | 'clock'>,
  access: MerchantAccess,
  id: string,
): Promise<BillView | null> {
  const { db, settings } = runtime;
  const { scope } = access;
  const bill = isUuid(id) ? await findBill(db, scope, id) : undefined;
  if (!bill) return null;
  const [events, prompts, payments, deliveries, attempts] = await Promise.all([
    listEventRows(db, scope, bill.id),
    listPromptRows(db, scope, bill.id),
    listPaymentRows(db, scope, bill.id),
    listBillDeliveries(runtime, access, bill.id),
    listAttempts(db, bill.id),
  ]);
  return {
    bill,
    remaining: remainingAmount(bill),
    webPayUrl: webPayUrl(baseUrl(settings, scope.environment), bill.id),
    timeline: joinTimeline({ events, prompts, payments, deliveries }),
    waiting: attempts.flatMap((attempt) => toWaiting(attempt, runtime.clock()) ?? []),
  };
}

function toWaiting({ id, mobile, amount, unknownSince, releasedAt }: Attempt, now: Date): WaitingAttempt | null {
  if (unknownSince === null || releasedAt !== null) return null;
  const releasableFrom = addMs(unknownSince, RELEASE_AFTER_MS);
  return { id, mobile, amount, unknownSince, releasableFrom, releasable: now >= releasableFrom };
}
