import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import { webPayUrl } from '@/lib/bills/bill-json';
import { type Bill, remainingAmount } from '@/lib/bills/rules';
import { findBillOf } from '@/lib/bills/store';
import { baseUrl } from '@/lib/config/settings';
import { addMs } from '@/lib/core/clock';
import { isUuid, newId } from '@/lib/core/ids';
import { countMessages, listMessages } from '@/lib/payments/messages/message-store';
import { BODY_MAX, viewMessage } from '@/lib/payments/messages/message-view';
import { offerPrompt, type PromptOffer } from '@/lib/payments/prompts/offer-prompt';
import { type Attempt, RELEASE_AFTER_MS, reserves } from '@/lib/payments/rules';
import { listAttempts } from '@/lib/payments/store';
import type { Runtime } from '@/lib/runtime/runtime';
import { findEndpoint } from '@/lib/webhooks/endpoint/endpoint-store';
import type { DeliveryView } from '@/lib/webhooks/log/delivery-view';
import { listBillDeliveries } from '@/lib/webhooks/log/list-deliveries';
import { listNoteRows } from './note-store';
import { recordReading } from './record-reading';
import { joinTimeline, type TimelineEntry } from './timeline';
import { findKeyLabel, listEventRows, listPaymentRows, listPromptRows } from './timeline-store';
import { readProgress } from './version-store';
import { type Watched, watched } from './watch-bill';

/** More than any bill should have; the oldest are left out. */
const MESSAGES_MAX = 200;

/** A bill as the dashboard shows it. */
export interface BillView {
  readonly bill: Bill;
  readonly remaining: bigint;
  readonly webPayUrl: string;
  /** Whom to ask for what the merchant cannot do; null where the operator has named nobody. */
  readonly operatorContact: string | null;
  /** Oldest first. */
  readonly timeline: readonly TimelineEntry[];
  /** What the key that made it is called. */
  readonly keyLabel: string | null;
  /** How many messages of providers there are; null for who may not read them. */
  readonly messageCount: number | null;
  /** Prompts that hold their amount on the bill, oldest first. */
  readonly open: readonly Attempt[];
  /** Prompts that nobody knows the end of and that nobody has given up. */
  readonly waiting: readonly WaitingAttempt[];
  readonly push: PromptOffer;
  readonly watched: Watched;
  /** A number for each form of the page, by which it is known when it is sent twice. */
  readonly formId: string;
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

interface ShowOptions {
  readonly messages?: boolean;
  readonly address?: string | null;
}

/**
 * @param messages whether what providers said is wanted, where the person may read it; reading it is written to the audit log.
 * @param address from where, for the audit log.
 * @returns the bill and all that happened to it; null for an id that is none of those that the person may see.
 */
export async function showBill(
  runtime: Pick<Runtime, 'db' | 'settings' | 'clock' | 'random' | 'operatorAddress'>,
  access: MerchantAccess,
  id: string,
  { messages: wanted = false, address = null }: ShowOptions = {},
): Promise<BillView | null> {
  const { db, settings } = runtime;
  const { scope } = access;
  if (!isUuid(id)) return null;
  // Before all that it stands for: what comes meanwhile makes the page new once more, instead of never.
  const progress = await readProgress(db, scope, id);
  const bill = await findBillOf(db, access, id);
  if (!bill || !progress) return null;
  const readable = may(access, 'messages.view');
  const [events, prompts, payments, deliveries, notes, heard, messageCount, attempts] = await Promise.all([
    listEventRows(db, scope, bill.id),
    listPromptRows(db, scope, bill.id),
    listPaymentRows(db, scope, bill.id),
    may(access, 'webhooks.view') ? listNews(runtime, access, bill.id) : [],
    listNoteRows(db, scope, bill.id),
    readable && wanted ? listMessages(db, scope, bill.id, { bytes: BODY_MAX, limit: MESSAGES_MAX }) : [],
    readable ? countMessages(db, scope, bill.id) : null,
    listAttempts(db, bill.id),
  ]);
  if (heard.length > 0) await recordReading(runtime, access, { billId: bill.id, address });
  const key = events[0]?.by?.match(/^key:(.+)$/s)?.[1];
  return {
    bill,
    remaining: remainingAmount(bill),
    webPayUrl: webPayUrl(baseUrl(settings, scope.environment), bill.id),
    operatorContact: settings.OPERATOR_CONTACT ?? null,
    timeline: joinTimeline({ events, prompts, payments, deliveries, notes, messages: heard.map(viewMessage) }),
    keyLabel: key === undefined ? null : await findKeyLabel(db, scope, key),
    messageCount,
    open: attempts.filter(reserves),
    waiting: attempts.flatMap((attempt) => toWaiting(attempt, runtime.clock()) ?? []),
    push: await offerPrompt(runtime, bill, attempts),
    watched: watched(progress, runtime.clock()),
    formId: newId(runtime),
  };
}

/** Webhooks, for whom they go to: who never named an address has no server, and nothing of theirs went wrong. */
async function listNews(runtime: Pick<Runtime, 'db' | 'clock'>, access: MerchantAccess, billId: string): Promise<DeliveryView[]> {
  const endpoint = await findEndpoint(runtime.db, access.scope);
  return endpoint?.url ? listBillDeliveries(runtime, access, billId) : [];
}

function toWaiting({ id, mobile, amount, unknownSince, releasedAt }: Attempt, now: Date): WaitingAttempt | null {
  if (unknownSince === null || releasedAt !== null) return null;
  const releasableFrom = addMs(unknownSince, RELEASE_AFTER_MS);
  return { id, mobile, amount, unknownSince, releasableFrom, releasable: now >= releasableFrom };
}
