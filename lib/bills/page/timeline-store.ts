import type { Scope } from '@/lib/core/scope';
import type { Connection, Queryable } from '@/lib/db/database';
import { boolean, enumType, environment, int4, int8, neverNull, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import type { AttemptState } from '@/lib/payments/state';

const OF_BILL = { billId: uuid, merchantId: uuid, environment };

/** A bill_event with those members of its data that the timeline shows. Amounts are senti as text. */
export interface EventRow {
  readonly number: number;
  readonly type: string;
  readonly at: Date;
  readonly by: string | null;
  readonly source: string | null;
  readonly attemptId: string | null;
  readonly reason: string | null;
  readonly transactionId: string | null;
  readonly amount: string | null;
  readonly ledgerAmount: string | null;
  /** For a correction: the amount before and after it. */
  readonly from: string | null;
  readonly to: string | null;
}

const LIST_EVENTS = statement({
  name: "list a bill's events",
  text: `SELECT number, type, at, data->>'by' AS by, data->>'source' AS source, data->>'attempt' AS "attemptId", data->>'reason' AS reason,
           data->>'transactionId' AS "transactionId", coalesce(data->>'amount', data->>'paidAmount') AS amount, data->>'ledgerAmount' AS "ledgerAmount",
           data->>'from' AS "from", data->>'to' AS "to"
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
    from: nullable(text),
    to: nullable(text),
  },
});

export async function listEventRows(db: Queryable, scope: Scope, billId: string): Promise<EventRow[]> {
  return LIST_EVENTS.rows(db, { ...scope, billId });
}

/** A ledger entry of the bill. The amount is negative if it takes money off the bill. */
export interface PaymentRow {
  /** The id of the allocation. */
  readonly id: string;
  readonly transactionId: string;
  readonly amount: bigint;
  readonly mobile: string | null;
  readonly late: boolean;
  /** The amount differs from the amount of the attempt. */
  readonly amountDiffers: boolean;
  readonly kind: 'payment' | 'reversal' | 'correction';
  /** The reason that a person gave for a correction. */
  readonly reason: string | null;
  /** `gateway`, or the person who allocated it to this bill. */
  readonly allocatedBy: string;
  readonly allocatedAt: Date;
}

const LIST_PAYMENTS = statement({
  name: "list a bill's payments",
  text: `SELECT a.id, coalesce(o.provider_transaction_id, p.provider_transaction_id) AS "transactionId", a.amount, p.mobile, p.late,
           p.amount_differs AS "amountDiffers", p.kind, c.reason, a.created_by AS "allocatedBy", a.created_at AS "allocatedAt"
         FROM payment_allocation a JOIN payment p ON p.id = a.payment_id
         LEFT JOIN payment_correction c ON c.id = p.id LEFT JOIN payment o ON o.id = c.payment_id
         WHERE a.bill_id = $billId AND a.merchant_id = $merchantId AND a.environment = $environment ORDER BY a.id`,
  parameters: OF_BILL,
  columns: {
    id: neverNull(uuid),
    transactionId: text,
    amount: neverNull(int8),
    mobile: nullable(text),
    late: neverNull(boolean),
    amountDiffers: neverNull(boolean),
    kind: neverNull(enumType('payment_kind', ['payment', 'reversal', 'correction'])),
    reason: nullable(text),
    allocatedBy: neverNull(text),
    allocatedAt: neverNull(timestamptz),
  },
});

export async function listPaymentRows(db: Queryable, scope: Scope, billId: string): Promise<PaymentRow[]> {
  return LIST_PAYMENTS.rows(db, { ...scope, billId });
}

/** The current state of an attempt. */
export interface PromptRow {
  readonly id: string;
  readonly source: 'api' | 'web' | 'dashboard';
  readonly mobile: string;
  readonly network: string;
  readonly amount: bigint;
  readonly ourReference: string;
  readonly state: AttemptState;
  readonly failureReason: string | null;
  readonly createdAt: Date;
}

const PROMPT = {
  id: true,
  source: true,
  mobile: true,
  network: true,
  amount: true,
  ourReference: true,
  state: true,
  failureReason: true,
  createdAt: true,
} as const;

export async function listPromptRows({ prisma }: Connection, { merchantId, environment }: Scope, billId: string): Promise<PromptRow[]> {
  return prisma.pushAttempt.findMany({ where: { billId, merchantId, environment }, select: PROMPT, orderBy: { id: 'asc' } });
}

/** Returns the label of one of the merchant's API keys. */
export async function findKeyLabel({ prisma }: Connection, { merchantId, environment }: Scope, id: string): Promise<string | null> {
  const key = await prisma.apiKey.findUnique({ where: { id, merchantId, environment }, select: { label: true } });
  return key?.label ?? null;
}
