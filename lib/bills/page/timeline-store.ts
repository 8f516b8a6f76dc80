import type { Scope } from '@/lib/core/scope';
import type { Connection, Queryable } from '@/lib/db/database';
import { boolean, environment, int4, int8, neverNull, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { paymentKind } from '@/lib/payments/sql-types';

const OF_BILL = { billId: uuid, merchantId: uuid, environment };

/** A row of bill_event, with the values of its JSON column `data` that the timeline shows. Amounts are senti as text. */
export type EventRow = Awaited<ReturnType<typeof listEventRows>>[number];

const LIST_EVENTS = statement({
  name: "list a bill's events",
  text: `SELECT number, type, at, data->>'by' AS by, data->>'source' AS source, data->>'attempt' AS "attemptId", data->>'reason' AS reason,
           data->>'transactionId' AS "transactionId", coalesce(data->>'amount', data->>'paidAmount') AS amount, data->>'ledgerAmount' AS "ledgerAmount",
           data->>'from' AS "from", data->>'to' AS "to", data->>'provider' AS provider
         FROM bill_event WHERE bill_id = $billId AND merchant_id = $merchantId AND environment = $environment ORDER BY number`,
  parameters: OF_BILL,
  columns: {
    number: int4,
    type: text,
    at: timestamptz,
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
  },
});

export async function listEventRows(db: Queryable, scope: Scope, billId: string) {
  return LIST_EVENTS.rows(db, { ...scope, billId });
}

/** A ledger entry of the bill. The amount is negative if it takes money off the bill. */
export type PaymentRow = Awaited<ReturnType<typeof listPaymentRows>>[number];

const LIST_PAYMENTS = statement({
  name: "list a bill's payments",
  text: `SELECT a.id, coalesce(o.provider_transaction_id, p.provider_transaction_id) AS "transactionId", a.amount, p.mobile, p.late,
           p.amount_differs AS "amountDiffers", p.kind, c.reason, a.created_by AS "allocatedBy", a.created_at AS "allocatedAt"
         FROM payment_allocation a JOIN payment p ON p.id = a.payment_id
         LEFT JOIN payment_correction c ON c.id = p.id LEFT JOIN payment o ON o.id = c.payment_id
         WHERE a.bill_id = $billId AND a.merchant_id = $merchantId AND a.environment = $environment ORDER BY a.id`,
  parameters: OF_BILL,
  columns: {
    /** The id of the allocation. */
    id: neverNull(uuid),
    transactionId: text,
    amount: neverNull(int8),
    mobile: nullable(text),
    late: neverNull(boolean),
    /** True if the amount of the payment differs from the amount of its attempt. */
    amountDiffers: neverNull(boolean),
    kind: neverNull(paymentKind),
    /** The reason that a person gave for a correction. */
    reason: nullable(text),
    /** `gateway`, or the person who allocated the payment to this bill. */
    allocatedBy: neverNull(text),
    allocatedAt: neverNull(timestamptz),
  },
});

export async function listPaymentRows(db: Queryable, scope: Scope, billId: string) {
  return LIST_PAYMENTS.rows(db, { ...scope, billId });
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

export async function findKeyLabel({ prisma }: Connection, { merchantId, environment }: Scope, id: string): Promise<string | null> {
  const key = await prisma.apiKey.findUnique({ where: { id, merchantId, environment }, select: { label: true } });
  return key?.label ?? null;
}
