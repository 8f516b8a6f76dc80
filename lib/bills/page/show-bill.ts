import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import { recordEntry } from '@/lib/audit/record-entry';
import { hasEntrySince } from '@/lib/audit/store';
import { webPayUrl } from '@/lib/bills/bill-json';
import { makeShortLink } from '@/lib/bills/links/make-short-link';
import { remainingAmount } from '@/lib/bills/rules';
import { findBillOf } from '@/lib/bills/store';
import { baseUrl } from '@/lib/config/settings';
import { addMs, HOUR_MS } from '@/lib/core/clock';
import { isUuid, newId } from '@/lib/core/ids';
import { countMessages, listMessages } from '@/lib/payments/messages/message-store';
import { BODY_MAX, viewMessage } from '@/lib/payments/messages/message-view';
import { offerPrompt } from '@/lib/payments/prompts/offer-prompt';
import { type Attempt, RELEASE_AFTER_MS, reserves } from '@/lib/payments/rules';
import { listAttempts } from '@/lib/payments/store';
import type { Runtime } from '@/lib/runtime/runtime';
import { findEndpoint } from '@/lib/webhooks/endpoint/endpoint-store';
import type { DeliveryView } from '@/lib/webhooks/log/delivery-view';
import { listBillDeliveries } from '@/lib/webhooks/log/list-deliveries';
import { listNoteRows } from './note-store';
import { joinTimeline } from './timeline';
import { findKeyLabel, listEventRows, listPaymentRows, listPromptRows } from './timeline-store';
import { readProgress } from './version-store';
import { watched } from './watch-bill';

/** The most provider messages that are shown. No bill should have more. If one does, its oldest messages are left out. */
const MESSAGES_MAX = 200;

/**
 * For this long, one audit entry covers all provider messages of a bill that a person reads. Otherwise an open page, which reads the
 * messages again after every change, would create many entries.
 */
const ONE_ENTRY_MS = HOUR_MS;

export type BillView = NonNullable<Awaited<ReturnType<typeof showBill>>>;

/** An attempt with an unknown outcome, which still reserves its amount. */
export type WaitingAttempt = NonNullable<ReturnType<typeof toWaiting>>;

/**
 * Returns a bill and its history, or null if the id is invalid or the member may not see the bill.
 * With `messages`, the result includes the provider messages if the member may read them. The audit log then records the reading, with the
 * member's IP address.
 */
export async function showBill(
  runtime: Pick<Runtime, 'db' | 'settings' | 'clock' | 'random'>,
  access: MerchantAccess,
  id: string,
  { messages: withMessages = false }: { readonly messages?: boolean } = {},
) {
  const { db, settings } = runtime;
  const { scope } = access;
  if (!isUuid(id)) return null;
  // The version of the page is read before its content. So if the bill changes in between, the page is refreshed once too often. In the
  // other order, the page would miss that change.
  const progress = await readProgress(db, scope, id);
  const bill = await findBillOf(db, access, id);
  if (!bill || !progress) return null;
  const readable = may(access, 'messages.view');
  const [events, prompts, payments, deliveries, notes, shownMessages, messageCount, attempts] = await Promise.all([
    listEventRows(db, scope, bill.id),
    listPromptRows(db, scope, bill.id),
    listPaymentRows(db, scope, bill.id),
    may(access, 'webhooks.view') ? listWebhooks(runtime, access, bill.id) : [],
    listNoteRows(db, scope, bill.id),
    readable && withMessages ? listMessages(db, scope, bill.id, { bytes: BODY_MAX, limit: MESSAGES_MAX }) : [],
    readable ? countMessages(db, scope, bill.id) : null,
    listAttempts(db, bill.id),
  ]);
  if (shownMessages.length > 0) await recordReading(runtime, access, bill.id);
  const key = events[0]?.by?.match(/^key:(.+)$/s)?.[1];
  return {
    bill,
    remaining: remainingAmount(bill),
    webPayUrl: webPayUrl(baseUrl(settings, scope.environment), bill.id),
    /** The link to send to the customer; null if the bill is fully paid or closed. */
    shortLink: bill.status === 'FULLY_PAID' || bill.closedAt !== null ? null : await makeShortLink(runtime, bill),
    /** How the merchant reaches the operator, for example to return an overpaid amount; null if the operator has not set it. */
    operatorContact: settings.OPERATOR_CONTACT ?? null,
    /** Oldest first. */
    timeline: joinTimeline({ events, prompts, payments, deliveries, notes, messages: shownMessages.map(viewMessage) }),
    /** The label of the API key that created the bill. */
    keyLabel: key === undefined ? null : await findKeyLabel(db, scope, key),
    /** The number of provider messages; null if the viewer has no permission to read them. */
    messageCount,
    /** Open attempts, oldest first. */
    open: attempts.filter(reserves),
    /** Attempts whose outcome is unknown and that nobody has released. */
    waiting: attempts.flatMap((attempt) => toWaiting(attempt, runtime.clock()) ?? []),
    push: await offerPrompt(runtime, bill, attempts),
    watched: watched(progress, runtime.clock()),
    /** An id for the forms of the page. A form that is sent twice takes effect once. */
    formId: newId(runtime),
  };
}

/** Returns the bill's webhooks, or none if the merchant has not set an address: then unsent webhooks are not a problem. */
async function listWebhooks(runtime: Pick<Runtime, 'db' | 'clock'>, access: MerchantAccess, billId: string): Promise<DeliveryView[]> {
  const endpoint = await findEndpoint(runtime.db, access.scope);
  return endpoint?.url ? listBillDeliveries(runtime, access, billId) : [];
}

function toWaiting({ id, mobile, amount, unknownSince, releasedAt }: Attempt, now: Date) {
  if (unknownSince === null || releasedAt !== null) return null;
  const releasableFrom = addMs(unknownSince, RELEASE_AFTER_MS);
  return { id, mobile, amount, unknownSince, releasableFrom, releasable: now >= releasableFrom };
}

/**
 * Records in the audit log that a person reads the provider messages of a bill, because they contain customer data. Call it before the
 * messages are shown.
 */
async function recordReading(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { scope, actor }: MerchantAccess,
  billId: string,
): Promise<void> {
  const entry = { ...scope, action: 'bill.messages_shown', subject: billId };
  if (await hasEntrySince(runtime.db, { ...entry, actor: actor.name }, addMs(runtime.clock(), -ONE_ENTRY_MS))) return;
  await recordEntry(runtime, { ...entry, actor });
}
