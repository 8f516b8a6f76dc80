import type { DeliveryView } from '@/lib/backoffice/delivery-log/delivery-view';
import { listBillDeliveries } from '@/lib/backoffice/delivery-log/list-deliveries';
import { webPayUrl } from '@/lib/gateway/bills/bill-json';
import { type Bill, remainingAmount } from '@/lib/gateway/bills/rules';
import { makeShortLink } from '@/lib/gateway/bills/short-links';
import { findBillOf } from '@/lib/gateway/bills/store';
import { type InstrumentRuntime, offersInstruments } from '@/lib/gateway/instruments/ask-instruments';
import { listMessages } from '@/lib/gateway/messages/message-store';
import { BODY_MAX, viewMessage } from '@/lib/gateway/messages/message-view';
import { type Attempt, RELEASE_AFTER_MS, reserves } from '@/lib/gateway/payments/rules';
import { listAttempts } from '@/lib/gateway/payments/store';
import { offerPrompt } from '@/lib/gateway/prompts/offer-prompt';
import { isOpenRefund } from '@/lib/gateway/refund-states/rules';
import { listHeld } from '@/lib/gateway/refunds/ask-refund';
import { listRefundsOfBill } from '@/lib/gateway/refunds/list-refunds';
import { findEndpoint } from '@/lib/gateway/webhooks/endpoint/endpoint-store';
import { type MerchantAccess, may } from '@/lib/identity/accounts/access/grant-access';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { baseUrl } from '@/lib/platform/config/settings';
import { addMs, HOUR_MS } from '@/lib/platform/core/clock';
import { isUuid, lowestId, newId } from '@/lib/platform/core/ids';
import type { Scope } from '@/lib/platform/core/scope';
import type { Connection } from '@/lib/platform/db/database';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { listBillInstruments } from './bill-instruments';
import { joinTimeline } from './timeline';
import { listEventRows, listPaymentRows, listPromptRows, NOTE, readProgress } from './timeline-store';
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
  runtime: InstrumentRuntime,
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
  const [events, prompts, payments, deliveries, notes, shownMessages, attempts, refunds, instruments] = await Promise.all([
    listEventRows(db, scope, bill.id),
    listPromptRows(db, scope, bill.id),
    listPaymentRows(db, scope, bill.id),
    may(access, 'webhooks.view') ? listWebhooks(runtime, access, bill.id) : [],
    db.prisma.billNote.findMany({ where: { ...scope, billId: bill.id }, select: NOTE, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] }),
    readable && withMessages ? listMessages(db, scope, bill.id, { bytes: BODY_MAX, limit: MESSAGES_MAX }) : [],
    listAttempts(db, bill.id),
    may(access, 'refunds.view') ? readRefunds(db, scope, bill) : NO_REFUNDS,
    listBillInstruments(runtime, access, bill.id),
  ]);
  if (shownMessages.length > 0) await recordReading(runtime, access, bill.id);
  const key = events[0]?.by?.match(/^key:(.+)$/s)?.[1];
  const [label, shortLink, push, offers] = await Promise.all([
    key === undefined ? null : db.prisma.apiKey.findUnique({ where: { id: key, ...scope }, select: { label: true } }),
    bill.status === 'FULLY_PAID' || bill.closedAt !== null ? null : makeShortLink(runtime, bill),
    offerPrompt(runtime, bill, attempts),
    offersInstruments(runtime, bill.id),
  ]);
  return {
    bill,
    remaining: remainingAmount(bill),
    webPayUrl: webPayUrl(baseUrl(settings, scope.environment), bill.id),
    /** The link to send to the customer; null if the bill is fully paid or closed. */
    shortLink,
    /** How the merchant reaches the operator, for example to return an overpaid amount; null if the operator has not set it. */
    operatorContact: settings.OPERATOR_CONTACT ?? null,
    /** Oldest first. */
    timeline: joinTimeline({ events, prompts, payments, deliveries, notes, messages: shownMessages.map(viewMessage) }),
    /** The label of the API key that created the bill. */
    keyLabel: label?.label ?? null,
    /** The number of provider messages; null if the viewer has no permission to read them. */
    messageCount: readable ? progress.messages : null,
    /** Open attempts, oldest first. */
    open: attempts.filter(reserves),
    /** Attempts whose outcome is unknown and that nobody has released. */
    waiting: attempts.flatMap((attempt) => toWaiting(attempt, runtime.clock()) ?? []),
    ...refunds,
    push,
    /** The payment instruments, oldest first. */
    instruments: instruments ?? [],
    /** Whether a provider account issues payment instruments for the remaining amount. */
    offersInstruments: offers,
    watched: watched(progress, runtime.clock()),
    /** An id for the forms of the page. A form that is sent twice takes effect once. */
    formId: newId(runtime),
  };
}

const NO_REFUNDS = { refunds: [], refundable: [] };

/** Returns the refunds of a bill, and the payments of which it has money that may go back, both the newest first. */
async function readRefunds(db: Connection, scope: Scope, { id, paidAmount }: Pick<Bill, 'id' | 'paidAmount'>) {
  const [refunds, held] = await Promise.all([listRefundsOfBill(db, scope, id), paidAmount > 0n ? listHeld(db, id) : []]);
  const busy = new Set(refunds.flatMap(({ state, paymentId }) => (isOpenRefund(state) ? [paymentId] : [])));
  const refundable = held
    .filter(({ payment }) => !busy.has(payment.id))
    .map(({ payment: { id: payment, transactionId: receipt, mobile, recordedAt }, held: left }) => ({
      payment,
      receipt,
      mobile,
      left,
      recordedAt,
    }));
  return { refunds, refundable: refundable.reverse() };
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
  const id = { gte: lowestId(addMs(runtime.clock(), -ONE_ENTRY_MS).getTime()) };
  const known = await runtime.db.prisma.auditEntry.findFirst({ where: { ...entry, actor: actor.name, id }, select: { id: true } });
  if (known) return;
  await recordEntry(runtime, { ...entry, actor });
}
