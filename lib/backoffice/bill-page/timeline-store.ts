import type { Scope } from '@/lib/platform/core/scope';
import type { Connection, Queryable } from '@/lib/platform/db/database';
import type { BillNote } from '@/lib/platform/db/generated/client';
import { bill, billEvent } from '@/lib/platform/db/generated/tables';
import { int4, nullable, pick, text, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';

const OF_BILL = pick(billEvent, 'billId merchantId environment');

/** A row of bill_event, with the values of its JSON column `data` that the timeline shows. Amounts are senti as text. */
export type EventRow = Awaited<ReturnType<typeof listEventRows>>[number];

const LIST_EVENTS = statement({
  name: "list a bill's events",
  text: `SELECT number, type, at, data->>'by' AS by, data->>'source' AS source, data->>'attempt' AS "attemptId", data->>'reason' AS reason,
           data->>'transactionId' AS "transactionId", coalesce(data->>'amount', data->>'paidAmount') AS amount, data->>'ledgerAmount' AS "ledgerAmount",
           data->>'from' AS "from", data->>'to' AS "to", data->>'provider' AS provider, data->>'note' AS note
         FROM bill_event WHERE bill_id = $billId AND merchant_id = $merchantId AND environment = $environment ORDER BY number`,
  parameters: OF_BILL,
  columns: {
    ...pick(billEvent, 'number type at'),
    by: nullable(text),
    source: nullable(text),
    attemptId: nullable(text),
    reason: nullable(text),
    transactionId: nullable(text),
    amount: nullable(text),
    ledgerAmount: nullable(text),
    /** For a correction: the amount before and after it. */
    from: nullable(text),
    to: nullable(text),
    /** For a rerouted attempt: the provider that did not accept it. */
    provider: nullable(text),
    /** For a recorded payment: the note of the person. */
    note: nullable(text),
  },
});

export async function listEventRows(db: Queryable, scope: Scope, billId: string) {
  return LIST_EVENTS.rows(db, { ...scope, billId });
}

const ALLOCATION = {
  id: true,
  amount: true,
  createdBy: true,
  createdAt: true,
  payment: {
    select: {
      id: true,
      attemptId: true,
      reversesId: true,
      providerTransactionId: true,
      mobile: true,
      late: true,
      amountDiffers: true,
      kind: true,
      source: true,
      happenedAt: true,
      instrument: { select: { number: true, qr: true, link: true } },
      correction: { select: { reason: true, paymentId: true, payment: { select: { providerTransactionId: true } } } },
    },
  },
} as const;

/** A ledger entry of the bill. The amount is negative if it takes money off the bill. */
export type PaymentRow = Awaited<ReturnType<typeof listPaymentRows>>[number];

export async function listPaymentRows({ prisma }: Connection, { merchantId, environment }: Scope, billId: string) {
  const rows = await prisma.paymentAllocation.findMany({
    where: { billId, merchantId, environment },
    select: ALLOCATION,
    orderBy: { id: 'asc' },
  });
  return rows.map(
    ({ id, amount, createdBy, createdAt, payment: { id: entryId, reversesId, providerTransactionId, correction, ...payment } }) => ({
      ...payment,
      /** The id of the allocation. */
      id,
      /** The payment that came in; for a reversal, refund or correction the one that it changes. */
      paymentId: reversesId ?? correction?.paymentId ?? entryId,
      amount,
      /** For a correction: the number of the corrected payment. */
      transactionId: correction?.payment.providerTransactionId ?? providerTransactionId,
      /** The reason that a person gave for a correction. */
      reason: correction?.reason ?? null,
      /** `gateway`, or the person who allocated the payment to this bill. */
      allocatedBy: createdBy,
      allocatedAt: createdAt,
    }),
  );
}

/** An attempt of the bill, in its current state. */
export type PromptRow = Awaited<ReturnType<typeof listPromptRows>>[number];

const PROMPT = {
  id: true,
  source: true,
  mobile: true,
  network: true,
  amount: true,
  ourReference: true,
  providerReference: true,
  state: true,
  failureReason: true,
  createdAt: true,
  providerAccount: { select: { provider: true } },
} as const;

export async function listPromptRows({ prisma }: Connection, { merchantId, environment }: Scope, billId: string) {
  const where = { billId, merchantId, environment };
  const rows = await prisma.pushAttempt.findMany({ where, select: PROMPT, orderBy: { id: 'asc' } });
  // The provider of the last account that the attempt was sent through; null if there is none.
  return rows.map(({ providerAccount, ...row }) => ({ ...row, provider: providerAccount?.provider ?? null }));
}

/** A note of a bill. `createdBy` is the author, as the audit log names a member: `user:<e-mail>`. */
export type NoteRow = Pick<BillNote, keyof typeof NOTE>;
export const NOTE = { id: true, createdBy: true, text: true, createdAt: true } as const;

/** Data that changes whenever the page of a bill would change. */
export type Progress = NonNullable<Awaited<ReturnType<typeof readProgress>>>;

const READ = statement({
  name: "read a bill's version",
  text: `
SELECT b.version, greatest(b.created_at, e.at, n.at, d.at) AS "latestAt", n.notes, m.messages, i.instruments, i.asked AS "askedInstruments", d.deliveries, w.endpoint, p.open AS "openPrompts",
  q.sent AS "sentRefunds", d.pending AS "pendingDeliveries"
FROM bill b,
  LATERAL (SELECT max(at) AS at FROM bill_event WHERE bill_id = b.id) e,
  LATERAL (SELECT count(*)::int AS notes, max(created_at) AS at FROM bill_note WHERE bill_id = b.id) n,
  LATERAL (SELECT (SELECT count(*) FROM push_attempt a JOIN provider_message m ON m.attempt_id = a.id WHERE a.bill_id = b.id)::int
             + (SELECT count(*) FROM instrument a JOIN provider_message m ON m.instrument_id = a.id WHERE a.bill_id = b.id)::int AS messages) m,
  LATERAL (SELECT coalesce(string_agg(state::text || amount, ',' ORDER BY id), '') AS instruments,
             count(*) FILTER (WHERE state IN ('ASKED', 'SENDING'))::int AS asked FROM instrument WHERE bill_id = b.id) i,
  LATERAL (SELECT count(*) FILTER (WHERE state IN ('QUEUED', 'SENDING', 'AWAITING_CUSTOMER', 'UNKNOWN'))::int AS open FROM push_attempt WHERE bill_id = b.id) p,
  LATERAL (SELECT count(*)::int AS sent FROM refund WHERE bill_id = b.id AND state IN ('QUEUED', 'SENDING', 'UNKNOWN')) q,
  LATERAL (SELECT coalesce(string_agg(state::text || attempt_count, ',' ORDER BY id), '') AS deliveries, max(created_at) AS at,
             count(*) FILTER (WHERE state IN ('BLOCKED', 'PENDING', 'SENDING'))::int AS pending FROM webhook_delivery WHERE bill_id = b.id) d,
  LATERAL (SELECT max(status || ' since ' || status_since) AS endpoint FROM webhook_endpoint WHERE merchant_id = b.merchant_id AND environment = b.environment) w
WHERE b.id = $billId AND b.merchant_id = $merchantId AND b.environment = $environment`,
  parameters: { billId: billEvent.billId, ...pick(bill, 'merchantId environment') },
  columns: {
    version: bill.version,
    latestAt: timestamptz,
    notes: int4,
    messages: int4,
    /** The state and the amount of each instrument. */
    instruments: text,
    /** Instruments that a provider is about to issue. */
    askedInstruments: int4,
    /** The state and the number of delivery attempts of each delivery. */
    deliveries: text,
    /** The status of the endpoint and when it changed. Pausing or resuming it changes the text of waiting deliveries. */
    endpoint: nullable(text),
    openPrompts: int4,
    /** Refunds that the provider has or will get. */
    sentRefunds: int4,
    pendingDeliveries: int4,
  },
});

export async function readProgress(db: Queryable, scope: Scope, billId: string) {
  return READ.first(db, { ...scope, billId });
}
