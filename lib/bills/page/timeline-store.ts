import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';

/** A bill_event, with the members of its data that the timeline speaks of. Amounts are senti as text. */
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
  /** Of a correction: what an entry amounted to, and amounts to now. */
  readonly from: string | null;
  readonly to: string | null;
}

export async function listEventRows(db: Queryable, scope: Scope, billId: string): Promise<EventRow[]> {
  return db.query<EventRow>(
    {
      text: `SELECT number, type, at, data->>'by' AS by, data->>'source' AS source, data->>'attempt' AS "attemptId", data->>'reason' AS reason,
               data->>'transactionId' AS "transactionId", coalesce(data->>'amount', data->>'paidAmount') AS amount, data->>'ledgerAmount' AS "ledgerAmount",
               data->>'from' AS "from", data->>'to' AS "to"
             FROM bill_event WHERE bill_id = $1 AND merchant_id = $2 AND environment = $3 ORDER BY number`,
    },
    [billId, scope.merchantId, scope.environment],
  );
}

/** Money that counts on a bill, from the ledger. The amount is negative where it takes money off the bill. */
export interface PaymentRow {
  /** The allocation's. */
  readonly id: string;
  readonly transactionId: string;
  readonly amount: bigint;
  readonly mobile: string | null;
  readonly late: boolean;
  /** Not what the prompt asked for. */
  readonly amountDiffers: boolean;
  readonly kind: 'payment' | 'reversal' | 'correction';
  /** Why a person corrected it. */
  readonly reason: string | null;
  /** `gateway`, or who attached it to this bill by hand. */
  readonly allocatedBy: string;
  readonly allocatedAt: Date;
}

export async function listPaymentRows(db: Queryable, scope: Scope, billId: string): Promise<PaymentRow[]> {
  return db.query<PaymentRow>(
    {
      text: `SELECT a.id, coalesce(o.provider_transaction_id, p.provider_transaction_id) AS "transactionId", a.amount, p.mobile, p.late,
               p.amount_differs AS "amountDiffers", p.kind, c.reason, a.created_by AS "allocatedBy", a.created_at AS "allocatedAt"
             FROM payment_allocation a JOIN payment p ON p.id = a.payment_id
             LEFT JOIN payment_correction c ON c.id = p.id LEFT JOIN payment o ON o.id = c.payment_id
             WHERE a.bill_id = $1 AND a.merchant_id = $2 AND a.environment = $3 ORDER BY a.id`,
    },
    [billId, scope.merchantId, scope.environment],
  );
}

/** A prompt as it stands now. */
export interface PromptRow {
  readonly id: string;
  readonly source: 'api' | 'web' | 'dashboard';
  readonly mobile: string;
  readonly network: string;
  readonly amount: bigint;
  readonly ourReference: string;
  readonly state: 'QUEUED' | 'SENDING' | 'AWAITING_CUSTOMER' | 'UNKNOWN' | 'SUCCEEDED' | 'FAILED' | 'EXPIRED' | 'CANCELLED';
  readonly failureReason: string | null;
  readonly createdAt: Date;
}

/** @returns what a merchant calls one of its keys. */
export async function findKeyLabel(db: Queryable, scope: Scope, keyId: string): Promise<string | null> {
  const [key] = await db.query<{ label: string }>(
    { text: 'SELECT label FROM api_key WHERE id = $1 AND merchant_id = $2 AND environment = $3' },
    [keyId, scope.merchantId, scope.environment],
  );
  return key?.label ?? null;
}

export async function listPromptRows(db: Queryable, scope: Scope, billId: string): Promise<PromptRow[]> {
  return db.query<PromptRow>(
    {
      text: `SELECT id, source, mobile, network, amount, our_reference AS "ourReference", state, failure_reason AS "failureReason", created_at AS "createdAt"
             FROM push_attempt WHERE bill_id = $1 AND merchant_id = $2 AND environment = $3 ORDER BY id`,
    },
    [billId, scope.merchantId, scope.environment],
  );
}
