import type { BillStatus } from '@/lib/gateway/bills/rules';
import type { InstrumentState } from '@/lib/gateway/instruments/rules';
import type { AttemptState } from '@/lib/gateway/payments/rules';
import type { RefundState, RefundWay } from '@/lib/gateway/refund-states/rules';
import type { ReviewKind } from '@/lib/gateway/reviews/rules';
import type { Queryable } from '@/lib/platform/db/database';

/** All money data of the database, read in one transaction. Amounts are senti; in this test they are small. */
export interface Books {
  readonly bills: readonly {
    readonly id: string;
    readonly merchant_id: string;
    readonly amount: number;
    readonly reference: string;
    readonly mobile: string | null;
    readonly paid_amount: number;
    readonly reserved_amount: number;
    readonly status: BillStatus;
    readonly event_count: number;
    readonly closed_at: string | null;
    readonly paid_at: string | null;
  }[];
  readonly attempts: readonly {
    readonly id: string;
    readonly bill_id: string;
    readonly form_id: string | null;
    readonly mobile: string;
    readonly amount: number;
    readonly our_reference: string;
    readonly provider_account_id: string | null;
    readonly refused_account_ids: readonly string[];
    readonly provider_reference: string | null;
    readonly state: AttemptState;
    readonly failure_reason: string | null;
    readonly due_at: string | null;
    readonly lease_until: string | null;
    readonly lapsed_leases: number;
    readonly unknown_since: string | null;
    readonly settled_at: string | null;
    readonly released_at: string | null;
  }[];
  readonly instruments: readonly {
    readonly id: string;
    readonly bill_id: string;
    readonly provider_account_id: string;
    readonly kind: string;
    readonly amount: number;
    readonly our_reference: string;
    readonly state: InstrumentState;
    readonly end_reason: string | null;
    readonly due_at: string | null;
    readonly lease_until: string | null;
  }[];
  /** The entries of money that went through a provider. Amounts and allocations after corrections. */
  readonly payments: readonly {
    readonly id: string;
    readonly provider_account_id: string;
    readonly provider_transaction_id: string;
    /** `refund`: a payout. */
    readonly kind: 'payment' | 'reversal' | 'refund';
    readonly merchant_id: string | null;
    readonly attempt_id: string | null;
    readonly instrument_id: string | null;
    readonly amount: number;
    readonly reverses_id: string | null;
    readonly late: boolean;
    readonly amount_differs: boolean;
  }[];
  /** The entries of money that went through the hands of people. Amounts after corrections. */
  readonly byHand: readonly {
    readonly id: string;
    readonly kind: 'payment' | 'refund';
    readonly merchant_id: string | null;
    readonly amount: number;
    readonly reverses_id: string | null;
  }[];
  readonly allocations: readonly {
    readonly payment_id: string;
    readonly bill_id: string;
    readonly amount: number;
    readonly created_by: string;
  }[];
  readonly refunds: readonly {
    readonly id: string;
    readonly payment_id: string;
    readonly bill_id: string | null;
    readonly amount: number;
    readonly way: RefundWay;
    readonly our_reference: string;
    readonly state: RefundState;
    readonly requested_by: string;
    readonly decided_by: string | null;
    readonly entry_id: string | null;
    readonly due_at: string | null;
    readonly lease_until: string | null;
  }[];
  readonly reviews: readonly {
    readonly kind: ReviewKind;
    readonly attempt_id: string | null;
    readonly payment_id: string | null;
    readonly reversal_request_id: string | null;
    readonly resolved_at: string | null;
    /** The data of the review, as JSON text. */
    readonly facts: string;
  }[];
  readonly events: readonly {
    readonly bill_id: string;
    readonly number: number;
    readonly type: string;
    readonly attempt: string | null;
    readonly source: string | null;
  }[];
  readonly deliveries: readonly {
    readonly bill_id: string;
    readonly event_number: number;
    readonly bill_status: BillStatus;
    readonly state: string;
    readonly body: string;
  }[];
  /** Stored messages that are not applied yet. */
  readonly unhandled: readonly { readonly id: string; readonly due_at: string | null; readonly lease_until: null }[];
  /** The numbers of stored provider messages: `answers` to requests of Bili, and `callbacks`. */
  readonly answers: number;
  readonly callbacks: number;
}

const CORRECTED =
  '(amount + coalesce((SELECT sum(k.amount) FROM payment_correction c JOIN payment k ON k.id = c.id WHERE c.corrects_id = payment.id), 0))::bigint AS amount';

const SOURCES: readonly (readonly [string, string, string])[] = [
  [
    'bills',
    'id, merchant_id, amount, reference, mobile, paid_amount, reserved_amount, status, event_count, closed_at, paid_at',
    'bill ORDER BY id',
  ],
  [
    'attempts',
    'id, bill_id, form_id, mobile, amount, our_reference, provider_account_id, refused_account_ids, provider_reference, state, failure_reason, due_at, lease_until, lapsed_leases, unknown_since, settled_at, released_at',
    'push_attempt ORDER BY id',
  ],
  [
    'instruments',
    'id, bill_id, provider_account_id, kind, amount, our_reference, state, end_reason, due_at, lease_until',
    'instrument ORDER BY id',
  ],
  [
    'payments',
    `id, provider_account_id, provider_transaction_id, kind, merchant_id, attempt_id, instrument_id, reverses_id, late, amount_differs, ${CORRECTED}`,
    "payment WHERE kind <> 'correction' AND source = 'provider' ORDER BY id",
  ],
  [
    '"byHand"',
    `id, kind, merchant_id, reverses_id, ${CORRECTED}`,
    "payment WHERE kind <> 'correction' AND source <> 'provider' ORDER BY id",
  ],
  [
    'allocations',
    'coalesce((SELECT c.corrects_id FROM payment_correction c WHERE c.id = payment_allocation.payment_id), payment_id) AS payment_id, bill_id, amount, created_by',
    'payment_allocation ORDER BY id',
  ],
  [
    'refunds',
    'id, payment_id, bill_id, amount, way, our_reference, state, requested_by, decided_by, entry_id, due_at, lease_until',
    'refund ORDER BY id',
  ],
  ['reviews', 'kind, attempt_id, payment_id, reversal_request_id, resolved_at, data::text AS facts', 'review ORDER BY id'],
  ['unhandled', 'id, due_at, NULL AS lease_until', 'provider_message WHERE handled_at IS NULL'],
  ['events', "bill_id, number, type, data->>'attempt' AS attempt, data->>'source' AS source", 'bill_event ORDER BY bill_id, number'],
  ['deliveries', "bill_id, event_number, bill_status, state, convert_from(body, 'UTF8') AS body", 'webhook_delivery ORDER BY id'],
];

const SELECT_BOOKS = {
  name: 'model-books',
  text: `SELECT ${SOURCES.map(([name, columns, from]) => `(SELECT coalesce(json_agg(t), '[]') FROM (SELECT ${columns} FROM ${from}) t) AS ${name}`).join(', ')},
           (SELECT count(*)::int FROM provider_message WHERE kind <> 'callback') AS answers,
           (SELECT count(*)::int FROM provider_message WHERE kind = 'callback') AS callbacks`,
};

export async function readBooks(db: Queryable): Promise<Books> {
  const [books] = await db.query<Books & Record<string, unknown>>(SELECT_BOOKS);
  if (!books) throw new Error('nothing was read');
  return books;
}
